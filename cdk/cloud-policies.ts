// What `cloud.*` may do on EC2: make machines that bear the master's tag, and change and end those alone.
import { Stack } from 'aws-cdk-lib'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { accept, manyResources } from './accepted-findings.ts'
import { machineTag, machineTagsOf } from './machine-tag.ts'
import type { MasterFunctions } from './master-functions.ts'

/** Lets the function that runs runners make, change and end machines of its master, with these roles and no others. */
export function allowClouds(functions: MasterFunctions, roles: readonly IRole[]): void {
  const { partition, region, account } = Stack.of(functions)
  const [value = ''] = Object.values(machineTagsOf(functions))
  const own = (...kinds: readonly string[]) =>
    kinds.map((kind) => `arn:${partition}:ec2:${region}:${account}:${kind}/*`)
  const image = `arn:${partition}:ec2:${region}::image/*`
  const machines = own('instance', 'volume')
  const parts = [
    image,
    `arn:${partition}:ec2:${region}::snapshot/*`,
    ...own('subnet', 'security-group', 'network-interface', 'key-pair', 'placement-group'),
  ]
  const statements = [
    new PolicyStatement({
      actions: [
        'ec2:DescribeInstances',
        'ec2:DescribeImages',
        'ec2:DescribeInstanceTypes',
        'ec2:DescribeRegions',
        'ec2:DescribeSecurityGroups',
        'ec2:DescribeSubnets',
      ],
      resources: ['*'],
    }),
    new PolicyStatement({ actions: ['ec2:RunInstances'], resources: parts }),
    new PolicyStatement({
      actions: ['ec2:RunInstances'],
      resources: machines,
      conditions: { StringEquals: { [`aws:RequestTag/${machineTag}`]: value } },
    }),
    new PolicyStatement({
      actions: ['ec2:CreateTags'],
      resources: machines,
      conditions: { StringEquals: { 'ec2:CreateAction': 'RunInstances' } },
    }),
    new PolicyStatement({
      actions: [
        'ec2:CreateTags',
        'ec2:ModifyInstanceAttribute',
        'ec2:RebootInstances',
        'ec2:StartInstances',
        'ec2:StopInstances',
        'ec2:TerminateInstances',
      ],
      resources: own('instance'),
      conditions: { StringEquals: { [`ec2:ResourceTag/${machineTag}`]: value } },
    }),
    ...(roles.length === 0
      ? []
      : [
          new PolicyStatement({
            actions: ['iam:PassRole'],
            resources: roles.map(({ roleArn }) => roleArn),
            conditions: { StringEquals: { 'iam:PassedToService': 'ec2.amazonaws.com' } },
          }),
        ]),
  ]
  for (const statement of statements) functions.run.addToRolePolicy(statement)
  for (const resource of [...machines, ...parts]) {
    accept(
      functions,
      manyResources(functions, resource),
      'Which machines there will be is known at run time; the conditions ask for the tag of this master.',
    )
  }
}
