// Where we go against a rule of cdk-nag's AWS Solutions, and why.

import type { CfnElement } from 'aws-cdk-lib'
import { Stack, Token, Validations } from 'aws-cdk-lib'
import type { Construct, IConstruct } from 'constructs'

/** Accepts a finding below a construct. The reason is for whoever reviews the stack. */
export function accept(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id: `AwsSolutions-${id}`, reason })
}

/** A resource as cdk-nag writes it in the id of a finding: `<LogicalId.Arn>` and what comes after it. */
export function arnInFinding(construct: Construct, rest: string): string {
  const child = construct.node.defaultChild
  const logicalId = Stack.of(construct).resolve(Stack.of(construct).getLogicalId(child as CfnElement))
  return `Resource::<${logicalId}.Arn>${rest}`
}

/** The id of a finding that an ARN names more than one resource; places of the stack's own are written as cdk-nag does. */
export function manyResources(scope: Construct, arn: string): string {
  const { partition, region, account } = Stack.of(scope)
  const place = arn.replace(partition, '<AWS::Partition>').replace(region, written(region, 'Region'))
  return `IAM5[Resource::${place.replace(account, written(account, 'AccountId'))}]`
}

/** A region or an account as cdk-nag writes it: `written(region, 'Region')`. */
export function written(value: string, name: string): string {
  return Token.isUnresolved(value) ? `<AWS::${name}>` : value
}
