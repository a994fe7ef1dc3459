// The runner and wheel functions of a step, where no process outlives a turn: ordered of others, their ends taken from the log.
import { derivedEventId } from '../../core/event/derived-id.ts'
import type { Jid } from '../../core/event/event.ts'
import { get, pythonStr } from '../../core/value/index.ts'
import type { Clock, EventLog, OrchestrationStore } from '../ports.ts'
import { interrupted, type RunUnderJid } from '../run-events.ts'
import type { RunPart } from './record.ts'
import { type RunKeeper, type RunPlace, type RunStart, type RunsCall, toldEnd } from './run-calls.ts'

/** What ordering takes. */
export interface OrderedRunNeeds {
  /**
   * Has another process run it; resolves when that is sure. An order that is repeated with the same `times` runs once. With
   * more of them, what ran before was cut off: it runs again if it may, and is told to be interrupted otherwise.
   */
  readonly order: (request: RunUnderJid, times: number) => Promise<void>
  /** Seconds that a run takes at most, once it has begun. */
  readonly longest: number
  /** Seconds that an order may wait before it is begun. */
  readonly longestQueued: number
  readonly log: Pick<EventLog, 'find'>
  readonly orchestrations: Pick<OrchestrationStore, 'get'>
  readonly clock: Pick<Clock, 'now'>
}

/** Orders of one run at most: it is interrupted when the last of them came to nothing. */
const mostOrders = 3
const second = 1_000_000

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
    if (this.#needs.clock.now() < (await this.#lastMoment(jid, ordered.at))) return part
    // An orchestration goes on by itself, and may take longer than any process.
    if ((await this.#needs.orchestrations.get(jid)) !== undefined) return part
    if (ordered.times < mostOrders) return this.#ordered(part, place, ordered.times + 1)
    return { ...part, end: { returned: interrupted(item), success: false } }
  }

  /** When it cannot be under way any more: microseconds since 1970. */
  async #lastMoment(jid: Jid, orderedAt: number): Promise<number> {
    const { log, longest, longestQueued } = this.#needs
    const begun = await log.find(derivedEventId(jid, 'new'))
    if (begun === undefined) return orderedAt + (longestQueued + longest) * second
    const beganAt = Date.parse(`${pythonStr(get(begun.event.data, '_stamp') ?? '')}Z`) * 1000
    return Math.max(Number.isNaN(beganAt) ? 0 : beganAt, orderedAt) + longest * second
  }

  async #ordered(part: RunPart, { user, cause, boundTo }: RunPlace, times: number): Promise<RunPart> {
    const { jid, item } = part
    const { client, fun, arg, kwarg } = item
    const request = { client, fun, arg, kwarg, user, jid, boundTo, isStep: true }
    await this.#needs.order({ ...request, ...(cause === undefined ? {} : { cause }) }, times)
    return { ...part, ordered: { at: this.#needs.clock.now(), times } }
  }
}
