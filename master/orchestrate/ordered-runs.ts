// The runner and wheel functions of a step, where no process outlives a turn: ordered of others, their ends taken from the log.
import type { Jid } from '../../core/event/event.ts'
import type { Clock, EventLog, OrchestrationStore } from '../ports.ts'
import type { RunRequest } from '../run.ts'
import type { RunPart } from './record.ts'
import { interrupted, type RunKeeper, type RunPlace, type RunStart, type RunsCall, toldEnd } from './run-calls.ts'

/** What ordering takes. */
export interface OrderedRunNeeds {
  /**
   * Has another process run it; resolves when that is sure. An order that is repeated with the same `times` runs once. With
   * more of them, what ran before was cut off: it runs again if it may, and is told to be interrupted otherwise.
   */
  readonly order: (request: RunRequest & { readonly jid: Jid }, times: number) => Promise<void>
  /** Seconds after which whoever took an order cannot be at it any more. */
  readonly longest: number
  readonly log: Pick<EventLog, 'find'>
  readonly orchestrations: Pick<OrchestrationStore, 'get'>
  readonly clock: Pick<Clock, 'now'>
}

/** Orders of one run at most: it is interrupted when the last of them came to nothing. */
const mostOrders = 3

/**
 * Orders runs, and orders again what was cut off.
 *
 * INVARIANT: what was ordered is known by its record; between an order and the note of it, the order is repeated.
 */
export class OrderedRuns implements RunKeeper {
  readonly #needs: OrderedRunNeeds

  constructor(needs: OrderedRunNeeds) {
    this.#needs = needs
  }

  prepared(): void {
    // The record is enough: the turn that finds it there orders them.
  }

  stored(): void {
    // See prepared.
  }

  async poll(call: RunsCall, { place, tell }: RunStart): Promise<RunsCall> {
    if (call.parts.every(({ ordered }) => ordered === undefined)) await tell()
    const parts = await Promise.all(call.parts.map((part) => (part.end === undefined ? this.#look(part, place) : part)))
    return { ...call, parts }
  }

  async #look(part: RunPart, place: RunPlace): Promise<RunPart> {
    const { ordered, jid, item } = part
    if (ordered === undefined) return this.#ordered(part, place, 1)
    const end = await toldEnd(jid, this.#needs.log)
    if (end !== undefined) return { ...part, end }
    if (this.#needs.clock.now() < ordered.at + this.#needs.longest * 1_000_000) return part
    // An orchestration goes on by itself, and may take longer than any process.
    if ((await this.#needs.orchestrations.get(jid)) !== undefined) return part
    if (ordered.times < mostOrders) return this.#ordered(part, place, ordered.times + 1)
    return { ...part, end: { returned: interrupted(item), success: false } }
  }

  async #ordered(part: RunPart, { user, cause, boundTo }: RunPlace, times: number): Promise<RunPart> {
    const { jid, item } = part
    const { client, fun, arg, kwarg } = item
    await this.#needs.order(
      { ...{ client, fun, arg, kwarg, user, jid, boundTo }, ...(cause === undefined ? {} : { cause }) },
      times,
    )
    return { ...part, ordered: { at: this.#needs.clock.now(), times } }
  }
}
