// The fan-out function's work: some hundreds of the minions a job is for, their mailboxes and their doorbells.
import { type Environment, openDeployment } from '../deploy/environment.ts'
import { insist } from './insist.ts'
import type { QueueRecord } from './queue-record.ts'

/** Takes shares of jobs. */
export interface FanOutFunction {
  /** Safe to repeat: an entry is there once, and a bell says nothing. A busy table is tried again while there is time. */
  take(record: QueueRecord, timeLeft: () => number): Promise<void>
}

/** Opens it. */
export function openFanOut(environment: Environment): FanOutFunction {
  const { store } = openDeployment(environment)
  return { take: ({ body }, timeLeft) => insist(() => store.fanOut.take(body), timeLeft) }
}
