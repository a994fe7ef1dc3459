// Deliveries kept beside the log: put off, dead, or in work for long.
import type { Event, EventId } from '../../../master/ports.ts'
import { Claims } from './claims.ts'
import type { OpenStore } from './open-store.ts'
import type { Table } from './table.ts'

/** Where most of a large event stands. */
const PLACES = ['event.data.return', 'event.data']

/** A delivery that waits beside the log. */
export interface Parked {
  readonly event: Event
  /** Tries so far. */
  readonly attempt: number
  /** Not before then; microseconds since 1970. */
  readonly at: number
}

/** A delivery that will never work. */
export interface Dead {
  readonly event: Event
  readonly reason: string
  readonly at: number
}

/**
 * Tables: `deliveries` event id → {event, attempt, at}; `deliveries_due` [at, id] → nothing; `deliveries_dead` event id →
 * {event, reason, at}.
 *
 * INVARIANTS
 * - each row of `deliveries` has exactly one in `deliveries_due`, and no dead one.
 * - what is large of an event is kept apart ({@link Claims}), and goes with its row.
 * - `put`, `bury` and `remove` are called inside a transaction; the count follows commits.
 */
export class ParkedDeliveries {
  readonly #rows: Table
  readonly #due: Table
  readonly #dead: Table
  readonly #claims: Claims

  constructor(store: OpenStore) {
    this.#rows = store.table('deliveries')
    this.#due = store.table('deliveries_due')
    this.#dead = store.table('deliveries_dead')
    this.#claims = new Claims(store)
  }

  put(parked: Parked): void {
    const { id } = parked.event
    this.remove(id)
    const packed = this.#claims.pack(parked, PLACES)
    this.#rows.put(id, packed.text)
    this.#claims.hold(packed, `deliveries/${id}`)
    this.#due.put([parked.at, id], '')
  }

  remove(id: EventId): void {
    const text = this.#rows.get(id)
    if (text === undefined) return
    this.#rows.remove(id)
    this.#due.remove([this.#claims.unpackRest<Parked>(text).at, id])
    this.#claims.release(text, `deliveries/${id}`)
  }

  bury(dead: Dead): void {
    this.remove(dead.event.id)
    const packed = this.#claims.pack(dead, PLACES)
    this.#dead.put(dead.event.id, packed.text)
    this.#claims.hold(packed, `deliveries_dead/${dead.event.id}`)
  }

  unbury(id: EventId): Dead | undefined {
    const text = this.#dead.get(id)
    if (text === undefined) return undefined
    const dead = this.#claims.unpack<Dead>(text)
    this.#dead.remove(id)
    this.#claims.release(text, `deliveries_dead/${id}`)
    return dead
  }

  get(id: EventId): Parked | undefined {
    const text = this.#rows.get(id)
    return text === undefined ? undefined : this.#claims.unpack<Parked>(text)
  }

  dead(): Dead[] {
    return [...this.#dead.entries()].map(({ text }) => this.#claims.unpack<Dead>(text))
  }

  deadCount(): number {
    return this.#dead.count()
  }

  count(): number {
    return this.#rows.count()
  }

  /** Ids in order of their time, after a key of this order. */
  dueAfter(key: readonly [number, EventId], limit: number): [number, EventId][] {
    const found: [number, EventId][] = []
    for (const each of this.#due.keys({ start: [...key], after: true, limit })) {
      if (Array.isArray(each)) found.push([Number(each[0]), String(each[1])])
    }
    return found
  }
}
