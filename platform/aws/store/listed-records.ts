// A list of one record a minion, held in memory and kept new by a feed of changes: what targets are matched on.
import type { MinionId } from '../../../core/event/event.ts'
import type { Clock } from '../../../reaction/ports.ts'
import {
  changesPartition,
  changesPartitions,
  type ListName,
  listKey,
  listPartitions,
  timeKey,
} from '../layout/index.ts'
import { type Attributes, type Dynamo, keyItem, s, type Write } from './dynamo.ts'
import { endsAt } from './records.ts'

const HOUR = 3_600_000_000
/** A process that looked longer ago than this reads the whole list; the feed is kept for twice as long. */
const FEED = 12 * HOUR
/** Clocks may differ, and a write may take a while: so far back the feed is read again. */
const OVERLAP = 60_000_000

/** How records of a list are read. */
export interface ListOptions<T> {
  readonly list: ListName
  readonly read: (item: Attributes) => Promise<T>
  /** Microseconds for which the list is taken as it is; 0 looks for changes each time. */
  readonly fresh: number
}

/**
 * All records of a list. Reading it costs one small query of the feed and the records that changed; the whole list is
 * read once a process.
 *
 * INVARIANTS
 * - each write of a record is in one transaction with its entry in the feed ({@link changeOf}).
 * - `all` answers what was written before it was called, except within `fresh`; one map until something changes.
 */
export class ListedRecords<T> {
  readonly #dynamo: Dynamo
  readonly #clock: Pick<Clock, 'now'>
  readonly #options: ListOptions<T>
  #records: ReadonlyMap<MinionId, T> | undefined
  /** Microseconds up to which the feed was read. */
  #readTo = 0
  /** Entries of the feed within the overlap that were applied. */
  readonly #applied = new Map<string, number>()
  #running: Promise<ReadonlyMap<MinionId, T>> | undefined
  #next: Promise<ReadonlyMap<MinionId, T>> | undefined

  constructor(dynamo: Dynamo, clock: Pick<Clock, 'now'>, options: ListOptions<T>) {
    this.#dynamo = dynamo
    this.#clock = clock
    this.#options = options
  }

  /** The write that belongs into the transaction of every change of a record. */
  changeOf(id: MinionId): Write {
    const at = this.#clock.now()
    const { list } = this.#options
    const key = { pk: changesPartition(list, at), sk: timeKey(at, id) }
    return { kind: 'put', table: 'State', item: { ...keyItem(key), id: s(id), ...endsAt(at + 2 * FEED) } }
  }

  /** Has the next `all` look for changes however fresh the list is. */
  stale(): void {
    this.#readTo = Math.min(this.#readTo, this.#clock.now() - this.#options.fresh - 1)
  }

  async all(): Promise<ReadonlyMap<MinionId, T>> {
    if (
      this.#records !== undefined &&
      this.#clock.now() - this.#readTo <= this.#options.fresh &&
      this.#options.fresh > 0
    )
      return this.#records
    // What was written since the refresh under way began may be missing from it: all who come meanwhile share the next.
    if (this.#running === undefined) return this.#begin()
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    )
    return this.#next
  }

  #begin(): Promise<ReadonlyMap<MinionId, T>> {
    this.#next = undefined
    const running = this.#refresh().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }

  async #refresh(): Promise<ReadonlyMap<MinionId, T>> {
    const now = this.#clock.now()
    const known = this.#records
    const records =
      known === undefined || now - this.#readTo > FEED ? await this.#readAll() : await this.#readOn(known, now)
    this.#records = records
    this.#readTo = now
    return records
  }

  async #readAll(): Promise<ReadonlyMap<MinionId, T>> {
    const items = await this.#dynamo.allOf('State', listPartitions(this.#options.list))
    this.#applied.clear()
    return new Map(await this.#entries(items))
  }

  async #readOn(known: ReadonlyMap<MinionId, T>, now: number): Promise<ReadonlyMap<MinionId, T>> {
    const from = this.#readTo - OVERLAP
    const partitions = changesPartitions(this.#options.list, from, now + OVERLAP)
    const changes = await this.#dynamo.allOf('State', partitions, { from: timeKey(from, '') })
    for (const [key, at] of this.#applied) if (at < from) this.#applied.delete(key)
    const fresh = changes.filter(({ sk }) => !this.#applied.has(sk?.S ?? ''))
    if (fresh.length === 0) return known
    const ids = [...new Set(fresh.map(({ id }) => id?.S ?? ''))]
    const items = await this.#dynamo.getMany(
      'State',
      ids.map((id) => listKey(this.#options.list, id)),
    )
    const records = new Map(known)
    for (const id of ids) records.delete(id)
    for (const [id, record] of await this.#entries(items)) records.set(id, record)
    for (const { sk } of fresh) this.#applied.set(sk?.S ?? '', Number((sk?.S ?? '').split('#', 1)[0]))
    return records
  }

  #entries(items: readonly Attributes[]): Promise<[MinionId, T][]> {
    return Promise.all(
      items.map(async (item): Promise<[MinionId, T]> => [item.sk?.S ?? '', await this.#options.read(item)]),
    )
  }
}
