// Running what was ordered: once, whatever Lambda delivers; orchestrations only begin here.
import { BrineError } from '../../core/error.ts'
import { decodeRecord, encodeRecord } from '../../core/value/record-text.ts'
import type { Clock, TokenStore } from '../../master/ports.ts'
import type { RunRequest, StartRun } from '../../master/run.ts'
import type { RunUnderJid, TellInterrupted } from '../../master/run-events.ts'
import type { MachineDriver } from './orchestration/driver.ts'
import type { RunOrder, RunResult } from './runs.ts'

/** Microseconds for which the jid of a run is remembered: Lambda tries an invocation again for 6 hours at most. */
const REMEMBERED = 7 * 3600 * 1_000_000

/** Milliseconds that somebody who waits for an orchestration is waited with: the gateway answers him before. */
const PATIENCE = 25_000

/** What running what was ordered takes. */
export interface OrderedRunning {
  readonly startRun: StartRun
  readonly tellInterrupted: TellInterrupted
  /** Whether a runner or wheel function may be run again. */
  readonly isIdempotent: (request: Pick<RunRequest, 'client' | 'fun'>) => boolean
  readonly tokens: TokenStore
  readonly clock: Pick<Clock, 'now'>
  readonly driver: Pick<MachineDriver, 'unlessHandedOver'>
}

/**
 * Runs what was ordered, once: Lambda may deliver an invocation twice. Throws `run` for a repeat, whose outcome the first
 * one tells. What was ordered anew and may not run twice ends as interrupted, unless nobody ever began it.
 */
export async function runOrdered(running: OrderedRunning, order: RunOrder): Promise<RunResult> {
  const { startRun, tellInterrupted, isIdempotent, driver } = running
  const request = decodeRecord<RunUnderJid>(order.request)
  const { jid, detached = false } = request
  const times = order.times ?? 1
  if (!(await isFirst(running, `run/${jid}`))) {
    if (times === 1 || (isIdempotent(request) && !(await isFirst(running, `run/${jid}/${times}`))))
      throw new BrineError(`The run ${jid} was begun before; it is not begun again.`, { code: 'run' })
    if (!isIdempotent(request)) {
      await tellInterrupted(request)
      return {}
    }
  }
  const run = startRun(request)
  const outcome = await driver.unlessHandedOver(run.outcome, detached ? 0 : PATIENCE)
  await run.started
  return outcome === undefined ? {} : { outcome: encodeRecord(outcome) }
}

function isFirst({ tokens, clock }: OrderedRunning, name: string): Promise<boolean> {
  return tokens.useOnce(name, clock.now() + REMEMBERED)
}
