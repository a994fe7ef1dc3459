// The runner and wheel functions of a step: under jids that were written down before, and told apart after a crash.
import { derivedEventId } from '../../core/event/derived-id.ts'
import type { Cause, Jid } from '../../core/event/event.ts'
import { get, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Clock, EventLog, OrchestrationStore } from '../ports.ts'
import type { FunctionTable, StartRun } from '../run.ts'
import type { RunPart, StepCall } from './record.ts'
import type { RunEnd, RunItem } from './step.ts'

/** What runs of steps need. */
export interface RunCallNeeds {
  readonly startRun: StartRun
  readonly tables: { readonly runner: () => FunctionTable; readonly wheel: () => FunctionTable }
  readonly log: EventLog
  readonly orchestrations: OrchestrationStore
  readonly clock: Clock
}

/** Whose run it is. */
export interface RunPlace {
  readonly user: string
  readonly cause?: Cause | undefined
  readonly boundTo?: string | undefined
  /** Told when a run that this process started has ended. */
  readonly ended: () => void
}

type RunsCall = Extract<StepCall, { readonly kind: 'runs' }>

/** Writes down which runs there will be; starts nothing. */
export function prepareRuns(items: readonly RunItem[], clock: Clock): RunPart[] {
  return items.map((item) => ({ jid: clock.jid(), item }))
}

/**
 * Keeps the runs of this process. A run found in a record that this process did not start was cut off with the one that
 * did: it is ended by its `/ret` event where that was written, goes on where it is an orchestration, runs again where it
 * is idempotent, and is `interrupted` otherwise.
 */
export class RunDesk {
  readonly #needs: RunCallNeeds
  readonly #mine = new Map<Jid, { end?: { returned: Value; success: boolean } }>()

  constructor(needs: RunCallNeeds) {
    this.#needs = needs
  }

  /** These are about to be started here: until then they count as running. */
  expect(parts: readonly RunPart[]): void {
    for (const { jid } of parts) this.#mine.set(jid, {})
  }

  /** Starts runs that were just written down. */
  start(parts: readonly RunPart[], place: RunPlace): void {
    for (const part of parts) this.#begin(part, place)
  }

  /** The call with what has ended since. */
  async poll(call: RunsCall, place: RunPlace): Promise<RunsCall> {
    const parts = await Promise.all(call.parts.map((part) => (part.end === undefined ? this.#look(part, place) : part)))
    return { ...call, parts }
  }

  #begin(part: RunPart, place: RunPlace): void {
    const { client, fun, arg, kwarg } = part.item
    const { user, cause, boundTo } = place
    const mine: { end?: { returned: Value; success: boolean } } = {}
    this.#mine.set(part.jid, mine)
    const run = this.#needs.startRun({
      client,
      fun,
      arg,
      kwarg,
      user,
      jid: part.jid,
      ...(cause === undefined ? {} : { cause }),
      boundTo,
    })
    const settle = (returned: Value, success: boolean): void => {
      mine.end = { returned, success }
      place.ended()
    }
    run.outcome.then(
      (outcome) => settle(outcome.return, outcome.success),
      (error: unknown) => settle(error instanceof Error ? error.message : String(error), false),
    )
  }

  async #look(part: RunPart, place: RunPlace): Promise<RunPart> {
    const mine = this.#mine.get(part.jid)
    if (mine?.end !== undefined) {
      this.#mine.delete(part.jid)
      return { ...part, end: mine.end }
    }
    if (mine !== undefined) return part
    const told = await this.#needs.log.find(derivedEventId(part.jid, 'ret'))
    if (told !== undefined) {
      const { data } = told.event
      return {
        ...part,
        end: { returned: get(data, 'return') ?? null, success: pythonTruth(get(data, 'success') ?? false) },
      }
    }
    const child = await this.#needs.orchestrations.get(part.jid)
    if (child !== undefined) return part
    if (this.#needs.tables[part.item.client]().get(part.item.fun)?.idempotent === true) {
      this.#begin(part, place)
      return part
    }
    const returned = `${part.item.client}.${part.item.fun} was interrupted: the master ended while it ran, and it must not run twice`
    return { ...part, end: { returned, success: false } }
  }
}

/** How the runs of a call ended, once all have. */
export function runEnds({ parts }: RunsCall): RunEnd[] | undefined {
  const ends = parts.flatMap(({ jid, item, end }) => (end === undefined ? [] : [{ name: item.name, jid, ...end }]))
  return ends.length === parts.length ? ends : undefined
}
