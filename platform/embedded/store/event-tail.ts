// The newest events in memory, so that whoever keeps up never reads the disk.
import type { LoggedEvent } from '../../../master/ports.ts'

/** An event with its place in this log. */
export interface PlacedEvent extends LoggedEvent {
  readonly position: number
  /** Characters of its record: what the tail is bounded by. */
  readonly size: number
}

/** At most this many events, and characters of their records. */
export interface TailBounds {
  readonly events: number
  readonly characters: number
}

/** 20,000 events, or 32 million characters. */
const defaultTailBounds: TailBounds = { events: 20_000, characters: 32_000_000 }

/**
 * The end of the log.
 *
 * INVARIANT: it holds every event of the log after `from`, in order; positions may have gaps.
 */
export class EventTail {
  readonly #bounds: TailBounds
  #events: PlacedEvent[] = []
  #head = 0
  #size = 0
  #from: number

  constructor(from: number, bounds: TailBounds = defaultTailBounds) {
    this.#from = from
    this.#bounds = bounds
  }

  push(event: PlacedEvent): void {
    this.#events.push(event)
    this.#size += event.size
    while (this.#events.length - this.#head > this.#bounds.events || this.#size > this.#bounds.characters) this.#drop()
    if (this.#head > 1024 && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head)
      this.#head = 0
    }
  }

  /** Up to `limit` events after a position, or undefined where the tail begins later than that. */
  after(position: number, limit: number): PlacedEvent[] | undefined {
    if (position < this.#from) return undefined
    const first = this.#firstAfter(position)
    return this.#events.slice(first, first + limit)
  }

  #drop(): void {
    const oldest = this.#events[this.#head]
    if (oldest === undefined) return
    this.#head++
    this.#size -= oldest.size
    this.#from = oldest.position
  }

  #firstAfter(position: number): number {
    let low = this.#head
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#events[middle]?.position ?? 0) > position) high = middle
      else low = middle + 1
    }
    return low
  }
}
