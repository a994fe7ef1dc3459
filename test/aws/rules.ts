// The rules of a deployed bus: what they put where, and further targets that a test gives them.
import {
  EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import { emulatorClients } from './resources.ts'

/** A rule and the queue it feeds. */
export interface BusRule {
  readonly name: string
  /** The ARN of the queue. */
  readonly queue: string
  /** JSON. */
  readonly pattern: string
}

const events = new EventBridgeClient(emulatorClients())

/** The rules of a bus that feed a queue. */
export async function rulesOf(EventBusName: string): Promise<BusRule[]> {
  const { Rules = [] } = await events.send(new ListRulesCommand({ EventBusName }))
  const rules: BusRule[] = []
  for (const { Name: name = '', EventPattern: pattern = '' } of Rules) {
    const { Targets = [] } = await events.send(new ListTargetsByRuleCommand({ EventBusName, Rule: name }))
    const queue = Targets.find(({ Arn = '' }) => Arn.includes(':sqs:'))?.Arn
    if (queue !== undefined) rules.push({ name, queue, pattern })
  }
  return rules
}

/** Gives rules a further target: a queue, or for each its own queue a second time. Answers how to take it away again. */
export async function addTargets(
  EventBusName: string,
  rules: readonly BusRule[],
  target: (rule: BusRule) => string,
): Promise<() => Promise<void>> {
  const Id = 'test'
  for (const rule of rules)
    await events.send(new PutTargetsCommand({ EventBusName, Rule: rule.name, Targets: [{ Id, Arn: target(rule) }] }))
  return async () => {
    for (const { name } of rules) await events.send(new RemoveTargetsCommand({ EventBusName, Rule: name, Ids: [Id] }))
  }
}
