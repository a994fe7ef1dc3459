// The runner and wheel functions of a step: under jids that were written down before, and told apart after a crash.
import { derivedEventId } from '../../core/event/derived-id.ts'
import type { Cause, Jid } from '../../core/event/event.ts'
import { get, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Clock, EventLog, OrchestrationStore } from '../ports.ts'
import type { StartRun } from '../run.ts'
import { interrupted, type RunTables } from '../run-events.ts'
import type { RunPart, StepCall } from './record.ts'
import type { RunEnd, RunItem } from './step.ts'

/** What running them in this process takes. */
export interface RunCallNeeds {
  readonly startRun: StartRun
  readonly tables: RunTables
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

/** The runs that a step waits for. */
export type RunsCall = Extract<StepCall, { readonly kind: 'runs' }>

/** What starting the runs of a step takes. */
export interface RunStart {
  readonly place: RunPlace
  /** Tells what is about to be run. */
  readonly tell: () => Promise<void>
}

/** Has runs run, each as often as its function allows, whatever becomes of processes. */
export interface RunKeeper {
  /** These will be stored under a name of their step; nothing of them runs before. */
  prepared(name: string, parts: readonly RunPart[], start: RunStart): void
  /** What was prepared under the name is stored. */
  stored(name: string): void
  /** The call with what has ended since; a part that did not change is the same. */
  poll(call: RunsCall, start: RunStart): Promise<RunsCall>
}

/** How a run ended, as its `/ret` event tells it; undefined where the log has none. */
export async function toldEnd(jid: Jid, log: Pick<EventLog, 'find'>): Promise<RunPart['end']> {
  const told = await log.find(derivedEventId(jid, 'ret'))
  if (told === undefined) return undefined
  const { data } = told.event
  return { returned: get(data, 'return') ?? null, success: pythonTruth(get(data, 'success') ?? false) }
}

/** Writes down which runs there will be; starts nothing. */
export function prepareRuns(items: readonly RunItem[], clock: Clock): RunPart[] {
  return items.map((item) => ({ jid: clock.jid(), item }))
}

/**
 * Keeps the runs of this process. A run found in a record that this process did not start was cut off with the one that
 * did: it is ended by its `/ret` event where that was written, goes on where it is an orchestration, runs again where it
 * is idempotent, and is `interrupted` otherwise.
 */
export class RunDesk implements RunKeeper {
  readonly #needs: RunCallNeeds
  readonly #mine = new Map<Jid, { end?: { returned: Value; success: boolean } }>()
  /** Runs that were prepared in this process and are not yet stored. */
  readonly #prepared = new Map<string, () => void>()

  constructor(needs: RunCallNeeds) {
    this.#needs = needs
  }

  prepared(name: string, parts: readonly RunPart[], { place, tell }: RunStart): void {
    const begin = (): void => {
      for (const part of parts) this.#begin(part, place)
    }
    this.#prepared.set(name, () => {
      // What is to be run is told first; a bus that does not take it holds up nothing.
      tell().then(begin, begin)
      // Until they are started they count as running.
      for (const { jid } of parts) this.#mine.set(jid, {})
    })
  }

  stored(name: string): void {
    this.#prepared.get(name)?.()
    this.#prepared.delete(name)
  }

  async poll(call: RunsCall, { place }: RunStart): Promise<RunsCall> {
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
      isStep: true,
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
    const end = await toldEnd(part.jid, this.#needs.log)
    if (end !== undefined) return { ...part, end }
    const child = await this.#needs.orchestrations.get(part.jid)
    if (child !== undefined) return part
    if (this.#needs.tables[part.item.client]().get(part.item.fun)?.idempotent === true) {
      this.#begin(part, place)
      return part
    }
    return { ...part, end: { returned: interrupted(part.item), success: false } }
  }
}

/** How the runs of a call ended, once all have. */
export function runEnds({ parts }: RunsCall): RunEnd[] | undefined {
  const ends = parts.flatMap(({ jid, item, end }) => (end === undefined ? [] : [{ name: item.name, jid, ...end }]))
  return ends.length === parts.length ? ends : undefined
}
