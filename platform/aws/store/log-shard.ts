// One shard of the event log: chunks of events under positions that have no gap, written one after the other.
import { BrineError } from '../../../core/error.ts'
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { Event } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { eventKey, ledPartition, logEnd, logPartition, positionKey } from '../layout/index.ts'
import { type Attributes, type Dynamo, isAbsent, keyItem, n, numberIn, type Write } from './dynamo.ts'
import { endsAt, isOver, type Records } from './records.ts'

/** Events as they were appended together. */
export interface Chunk {
  readonly shard: number
  /** Positions of its events are `first`, `first + 1`, … */
  readonly first: number
  readonly at: number
  readonly events: readonly Event[]
}

const TRIES = 50
/** Chunks read at once. */
const PAGE = 20

/**
 * Table Events: `log#<shard>` position of the last event → chunk; `log-end#<shard>` → position of the newest event;
 * `event#<event id>` → shard and position; `led#<root>` event id → nothing.
 *
 * INVARIANTS
 * - a chunk, the shard's end and the ids of its events are one transaction: positions have no gap, and an id is in the
 *   log once, whichever shard it came to.
 * - an expired chunk is not answered, although it may still be stored.
 */
export class LogShard {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #clock: Pick<Clock, 'now'>
  readonly #keepSeconds: number
  readonly shard: number
  /** What this process knows of the end; others may have gone on. */
  #known: number | undefined

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>, keepSeconds: number, shard: number) {
    this.#dynamo = dynamo
    this.#records = records
    this.#clock = clock
    this.#keepSeconds = keepSeconds
    this.shard = shard
  }

  /** The position of the newest event; 0 where there is none. */
  async end(): Promise<number> {
    const end = numberIn(await this.#dynamo.get('Events', logEnd(this.shard)), 'position') ?? 0
    this.#known = end
    return end
  }

  /** Whether the shard has come to a position; asks only where this process does not know it has. */
  async reaches(position: number): Promise<boolean> {
    return position <= (this.#known ?? 0) || position <= (await this.end())
  }

  /** Appends events, at most as many as a transaction takes; those that the log has are dropped. Answers how many were new. */
  async append(events: readonly Event[]): Promise<number> {
    let left = [...new Map(events.map((event) => [event.id, event])).values()]
    await this.#noteRoots(left)
    for (let tries = 0; tries < TRIES && left.length > 0; tries++) {
      const before = this.#known ?? (await this.end())
      const outcome = await this.#dynamo.transact(await this.#writes(left, before))
      if (outcome.done) {
        this.#known = before + left.length
        return left.length
      }
      const [end, , ...ids] = outcome.refused
      if (end !== undefined) this.#known = numberIn(end.old, 'position') ?? 0
      left = left.filter((_, index) => ids[index] === undefined)
    }
    if (left.length === 0) return 0
    throw new BrineError(
      `Shard ${this.shard} of the event log was written by others ${TRIES} times in a row. It is tried again.`,
      {
        code: 'busy',
      },
    )
  }

  /** Chunks that hold events after a position, oldest first, for as long as they are wanted. */
  async *after(position: number): AsyncGenerator<Chunk> {
    const range = { after: positionKey(position), page: PAGE }
    for await (const items of this.#dynamo.query('Events', logPartition(this.shard), range)) {
      const now = this.#clock.now()
      for (const item of items) if (!isOver(item, now)) yield await this.#chunk(item)
    }
  }

  /** The events at these positions, in their order; each chunk is read once. */
  async eventsAt(positions: readonly number[]): Promise<Event[]> {
    const events: Event[] = []
    let chunk: Chunk | undefined
    for (const position of [...positions].sort((a, b) => a - b)) {
      if (chunk === undefined || position >= chunk.first + chunk.events.length) {
        chunk = undefined
        for await (const found of this.after(position - 1)) {
          chunk = found
          break
        }
      }
      const event = chunk?.events[position - chunk.first]
      if (event !== undefined) events.push(event)
    }
    return events
  }

  /** Chunks from the newest back. */
  async *back(): AsyncGenerator<Chunk> {
    for await (const items of this.#dynamo.query('Events', logPartition(this.shard), { reverse: true, page: PAGE })) {
      const now = this.#clock.now()
      for (const item of items) if (!isOver(item, now)) yield await this.#chunk(item)
    }
  }

  /** The position of the newest event that was appended before a time. */
  async before(at: number): Promise<number> {
    for await (const items of this.#dynamo.query('Events', logPartition(this.shard), { reverse: true, page: PAGE })) {
      const found = items.find((item) => (numberIn(item, 'at') ?? 0) < at)
      if (found !== undefined) return Number(found.sk?.S)
    }
    return 0
  }

  /** Notes under each root what it led to. Noted before the event is there: who reads finds it, or takes it for not yet there. */
  async #noteRoots(events: readonly Event[]): Promise<void> {
    const end = endsAt(this.#clock.now() + this.#keepSeconds * 1_000_000)
    const notes = events.flatMap(({ id, cause }) =>
      cause === undefined ? [] : [{ ...keyItem({ pk: ledPartition(cause.root), sk: id }), ...end }],
    )
    await this.#dynamo.writeMany('Events', notes)
  }

  async #writes(events: readonly Event[], before: number): Promise<Write[]> {
    const at = this.#clock.now()
    const end = endsAt(at + this.#keepSeconds * 1_000_000)
    const last = before + events.length
    const chunk: Attributes = {
      ...keyItem({ pk: logPartition(this.shard), sk: positionKey(last) }),
      ...(await this.#records.packText(events.map(encodeRecord).join('\n'))),
      first: n(before + 1),
      at: n(at),
      ...end,
    }
    return [
      {
        kind: 'update',
        table: 'Events',
        key: logEnd(this.shard),
        set: 'SET #position = :last',
        names: { '#position': 'position' },
        values: { ':last': n(last), ...(before === 0 ? {} : { ':before': n(before) }) },
        if: before === 0 ? 'attribute_not_exists(pk)' : '#position = :before',
      },
      { kind: 'put', table: 'Events', item: chunk },
      ...events.map((event, index): Write => {
        const place = { shard: n(this.shard), position: n(before + 1 + index) }
        return {
          kind: 'put',
          table: 'Events',
          item: { ...keyItem(eventKey(event.id)), ...place, ...end },
          if: isAbsent,
        }
      }),
    ]
  }

  async #chunk(item: Attributes): Promise<Chunk> {
    const text = await this.#records.unpackText(item)
    return {
      shard: this.shard,
      first: numberIn(item, 'first') ?? 0,
      at: numberIn(item, 'at') ?? 0,
      events: text.split('\n').map((line) => decodeRecord<Event>(line)),
    }
  }
}
