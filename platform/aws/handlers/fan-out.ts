// The fan-out function's work: some hundreds of the minions a job is for, their mailboxes and their doorbells.
import { type Environment, openDeployment } from '../deploy/environment.ts'
import type { QueueRecord } from './queue-record.ts'

/** Takes shares of jobs. */
export interface FanOutFunction {
  /** Safe to repeat: an entry is there once, and a bell says nothing. */
  take(record: QueueRecord): Promise<void>
}

/** Opens it. */
export function openFanOut(environment: Environment): FanOutFunction {
  const { store } = openDeployment(environment)
  return { take: ({ body }) => store.fanOut.take(body) }
}
