// The part of the log that is being delivered: what was handed out, what is ready, and how far all is done.
import type { PlacedEvent } from './event-tail.ts'

/** A delivery that came from the log in this process. */
export interface Pending {
  readonly placed: PlacedEvent
  /** Done, or kept elsewhere: a restart need not read it from the log again. */
  passed: boolean
  /** When it was handed out; microseconds since 1970. */
  since: number
}

/**
 * Deliveries in log order.
 *
 * INVARIANTS
 * - `doneTo` is a position such that everything wanted up to it has passed.
 * - each event is handed out once.
 */
export class DeliveryWindow {
  #items: Pending[] = []
  /** The oldest that has not passed. */
  #head = 0
  /** The next to hand out. */
  #ready = 0
  #scanned: number

  constructor(from: number) {
    this.#scanned = from
  }

  /** The position up to which the log was looked at. */
  get scanned(): number {
    return this.#scanned
  }

  /** The oldest event that has not passed. */
  get oldest(): PlacedEvent | undefined {
    return this.#items[this.#head]?.placed
  }

  get readyCount(): number {
    return this.#items.length - this.#ready
  }

  /** Everything wanted up to here has passed. */
  get doneTo(): number {
    const oldest = this.#items[this.#head]
    return oldest === undefined ? this.#scanned : oldest.placed.position - 1
  }

  /** Takes note of events of the log, in order; those that nobody wants cost nothing more. */
  scan(events: readonly PlacedEvent[], wants: (tag: string) => boolean): void {
    for (const placed of events) {
      this.#scanned = placed.position
      if (wants(placed.event.tag)) this.#items.push({ placed, passed: false, since: 0 })
    }
  }

  take(limit: number, now: number): Pending[] {
    const taken = this.#items.slice(this.#ready, this.#ready + limit)
    for (const item of taken) item.since = now
    this.#ready += taken.length
    return taken
  }

  pass(item: Pending): void {
    item.passed = true
    while (this.#items[this.#head]?.passed === true) this.#head++
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#ready -= this.#head
      this.#head = 0
    }
  }

  /** Handed out before then and not passed: what holds `doneTo` back. */
  overdue(before: number, limit: number): Pending[] {
    const found: Pending[] = []
    for (let index = this.#head; index < this.#ready && found.length < limit; index++) {
      const item = this.#items[index]
      if (item !== undefined && !item.passed && item.since < before) found.push(item)
    }
    return found
  }
}
