// An app of your own: a master and a fleet of web servers that join it, in one stack. docs/aws.md tells how to deploy it.
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib'
import { InstanceType, type IVpc, Vpc } from 'aws-cdk-lib/aws-ec2'
import { BrineFleet } from '../../cdk/brine-fleet.ts'
import { BrineMaster } from '../../cdk/brine-master.ts'

const app = new App()
const stack = new Stack(app, 'BrineFleet')
const vpc: IVpc = new Vpc(stack, 'Vpc', { maxAzs: 2, natGateways: 1 }) as IVpc

// reactors/fleet.sls accepts the instances of groups whose name begins with web-asg.
const master = new BrineMaster(stack, 'Master', {
  identityGroups: ['web-asg*'],
  startUpJob: 'test.ping',
  archive: Duration.days(30),
})
new BrineFleet(stack, 'Web', {
  master,
  vpc,
  groupName: 'web-asg',
  instanceType: new InstanceType('t4g.small'),
  idPrefix: 'web-',
  grains: { role: 'web' },
  minCapacity: 2,
  maxCapacity: 4,
})

new CfnOutput(stack, 'ApiUrl', { value: master.url })
new CfnOutput(stack, 'GatewayFunction', { value: master.functions.gateway.functionName })
