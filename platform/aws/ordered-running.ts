// Running what was ordered: once, whatever Lambda delivers; orchestrations only begin here.
import { BrineError } from '../../core/error.ts'
import { derivedEventId } from '../../core/event/derived-id.ts'
import { decodeRecord, encodeRecord } from '../../core/value/record-text.ts'
import type { Fire } from '../../master/fire.ts'
import { interrupted } from '../../master/orchestrate/run-calls.ts'
import type { Clock, TokenStore } from '../../master/ports.ts'
import type { RunRequest, StartRun } from '../../master/run.ts'
import type { MachineDriver } from './orchestration/driver.ts'
import type { Ordered, RunOrder, RunResult } from './runs.ts'

/** Microseconds for which the jid of a run is remembered: Lambda tries an invocation again for 6 hours at most. */
const REMEMBERED = 7 * 3600 * 1_000_000

/** Milliseconds that somebody who waits for an orchestration is waited with: the gateway answers him before. */
const PATIENCE = 25_000

/** What running what was ordered takes. */
export interface OrderedRunning {
  readonly startRun: StartRun
  /** Whether a runner or wheel function may be run again. */
  readonly isIdempotent: (request: Pick<RunRequest, 'client' | 'fun'>) => boolean
  readonly tokens: TokenStore
  readonly clock: Pick<Clock, 'now'>
  readonly driver: Pick<MachineDriver, 'unlessHandedOver'>
  readonly fire: Fire
}

/**
 * Runs what was ordered, once: Lambda may deliver an invocation twice. Throws `run` for a repeat, whose outcome the first
 * one tells. What was ordered anew and may not run twice ends as interrupted, unless nobody ever began it.
 */
export async function runOrdered(running: OrderedRunning, order: RunOrder): Promise<RunResult> {
  const { startRun, isIdempotent, driver } = running
  const request = decodeRecord<Ordered>(order.request)
  const { jid, detached = false } = request
  const times = order.times ?? 1
  if (!(await isFirst(running, `run/${jid}`))) {
    if (times === 1 || (isIdempotent(request) && !(await isFirst(running, `run/${jid}/${times}`))))
      throw new BrineError(`The run ${jid} was begun before; it is not begun again.`, { code: 'run' })
    if (!isIdempotent(request)) return tellInterrupted(running, request)
  }
  const run = startRun(request)
  const outcome = await driver.unlessHandedOver(run.outcome, detached ? 0 : PATIENCE)
  await run.started
  return outcome === undefined ? {} : { outcome: encodeRecord(outcome) }
}

function isFirst({ tokens, clock }: OrderedRunning, name: string): Promise<boolean> {
  return tokens.useOnce(name, clock.now() + REMEMBERED)
}

/** The end of a run that was cut off, with the id that its own end would have. */
async function tellInterrupted({ fire }: OrderedRunning, request: Ordered): Promise<RunResult> {
  const { client, fun, jid, user, arg, kwarg, cause } = request
  await fire({
    tag: `salt/${client === 'runner' ? 'run' : 'wheel'}/${jid}/ret`,
    data: {
      fun: `${client}.${fun}`,
      jid,
      user,
      fun_args: Object.keys(kwarg).length === 0 ? [...arg] : [...arg, kwarg],
      return: interrupted({ client, fun }),
      success: false,
    },
    id: derivedEventId(jid, 'ret'),
    cause: cause === undefined ? undefined : { ...cause, jid },
  })
  return {}
}
