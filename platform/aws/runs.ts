// Runs of runner and wheel functions: asked for at the gateway, run in a function of their own that may take its time.
import { BrineError } from '../../core/error.ts'
import { decodeRecord, encodeRecord } from '../../core/value/record-text.ts'
import type { Clock } from '../../master/ports.ts'
import type { RunOutcome, StartRun } from '../../master/run.ts'
import type { RunUnderJid } from '../../master/run-events.ts'
import { lambdaCalls } from './lambda-calls.ts'

/** What the run function is invoked with; the request is a record's text, which loses nothing. */
export interface RunOrder {
  readonly request: string
  /** How often it was ordered: more than once where whoever took it before cannot be at it any more. @default 1 */
  readonly times?: number
}

/** What it answers; no outcome where an orchestration goes on by itself. */
export interface RunResult {
  readonly outcome?: string
}

/** Has the run function run something; resolves when Lambda has taken it. Repeated with the same `times` it runs once. */
export type OrderRun = (request: RunUnderJid, times: number) => Promise<void>

/** An {@link OrderRun} of the function with this name. */
export function orderRuns(functionName: string): OrderRun {
  const invoke = laterInvoke(functionName)
  return async (request, times) => {
    await invoke('Event', { request: encodeRecord({ ...request, detached: true } satisfies RunUnderJid), times })
  }
}

/**
 * A {@link StartRun} that has another function run. A run goes on there whatever becomes of who asked. A detached one is
 * started when Lambda has taken it; its outcome is told by its events alone.
 */
export function remoteRuns(functionName: string, clock: Pick<Clock, 'jid'>): StartRun {
  const invoke = laterInvoke(functionName)
  return (request) => {
    const ordered: RunUnderJid = { ...request, jid: request.jid ?? clock.jid() }
    const order: RunOrder = { request: encodeRecord(ordered) }
    const answer = invoke(request.detached === true ? 'Event' : 'RequestResponse', order)
    const outcome =
      request.detached === true
        ? answer.then(() => new Promise<RunOutcome>(() => undefined))
        : answer.then((text) => {
            const told = (JSON.parse(text) as RunResult).outcome
            return told === undefined ? new Promise<RunOutcome>(() => undefined) : decodeRecord<RunOutcome>(told)
          })
    const started = answer.then(() => undefined)
    // Whoever waits for one of them does not wait for the other.
    for (const promise of [started, outcome]) promise.catch(() => undefined)
    return { jid: ordered.jid, started, outcome }
  }
}

type Invoke = (kind: 'Event' | 'RequestResponse', order: RunOrder) => Promise<string>

function laterInvoke(name: string): Invoke {
  const call = lambdaCalls()
  return async (kind, order) => {
    const { payload, error } = await call({ name, payload: JSON.stringify(order), detached: kind === 'Event' })
    if (error === undefined) return payload
    throw new BrineError(`The function that runs runners failed (${error}): ${payload.slice(0, 500)}`, { code: 'run' })
  }
}
