// Deliveries to the reactor: read from the log by a persisted cursor, settled in any order.
import { get } from '../../../core/value/index.ts'
import type { Delivery, DeliveryQueue, Event, EventId, Settlement, Tag } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { DeliveryWindow, type Pending } from './delivery-window.ts'
import type { EmbeddedEventLog } from './event-log.ts'
import type { OpenStore } from './open-store.ts'
import { type Dead, ParkedDeliveries } from './parked-deliveries.ts'
import { sweepStep } from './retention.ts'
import type { Table } from './table.ts'

interface Out {
  readonly event: Event
  readonly attempt: number
  /** Its place in the window, where it came from the log in this process. */
  readonly pending: Pending | undefined
  /** It has a row in `deliveries`. */
  parked: boolean
}

/** Microseconds in work after which a delivery is parked, so that the cursor can pass it. */
const LONG = 10_000_000
/** Microseconds before a delivery comes again whose settlement could not be stored. */
const PAUSE = 1_000_000
/** Events of the log looked at in a row before receivers wait for the event loop. */
const SCAN = 2000

/**
 * Tables: those of {@link ParkedDeliveries}; `queue_state` `cursor` → position.
 *
 * INVARIANTS
 * - the persisted cursor moves only over events that nobody wants, that are done, or that are parked or dead; so a
 *   restart brings every other one again.
 * - no event is handed out twice at the same time by one process.
 * - `later` and `dead` are durable when `settle` resolves. `done` resolves at once and is stored with the next
 *   transaction: a process that is killed between gets such an event once more.
 */
export class EmbeddedDeliveryQueue implements DeliveryQueue {
  /** Whether the reactor wants a tag. Asked when the log is read on; replaced when the reactor set changes. */
  wants: (tag: Tag) => boolean
  readonly #store: OpenStore
  readonly #log: EmbeddedEventLog
  readonly #clock: Pick<Clock, 'now'>
  readonly #parked: ParkedDeliveries
  readonly #state: Table
  readonly #window: DeliveryWindow
  readonly #out = new Map<EventId, Out>()
  readonly #again: { readonly out: Out; readonly at: number }[] = []
  readonly #wakers = new Set<() => void>()
  /** Parked deliveries up to this key are in work, or were settled. */
  #dueFrom: [number, EventId] = [-1, '']
  #nextDue = 0
  #saved: number

  constructor(
    store: OpenStore,
    log: EmbeddedEventLog,
    clock: Pick<Clock, 'now'>,
    wants: (tag: Tag) => boolean = () => true,
  ) {
    this.wants = wants
    this.#store = store
    this.#log = log
    this.#clock = clock
    this.#parked = new ParkedDeliveries(store)
    this.#state = store.table('queue_state')
    this.#saved = Number(this.#state.get('cursor') ?? 0)
    this.#window = new DeliveryWindow(this.#saved)
    log.keepAfter = () => this.#saved
    store.commits.beforeCommit(() => this.#saveCursor())
  }

  async receive(limit: number, signal: AbortSignal): Promise<Delivery[]> {
    while (!signal.aborted) {
      const now = this.#clock.now()
      const taken = this.#takeAgain(limit, now)
      if (taken.length < limit) taken.push(...this.#takeDue(limit - taken.length, now))
      if (taken.length < limit) taken.push(...this.#takeReady(limit - taken.length, now))
      if (taken.length > 0) return taken.map(({ event, attempt }) => ({ event, attempt }))
      if (this.#window.scanned < this.#log.last) await new Promise((resolve) => setImmediate(resolve))
      else await this.#change(signal)
    }
    return []
  }

  async settle(event: EventId, settlement: Settlement): Promise<void> {
    const out = this.#out.get(event)
    if (out === undefined) return
    if (settlement.kind === 'done' && !out.parked) return this.#finish(out)
    try {
      await this.#store.commits.write(
        () => this.#record(out, settlement),
        () => this.#finish(out, settlement),
      )
    } catch (error) {
      this.#again.push({ out, at: this.#clock.now() + PAUSE })
      for (const wake of [...this.#wakers]) wake()
      throw error
    }
  }

  async depth(): Promise<number> {
    this.#fill()
    let unparked = 0
    for (const out of this.#out.values()) if (!out.parked) unparked++
    const unseen = this.#log.last - this.#window.scanned
    return unparked + this.#window.readyCount + unseen + this.#parked.count()
  }

  /** When the oldest event that was not settled happened, microseconds since 1970; parked ones are not looked at. */
  waitingSince(): number | undefined {
    this.#fill()
    const oldest = this.#window.oldest
    return oldest === undefined ? undefined : timeOf(oldest.event)
  }

  async dead(): Promise<{ event: Event; reason: string; at: number }[]> {
    return this.#parked.dead()
  }

  async deadCount(): Promise<number> {
    return this.#parked.deadCount()
  }

  async redrive(event: EventId, how: 'again' | 'discard'): Promise<boolean> {
    return this.#store.commits.write(
      () => {
        const dead: Dead | undefined = this.#parked.unbury(event)
        if (dead === undefined) return false
        if (how === 'again') this.#parked.put({ event: dead.event, attempt: 0, at: 0 })
        return true
      },
      (found) => {
        if (found && how === 'again') this.#dueAt(0)
      },
    )
  }

  /** Parks what is long in work and stores the cursor, so that a crash repeats little. Removes nothing. */
  async sweep(now: number): Promise<number> {
    const overdue = this.#window.overdue(now - LONG, sweepStep)
    if (overdue.length > 0 || this.#window.doneTo !== this.#saved) await this.#park(overdue, 1)
    return 0
  }

  /** Parks all that is in work, as not tried: the next start goes on where this one ended. */
  async close(): Promise<void> {
    await this.#park(this.#window.overdue(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY), 0)
    await this.#park([], 0)
  }

  async #park(pendings: readonly Pending[], tries: 0 | 1): Promise<void> {
    await this.#store.commits.write(
      () => {
        for (const { placed } of pendings) {
          const out = this.#out.get(placed.event.id)
          if (out === undefined) continue
          this.#parked.put({ event: out.event, attempt: out.attempt - 1 + tries, at: 0 })
          out.parked = true
        }
      },
      () => {
        for (const pending of pendings) if (!pending.passed) this.#window.pass(pending)
      },
    )
  }

  #takeAgain(limit: number, now: number): Out[] {
    const taken: Out[] = []
    while (taken.length < limit && (this.#again[0]?.at ?? Number.POSITIVE_INFINITY) <= now) {
      const first = this.#again.shift()
      if (first !== undefined) taken.push(this.#hand({ ...first.out, attempt: first.out.attempt + 1 }))
    }
    return taken
  }

  #takeDue(limit: number, now: number): Out[] {
    if (this.#nextDue > now) return []
    const taken: Out[] = []
    for (const key of this.#parked.dueAfter(this.#dueFrom, limit)) {
      if (key[0] > now) {
        this.#nextDue = key[0]
        return taken
      }
      this.#dueFrom = key
      const parked = this.#out.has(key[1]) ? undefined : this.#parked.get(key[1])
      if (parked === undefined) continue
      taken.push(this.#hand({ event: parked.event, attempt: parked.attempt + 1, pending: undefined, parked: true }))
    }
    const next = this.#parked.dueAfter(this.#dueFrom, 1)[0]
    this.#nextDue = next?.[0] ?? Number.POSITIVE_INFINITY
    return taken
  }

  #takeReady(limit: number, now: number): Out[] {
    this.#fill()
    return this.#window
      .take(limit, now)
      .map((pending) => this.#hand({ event: pending.placed.event, attempt: 1, pending, parked: false }))
  }

  #fill(): void {
    if (this.#window.readyCount > 0) return
    this.#window.scan(this.#log.after(this.#window.scanned, SCAN), this.wants)
  }

  #hand(out: Out): Out {
    this.#out.set(out.event.id, out)
    return out
  }

  /** Inside a transaction. */
  #record({ event, attempt }: Out, settlement: Settlement): void {
    if (settlement.kind === 'done') this.#parked.remove(event.id)
    else if (settlement.kind === 'later') this.#parked.put({ event, attempt, at: settlement.at })
    else this.#parked.bury({ event, reason: settlement.reason, at: this.#clock.now() })
  }

  #finish(out: Out, settlement?: Settlement): void {
    this.#out.delete(out.event.id)
    if (out.pending !== undefined && !out.pending.passed) this.#window.pass(out.pending)
    if (settlement?.kind === 'later') this.#dueAt(settlement.at)
  }

  #dueAt(at: number): void {
    this.#nextDue = Math.min(this.#nextDue, at)
    if (at <= this.#dueFrom[0]) this.#dueFrom = [at - 1, '']
    for (const wake of [...this.#wakers]) wake()
  }

  /** Inside a transaction. */
  #saveCursor(): void {
    const { doneTo } = this.#window
    if (doneTo === this.#saved) return
    this.#state.put('cursor', String(doneTo))
    this.#saved = doneTo
  }

  /** Resolves when events were appended, when a delivery falls due or comes back, or when the signal ends. */
  async #change(signal: AbortSignal): Promise<void> {
    const over = new AbortController()
    const end = (): void => over.abort()
    const due = Math.min(this.#nextDue, this.#again[0]?.at ?? Number.POSITIVE_INFINITY)
    const wait = Math.min(Math.max((due - this.#clock.now()) / 1000, 0), LONGEST_WAIT)
    const timer = setTimeout(end, Math.ceil(wait))
    this.#wakers.add(end)
    signal.addEventListener('abort', end, { once: true })
    try {
      await this.#log.appended(over.signal)
    } finally {
      clearTimeout(timer)
      this.#wakers.delete(end)
      signal.removeEventListener('abort', end)
    }
  }
}

/** Milliseconds; timers of Node hold no more than 24 days. */
const LONGEST_WAIT = 60_000

/** When an event was stamped, microseconds since 1970; undefined where it was not. */
function timeOf({ data }: Event): number | undefined {
  const stamp = get(data, '_stamp')
  const time = typeof stamp === 'string' ? Date.parse(`${stamp}Z`) : Number.NaN
  return Number.isNaN(time) ? undefined : time * 1000
}
