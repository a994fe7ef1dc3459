// The event log function's work: what the bus carried is appended, and who watches is told.
import { BrineError, messageOf } from '../../../core/error.ts'
import { type Received, receivedFrom } from '../bus/envelope.ts'
import { type Environment, openDeployment, variableIn } from '../deploy/environment.ts'
import { openExecutions } from '../orchestration/executions.ts'
import { wakeConcerned } from '../orchestration/wake.ts'
import { DynamoHolds } from '../store/orchestration-holds.ts'
import { inParallel } from '../store/parallel.ts'
import { DynamoWatchers } from '../store/watchers.ts'
import type { Telemetry } from '../telemetry.ts'
import { insist } from './insist.ts'
import type { QueueRecord } from './queue-record.ts'

/** Appends batches. */
export interface EventLogFunction {
  /**
   * Appends what a batch carries, in the order in which it was put on the bus; answers the messages that have to come
   * again. A busy table is tried again while the invocation has time.
   */
  take(records: readonly QueueRecord[], timeLeft: () => number): Promise<ReadonlySet<string>>
}

type Read = { readonly record: QueueRecord } & (
  | { readonly kind: 'event'; readonly received: Received }
  | { readonly kind: 'none' }
  | { readonly kind: 'again' }
)

/** Opens it. A message that is no event of ours is dropped; one that cannot be read comes again until it is a dead letter. */
export function openEventLog(environment: Environment, telemetry: Telemetry): EventLogFunction {
  const { store } = openDeployment(environment)
  const watchers = new DynamoWatchers(store.dynamo, store.clock, store.sockets.post)
  const holds = new DynamoHolds(store.dynamo, store.clock)
  const executions = openExecutions(variableIn(environment, 'stateMachine'))

  const read = async (record: QueueRecord): Promise<Read> => {
    try {
      const received = await receivedFrom(record.body, store.payloads)
      return received === undefined ? { record, kind: 'none' } : { record, kind: 'event', received }
    } catch (error) {
      telemetry.error(`a message of the log's queue cannot be read (${record.messageId}): ${messageOf(error)}`)
      return { record, kind: 'again' }
    }
  }

  return {
    async take(records, timeLeft) {
      const all = await inParallel(records, read)
      const events = all.flatMap((one) => (one.kind === 'event' ? [one.received] : []))
      events.sort((a, b) => a.at - b.at || a.nth - b.nth)
      const again = new Set(all.flatMap((one) => (one.kind === 'again' ? [one.record.messageId] : [])))
      try {
        await insist(() => store.log.append(events.map(({ event }) => event)), timeLeft)
      } catch (error) {
        if (!(error instanceof BrineError)) throw error
        telemetry.warn(`${events.length} events are appended later: ${error.message}`)
        return new Set(all.flatMap((one) => (one.kind === 'none' ? [] : [one.record.messageId])))
      }
      telemetry.count('EventsLogged', events.length)
      telemetry.count('JobsReturned', events.filter(({ event }) => /^salt\/job\/[^/]+\/ret\//.test(event.tag)).length)
      if (events.length === 0) return again
      const tags = events.map(({ event }) => event.tag)
      await Promise.all([
        told('the watchers', telemetry, () => watchers.ring()),
        told('orchestrations', telemetry, () => insist(() => wakeConcerned(tags, holds, executions), timeLeft)),
      ])
      return again
    },
  }
}

/** A bell that is not heard costs a watcher or an orchestration its next look, and the log nothing. */
async function told(whom: string, telemetry: Telemetry, tell: () => Promise<void>): Promise<void> {
  try {
    await tell()
  } catch (error) {
    telemetry.warn(`${whom} were not told: ${messageOf(error)}`)
  }
}
