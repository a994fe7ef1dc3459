// A bus with the rules of another, and a queue that keeps what they let through, for a test to count.
import {
  CreateEventBusCommand,
  DeleteEventBusCommand,
  DeleteRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import { CreateQueueCommand, DeleteQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { Event } from '../../master/ports.ts'
import { EventBridgeBus } from '../../platform/aws/bus/event-bus.ts'
import { bucketObjects } from '../../platform/aws/store/objects.ts'
import { Payloads } from '../../platform/aws/store/payloads.ts'
import { emulatorClients } from './resources.ts'
import type { BusRule } from './rules.ts'

/** The bus and its queue. */
export interface ProbeBus {
  readonly queueUrl: string
  /** Puts events on it as a master does. */
  send(events: readonly Event[]): Promise<void>
  remove(): Promise<void>
}

const events = new EventBridgeClient(emulatorClients())
const queues = new SQSClient(emulatorClients())

/** Makes it under a name that nobody else has. */
export async function probeBus(name: string, rules: readonly BusRule[]): Promise<ProbeBus> {
  await events.send(new CreateEventBusCommand({ Name: name }))
  const { QueueUrl = '' } = await queues.send(new CreateQueueCommand({ QueueName: name }))
  const { Attributes } = await queues.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }))
  const target = { Id: 'probe', Arn: Attributes?.QueueArn ?? '' }
  const names = rules.map((_, index) => `${name}-${index}`)
  for (const [index, Name] of names.entries()) {
    const pattern = rules[index]?.pattern ?? '{}'
    await events.send(new PutRuleCommand({ Name, EventBusName: name, EventPattern: pattern }))
    await events.send(new PutTargetsCommand({ Rule: Name, EventBusName: name, Targets: [target] }))
  }
  const payloads = new Payloads(bucketObjects('none', emulatorClients()))
  const bus = new EventBridgeBus(events, name, payloads, { now: () => Date.now() * 1000 })
  return {
    queueUrl: QueueUrl,
    send: (sent) => bus.publish(sent),
    async remove() {
      for (const Rule of names) {
        await events.send(new RemoveTargetsCommand({ Rule, EventBusName: name, Ids: ['probe'] }))
        await events.send(new DeleteRuleCommand({ Name: Rule, EventBusName: name }))
      }
      await events.send(new DeleteEventBusCommand({ Name: name }))
      await queues.send(new DeleteQueueCommand({ QueueUrl }))
    },
  }
}
