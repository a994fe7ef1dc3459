// The tag by which the master knows the groups whose hooks it may complete, and the permission that asks for it.
import { ArnFormat, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { written } from './accepted-findings.ts'

/** On every Auto Scaling group of a BrineFleet, and in the condition of the master's permission. */
export const fleetTag = { key: 'brine:fleet', value: 'yes' } as const

/** What stands behind `autoScalingGroup:` in the ARN of a group: an id of AWS's, and the name. */
const anyGroup = '*:autoScalingGroupName/*'

/** Completing and prolonging hooks, of the groups of our fleets alone. */
export function hooksOfFleets(scope: Construct): PolicyStatement {
  return new PolicyStatement({
    actions: ['autoscaling:CompleteLifecycleAction', 'autoscaling:RecordLifecycleActionHeartbeat'],
    resources: [
      Stack.of(scope).formatArn({
        service: 'autoscaling',
        resource: 'autoScalingGroup',
        resourceName: anyGroup,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
    conditions: { StringEquals: { [`autoscaling:ResourceTag/${fleetTag.key}`]: fleetTag.value } },
  })
}

/** The same as cdk-nag writes it in a finding. */
export function hooksFinding(scope: Construct): string {
  const { account, region } = Stack.of(scope)
  const place = `${written(region, 'Region')}:${written(account, 'AccountId')}`
  return `Resource::arn:<AWS::Partition>:autoscaling:${place}:autoScalingGroup:${anyGroup}`
}
