// Deliveries kept beside the log: put off, dead, or in work for long.

import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { Event, EventId } from '../../../master/ports.ts'
import type { OpenStore } from './open-store.ts'
import type { Table } from './table.ts'

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
 * - `put`, `bury` and `remove` are called inside a transaction; the count follows commits.
 */
export class ParkedDeliveries {
  readonly #rows: Table
  readonly #due: Table
  readonly #dead: Table

  constructor(store: OpenStore) {
    this.#rows = store.table('deliveries')
    this.#due = store.table('deliveries_due')
    this.#dead = store.table('deliveries_dead')
  }

  put(parked: Parked): void {
    const { id } = parked.event
    this.remove(id)
    this.#rows.put(id, encodeRecord(parked))
    this.#due.put([parked.at, id], '')
  }

  remove(id: EventId): void {
    const known = this.get(id)
    if (known === undefined) return
    this.#rows.remove(id)
    this.#due.remove([known.at, id])
  }

  bury(dead: Dead): void {
    this.remove(dead.event.id)
    this.#dead.put(dead.event.id, encodeRecord(dead))
  }

  unbury(id: EventId): Dead | undefined {
    const text = this.#dead.get(id)
    if (text === undefined) return undefined
    this.#dead.remove(id)
    return decodeRecord<Dead>(text)
  }

  get(id: EventId): Parked | undefined {
    const text = this.#rows.get(id)
    return text === undefined ? undefined : decodeRecord<Parked>(text)
  }

  dead(): Dead[] {
    return [...this.#dead.entries()].map(({ text }) => decodeRecord<Dead>(text))
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
