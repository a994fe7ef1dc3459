// EC2's and Auto Scaling's events in the shapes of AWS's documentation, put on the default bus under a simulated source.
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { emulatorClients } from './resources.ts'

/** What stands for `aws.ec2` and `aws.autoscaling`, which only AWS may use. */
export const simulatedSources = ['sim.ec2', 'sim.autoscaling'] as const

const events = new EventBridgeClient(emulatorClients())

async function put(source: string, type: string, detail: Readonly<Record<string, unknown>>): Promise<void> {
  const entry = { Source: source, DetailType: type, Detail: JSON.stringify(detail), Resources: [] }
  const { FailedEntryCount, Entries } = await events.send(new PutEventsCommand({ Entries: [entry] }))
  if (FailedEntryCount !== 0) throw new Error(`the default bus refused ${type}: ${JSON.stringify(Entries)}`)
}

/** EC2 tells of an instance's new state. */
export function putState(instance: string, state: string): Promise<void> {
  return put('sim.ec2', 'EC2 Instance State-change Notification', { 'instance-id': instance, state })
}

/** A group waits for its lifecycle action to be completed. */
export function putLifecycleAction(way: 'launch' | 'terminate', instance: string, group: string): Promise<void> {
  return put('sim.autoscaling', `EC2 Instance-${way} Lifecycle Action`, {
    LifecycleActionToken: `token-${way}-${instance}`,
    AutoScalingGroupName: group,
    LifecycleHookName: `brine-${way}`,
    EC2InstanceId: instance,
    LifecycleTransition: `autoscaling:EC2_INSTANCE_${way === 'launch' ? 'LAUNCHING' : 'TERMINATING'}`,
    Origin: way === 'launch' ? 'EC2' : 'AutoScalingGroup',
    Destination: way === 'launch' ? 'AutoScalingGroup' : 'EC2',
  })
}

/** A group tells that a launch or an end is done. */
export function putActivity(way: 'Launch' | 'Terminate', instance: string, group: string): Promise<void> {
  return put('sim.autoscaling', `EC2 Instance ${way} Successful`, {
    StatusCode: 'InProgress',
    Description: `${way}ing an EC2 instance: ${instance}`,
    AutoScalingGroupName: group,
    ActivityId: '87654321-4321-4321-4321-210987654321',
    Details: { 'Availability Zone': 'us-east-1a', 'Subnet ID': 'subnet-12345678' },
    RequestId: '12345678-1234-1234-1234-123456789012',
    StatusMessage: '',
    EC2InstanceId: instance,
    Cause: 'a test',
  })
}
