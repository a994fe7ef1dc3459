// The tag by which the master knows the groups whose hooks it may complete, and the permission that asks for it.
import { ArnFormat, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'

/** On every Auto Scaling group of a BrineFleet, and in the condition of the master's permission. */
export const fleetTag = { key: 'brine:fleet', value: 'yes' } as const

/** The ARN of every group; behind `autoScalingGroup:` stand an id of AWS's, and the name. */
export function groupsOfFleets(scope: Construct): string {
  return Stack.of(scope).formatArn({
    service: 'autoscaling',
    resource: 'autoScalingGroup',
    resourceName: '*:autoScalingGroupName/*',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
}

/** Completing and prolonging hooks, of the groups of our fleets alone. */
export function hooksOfFleets(scope: Construct): PolicyStatement {
  return new PolicyStatement({
    actions: ['autoscaling:CompleteLifecycleAction', 'autoscaling:RecordLifecycleActionHeartbeat'],
    resources: [groupsOfFleets(scope)],
    conditions: { StringEquals: { [`autoscaling:ResourceTag/${fleetTag.key}`]: fleetTag.value } },
  })
}
