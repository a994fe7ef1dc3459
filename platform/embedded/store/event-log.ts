// The event log: every event in one order, repeated ids dropped, read from cursors, followed at commit.
import { BrineError } from '../../../core/error.ts'
import type { Cursor, Event, EventBus, EventId, EventLog, LoggedEvent } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { Claims, type Packed } from './claims.ts'
import { EventTail, type PlacedEvent, type TailBounds } from './event-tail.ts'
import type { OpenStore } from './open-store.ts'
import { secondsBefore, sweepStep } from './retention.ts'
import type { Table } from './table.ts'

/** How long events are kept: what exceeds either goes. */
export interface EventRetention {
  readonly seconds: number
  readonly events: number
}

const TIME_DIGITS = 16

/**
 * Tables: `log` position → time of append (16 digits) and record; `log_ids` event id → position; `log_state` `trimmed`.
 *
 * INVARIANTS
 * - positions rise with every append and are never used twice; a failed append may leave a gap.
 * - an event id is in `log_ids` exactly as long as its event is in `log`.
 * - `trimmed` is the highest position that retention removed: who reads from before it is told.
 * - what is large of an event is kept apart ({@link Claims}), and goes with it.
 * - nothing that `keepAfter` still needs is removed, however old.
 */
export class EmbeddedEventLog implements EventBus, EventLog {
  readonly #store: OpenStore
  readonly #clock: Pick<Clock, 'now'>
  readonly #retention: EventRetention
  readonly #log: Table
  readonly #ids: Table
  readonly #state: Table
  readonly #claims: Claims
  readonly #tail: EventTail
  readonly #listeners = new Set<() => void>()
  #next: number
  #end: number
  #trimmed: number
  /** The last position that no reader of our own needs any more. */
  keepAfter: () => number = () => Number.POSITIVE_INFINITY

  constructor(store: OpenStore, clock: Pick<Clock, 'now'>, retention: EventRetention, bounds?: TailBounds) {
    this.#store = store
    this.#clock = clock
    this.#retention = retention
    this.#log = store.table('log')
    this.#ids = store.table('log_ids')
    this.#state = store.table('log_state')
    this.#claims = new Claims(store)
    this.#trimmed = Number(this.#state.get('trimmed') ?? 0)
    let last = this.#trimmed
    for (const key of this.#log.keys({ reverse: true, limit: 1 })) last = Math.max(last, Number(key))
    this.#end = last
    this.#next = last + 1
    this.#tail = new EventTail(last, bounds)
  }

  async publish(events: readonly Event[]): Promise<void> {
    if (events.length === 0) return
    const at = String(this.#clock.now()).padStart(TIME_DIGITS, '0')
    const records = events.map((event) => this.#claims.pack(event, ['data.return', 'data']))
    await this.#store.commits.write(
      () => this.#append(events, at, records),
      (placed) => this.#committed(placed),
    )
  }

  #append(events: readonly Event[], at: string, records: readonly Packed[]): PlacedEvent[] {
    const placed: PlacedEvent[] = []
    for (const [index, event] of events.entries()) {
      const packed = records[index] ?? { text: '' }
      const position = this.#next
      if (!this.#ids.putNew(event.id, String(position))) continue
      this.#log.append(position, at + packed.text)
      this.#claims.hold(packed, holderOf(position))
      this.#next++
      const size = packed.text.length + (packed.bulk?.text.length ?? 0)
      placed.push({ position, event, cursor: this.#cursor(position), size })
    }
    return placed
  }

  #committed(placed: readonly PlacedEvent[]): void {
    for (const event of placed) {
      this.#tail.push(event)
      this.#end = event.position
    }
    if (placed.length > 0) for (const listener of [...this.#listeners]) listener()
  }

  async end(): Promise<Cursor> {
    return this.#cursor(this.#end)
  }

  /** The position of the newest committed event. */
  get last(): number {
    return this.#end
  }

  async read(
    after: Cursor | 'oldest',
    limit: number,
  ): Promise<{ events: LoggedEvent[]; cursor: Cursor; truncated: boolean }> {
    const from = after === 'oldest' ? 0 : this.#positionOf(after)
    const truncated = from === undefined || (after !== 'oldest' && from < this.#trimmed)
    const events = this.after(truncated ? 0 : from, limit)
    const cursor = events.at(-1)?.cursor ?? this.#cursor(truncated || after === 'oldest' ? this.#trimmed : from)
    return { events: events.map(bare), cursor, truncated }
  }

  follow(after: Cursor | 'now', signal: AbortSignal): AsyncIterable<readonly LoggedEvent[]> {
    return this.#follow(after === 'now' ? this.#end : (this.#positionOf(after) ?? 0), signal)
  }

  async *#follow(from: number, signal: AbortSignal): AsyncGenerator<readonly LoggedEvent[]> {
    let position = from
    while (!signal.aborted) {
      const events = this.after(position, FOLLOW)
      const last = events.at(-1)
      if (last === undefined) await this.appended(signal)
      else {
        position = last.position
        yield events.map(bare)
      }
    }
  }

  async find(id: EventId): Promise<LoggedEvent | undefined> {
    const position = this.#ids.get(id)
    if (position === undefined) return undefined
    const text = this.#log.get(Number(position))
    return text === undefined ? undefined : bare(this.#placed(Number(position), text))
  }

  async *back(): AsyncGenerator<readonly Event[]> {
    for (let below = this.#end + 1; below > this.#trimmed + 1; ) {
      const start = Math.max(this.#trimmed, below - 1 - STEP)
      const events = this.after(start, below - 1 - start)
      if (events.length > 0) yield events.map(({ event }) => event).reverse()
      below = start + 1
      await othersTurn()
    }
  }

  async ledBy(root: EventId, limit: number): Promise<{ events: Event[]; truncated: boolean }> {
    const events: Event[] = []
    let position = Number(this.#ids.get(root) ?? this.#trimmed)
    for (let read = 0; read < MOST_READ; ) {
      const step = this.after(position, STEP)
      for (const { event } of step) {
        if (event.cause?.root !== root) continue
        if (events.length >= limit) return { events, truncated: true }
        events.push(event)
      }
      if (step.length < STEP) return { events, truncated: false }
      position = step.at(-1)?.position ?? position
      read += step.length
      await othersTurn()
    }
    return { events, truncated: true }
  }

  /** Up to `limit` committed events after a position, oldest first. */
  after(position: number, limit: number): PlacedEvent[] {
    const from = Math.max(position, this.#trimmed)
    if (from >= this.#end) return []
    const near = this.#tail.after(from, limit)
    if (near !== undefined) return near
    const events: PlacedEvent[] = []
    for (const { key, text } of this.#log.entries({ start: from + 1, limit })) {
      if (Number(key) > this.#end) break
      events.push(this.#placed(Number(key), text))
    }
    return events
  }

  /** Resolves at the next commit of events, or when the signal ends. */
  appended(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#listeners.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      if (signal.aborted) return resolve()
      this.#listeners.add(done)
      signal.addEventListener('abort', done, { once: true })
    })
  }

  /** Removes what retention no longer keeps, at most one step; answers how many. */
  async sweep(now: number): Promise<number> {
    const before = secondsBefore(now, this.#retention.seconds)
    const removed = await this.#store.commits.write(() => {
      const gone: number[] = []
      const needed = this.keepAfter()
      for (const { key, text } of this.#log.entries({ limit: sweepStep })) {
        const position = Number(key)
        const excess = this.#end - position >= this.#retention.events
        if (position > needed || (!excess && Number(text.slice(0, TIME_DIGITS)) >= before)) break
        this.#ids.remove(this.#claims.unpackRest<Event>(text, TIME_DIGITS).id)
        this.#claims.release(text, holderOf(position), TIME_DIGITS)
        gone.push(position)
      }
      for (const position of gone) this.#log.remove(position)
      const last = gone.at(-1)
      if (last !== undefined) this.#state.put('trimmed', String(last))
      return gone
    })
    this.#trimmed = Math.max(this.#trimmed, removed.at(-1) ?? 0)
    return removed.length
  }

  #placed(position: number, text: string): PlacedEvent {
    const event = this.#claims.unpack<Event>(text, TIME_DIGITS)
    return { position, event, cursor: this.#cursor(position), size: text.length }
  }

  #cursor(position: number): Cursor {
    return `${this.#store.id}.${position.toString(36)}`
  }

  /** Undefined for a cursor of another store, or of a future this store was restored from before. */
  #positionOf(cursor: Cursor): number | undefined {
    const match = CURSOR.exec(cursor)
    if (match === null) {
      throw new BrineError(
        `"${cursor}" is no cursor of an event log. Use one that the log gave, or read from the oldest.`,
        {
          code: 'cursor',
        },
      )
    }
    const position = Number.parseInt(match[2] ?? '', 36)
    return match[1] === this.#store.id && position <= this.#end ? position : undefined
  }
}

/** The name of an event's row, for what it holds. */
function holderOf(position: number): string {
  return `log/${position}`
}

const FOLLOW = 500
/** Events of one step of a long reading, and of all its steps. */
const STEP = 1000
const MOST_READ = 500_000

function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const CURSOR = /^([0-9a-f]{12})\.([0-9a-z]{1,10})$/

function bare({ cursor, event }: PlacedEvent): LoggedEvent {
  return { cursor, event }
}
