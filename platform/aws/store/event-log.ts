// The event log: shards read as one, in the order in which they were appended, from cursors that are vectors of positions.
import { randomBytes } from 'node:crypto'
import { BrineError } from '../../../core/error.ts'
import type { Cursor, Event, EventId, EventLog, LoggedEvent } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { eventKey, ledPartition, logIdentity, transactionItems } from '../layout/index.ts'
import { type Dynamo, isAbsent, keyItem, numberIn, s } from './dynamo.ts'
import { cursorOf, type Positions, positionsOf } from './log-cursor.ts'
import { type Chunk, LogShard } from './log-shard.ts'
import { inBatches } from './parallel.ts'
import { isOver, type Records } from './records.ts'

/** How the log is kept. */
export interface LogOptions {
  readonly keepSeconds: number
  /** More than one writes faster than one partition takes (about 500 KB a second, deflated); order is then that of the shards. @default 1 */
  readonly shards?: number
  /** The shard this process appends to. @default one of them by chance */
  readonly shard?: number
}

/** Events of one transaction: beside each there is its id, and the chunk and the end are two more. */
const MOST_EVENTS = transactionItems - 2
const FOLLOW = 500
/** Milliseconds between looks of a follower: the shortest after something came, and the longest. */
const FIRST_LOOK = 100
const LONGEST_LOOK = 1000

interface Waiting {
  readonly events: readonly Event[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface Page {
  readonly events: readonly { readonly positions: Positions; readonly event: Event }[]
  readonly positions: Positions
  readonly truncated: boolean
}

interface ShardRead {
  readonly chunks: readonly Chunk[]
  /** There is no more behind them. */
  readonly isWhole: boolean
  readonly truncated: boolean
  readonly floor: number
}

/**
 * What keeps the promises of the port on AWS.
 *
 * INVARIANTS
 * - with one shard there is one order that never changes; with several, each has one, a call stays together, and a
 *   reader's cursor misses and repeats nothing, but two readers may see events of different shards in another order.
 * - what comes at one moment in this process is appended together.
 */
export class DynamoEventLog implements EventLog {
  readonly #dynamo: Dynamo
  readonly #clock: Pick<Clock, 'now'>
  readonly #shards: readonly LogShard[]
  readonly #own: LogShard
  #identity: Promise<string> | undefined
  #waiting: Waiting[] = []
  #appending = false
  readonly #looks = new Set<() => void>()
  /** Followers who are still asking where "now" is. */
  readonly #ends = new Set<Promise<unknown>>()

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>, options: LogOptions) {
    const { keepSeconds, shards = 1, shard = Math.floor(Math.random() * shards) } = options
    this.#dynamo = dynamo
    this.#clock = clock
    this.#own = new LogShard(dynamo, records, clock, keepSeconds, shard)
    this.#shards = Array.from({ length: shards }, (_, index) =>
      index === shard ? this.#own : new LogShard(dynamo, records, clock, keepSeconds, index),
    )
  }

  /** Appends events in their order, durably; what the log has is dropped. */
  append(events: readonly Event[]): Promise<void> {
    if (events.length === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, resolve, reject })
      if (this.#appending) return
      this.#appending = true
      queueMicrotask(() => void this.#drain())
    })
  }

  async end(): Promise<Cursor> {
    return cursorOf(await this.#id(), await Promise.all(this.#shards.map((shard) => shard.end())))
  }

  async read(
    after: Cursor | 'oldest',
    limit: number,
  ): Promise<{ events: LoggedEvent[]; cursor: Cursor; truncated: boolean }> {
    const id = await this.#id()
    const from = after === 'oldest' ? undefined : positionsOf(after)
    const isForeign = from !== undefined && (from.log !== id || (await this.#isBeyond(from.positions)))
    const start = this.#shards.map((_, index) => (isForeign ? 0 : (from?.positions[index] ?? 0)))
    const page = await this.#page(start, limit)
    return {
      events: page.events.map(({ positions, event }) => ({ cursor: cursorOf(id, positions), event })),
      cursor: cursorOf(id, page.positions),
      truncated: isForeign || (from !== undefined && page.truncated),
    }
  }

  follow(after: Cursor | 'now', signal: AbortSignal): AsyncIterable<readonly LoggedEvent[]> {
    if (after !== 'now') return this.#follow(Promise.resolve(after), signal)
    // What this process appends from here on comes after "now".
    const end = this.end()
    const asked = end.then(nothing, nothing)
    this.#ends.add(asked)
    void asked.then(() => this.#ends.delete(asked))
    return this.#follow(end, signal)
  }

  async *#follow(from: Promise<Cursor>, signal: AbortSignal): AsyncGenerator<readonly LoggedEvent[]> {
    let cursor = await from
    for (let pause = FIRST_LOOK; !signal.aborted; ) {
      const page = await this.read(cursor, FOLLOW)
      cursor = page.cursor
      if (page.events.length === 0) {
        await this.#pause(pause, signal)
        pause = Math.min(pause * 1.5, LONGEST_LOOK)
      } else {
        pause = FIRST_LOOK
        yield page.events
      }
    }
  }

  async find(id: EventId): Promise<LoggedEvent | undefined> {
    const place = await this.#dynamo.get('Events', eventKey(id))
    if (place === undefined || isOver(place, this.#clock.now())) return undefined
    const position = numberIn(place, 'position') ?? 0
    const shard = this.#shards[numberIn(place, 'shard') ?? 0]
    for await (const chunk of shard?.after(position - 1) ?? []) {
      const event = chunk.events[position - chunk.first]
      if (event === undefined || event.id !== id) return undefined
      const positions = await Promise.all(
        this.#shards.map((other) => (other === shard ? position : other.before(chunk.at))),
      )
      return { cursor: cursorOf(await this.#id(), positions), event }
    }
    return undefined
  }

  async *back(): AsyncGenerator<readonly Event[]> {
    const readers = this.#shards.map((shard) => shard.back())
    const heads = await Promise.all(readers.map((reader) => reader.next()))
    for (;;) {
      const [newest] = heads
        .flatMap((head, index) => (head.done === true ? [] : [{ chunk: head.value, index }]))
        .sort((a, b) => b.chunk.at - a.chunk.at)
      if (newest === undefined) return
      yield [...newest.chunk.events].reverse()
      const reader = readers[newest.index]
      if (reader !== undefined) heads[newest.index] = await reader.next()
    }
  }

  async ledBy(root: EventId, limit: number): Promise<{ events: Event[]; truncated: boolean }> {
    const notes = await this.#dynamo.all('Events', ledPartition(root), { limit: limit + 1 })
    const ids = notes.slice(0, limit).map(({ sk }) => sk?.S ?? '')
    const places = await this.#dynamo.getMany('Events', ids.map(eventKey))
    const events: Event[] = []
    for (const [index, shard] of this.#shards.entries()) {
      const positions = places
        .filter((place) => (numberIn(place, 'shard') ?? 0) === index)
        .map((place) => numberIn(place, 'position') ?? 0)
      events.push(...(await shard.eventsAt(positions)))
    }
    return { events, truncated: notes.length > limit }
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await Promise.all(this.#ends)
      const calls = this.#next()
      try {
        const events = calls.flatMap((call) => call.events)
        for (const batch of inBatches(events, MOST_EVENTS)) await this.#own.append(batch)
        for (const { resolve } of calls) resolve()
        for (const look of [...this.#looks]) look()
      } catch (error) {
        for (const { reject } of calls) reject(error)
      }
    }
    this.#appending = false
  }

  /** The calls that are appended together: as many as a transaction takes, at least one. */
  #next(): Waiting[] {
    let events = 0
    let calls = 0
    for (const call of this.#waiting) {
      events += call.events.length
      if (calls > 0 && events > MOST_EVENTS) break
      calls++
    }
    return this.#waiting.splice(0, calls)
  }

  /** Up to `limit` events after the positions, merged in the order they were appended in, as far as that is known. */
  async #page(start: Positions, limit: number): Promise<Page> {
    const reads = await Promise.all(
      this.#shards.map((shard, index) => this.#readShard(shard, start[index] ?? 0, limit)),
    )
    const positions = [...start]
    const events: { positions: Positions; event: Event }[] = []
    const chunks = reads.flatMap((read) => read.chunks).sort((a, b) => a.at - b.at || a.shard - b.shard)
    // Behind the last chunk read of a shard that has more, others may belong before what comes next.
    const known = Math.min(
      ...reads.map((read) => (read.isWhole ? Number.POSITIVE_INFINITY : (read.chunks.at(-1)?.at ?? 0))),
    )
    for (const chunk of chunks) {
      if (chunk.at > known) break
      const from = positions[chunk.shard] ?? 0
      for (const [index, event] of chunk.events.entries()) {
        const position = chunk.first + index
        if (position <= from || events.length >= limit) continue
        positions[chunk.shard] = position
        events.push({ positions: [...positions], event })
      }
    }
    if (events.length === 0) for (const [index, read] of reads.entries()) positions[index] = read.floor
    return { events, positions, truncated: reads.some((read) => read.truncated) }
  }

  /** Chunks of one shard; `floor` is where to read on from where there are none. */
  async #readShard(shard: LogShard, position: number, limit: number): Promise<ShardRead> {
    const found = await this.#chunks(shard, position, limit)
    if (found.chunks.length > 0) return found
    const end = await shard.end()
    if (end <= position) return { ...found, truncated: false }
    // Something came meanwhile, or all there was has expired.
    const again = await this.#chunks(shard, position, limit)
    return again.chunks.length > 0 ? again : { ...again, truncated: true, floor: end }
  }

  async #chunks(shard: LogShard, position: number, limit: number): Promise<ShardRead> {
    const chunks: Chunk[] = []
    let after = 0
    for await (const chunk of shard.after(position)) {
      if (after >= limit) return { chunks, isWhole: false, truncated: isCut(chunks, position), floor: position }
      chunks.push(chunk)
      after += chunk.first + chunk.events.length - 1 - Math.max(position, chunk.first - 1)
    }
    return { chunks, isWhole: true, truncated: isCut(chunks, position), floor: position }
  }

  async #isBeyond(positions: Positions): Promise<boolean> {
    const ends = await Promise.all(this.#shards.map((shard, index) => shard.reaches(positions[index] ?? 0)))
    return ends.some((reached) => !reached)
  }

  #id(): Promise<string> {
    this.#identity ??= this.#readId()
    this.#identity.catch(() => {
      this.#identity = undefined
    })
    return this.#identity
  }

  /** The log's own name, which the first who asks gives it. */
  async #readId(): Promise<string> {
    const there = (await this.#dynamo.get('Events', logIdentity))?.id?.S
    if (there !== undefined) return there
    const id = randomBytes(6).toString('hex')
    const { done, old } = await this.#dynamo.put('Events', { ...keyItem(logIdentity), id: s(id) }, isAbsent)
    const known = done ? id : old?.id?.S
    if (known === undefined)
      throw new BrineError('The event log has lost its id. Restore the table Events.', { code: 'log-id' })
    return known
  }

  #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        this.#looks.delete(done)
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      this.#looks.add(done)
      signal.addEventListener('abort', done, { once: true })
      if (signal.aborted) done()
    })
  }
}

/** Whether something between the position and the first chunk is gone. */
function isCut([first]: readonly Chunk[], position: number): boolean {
  return first !== undefined && first.first > position + 1
}

function nothing(): void {
  // Who follows meets the failure; who appends only waits.
}
