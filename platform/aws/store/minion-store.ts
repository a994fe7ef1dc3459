// Grains and last-seen of minions, apart from each other: one is large and rarely written, the other small and often.
import type { Mapping } from '../../../core/value/value.ts'
import type { MinionId, MinionRecord, MinionStore } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { listKey, listPartitions, lists, mineList, seenList } from '../layout/index.ts'
import { type Attributes, type Dynamo, keyItem, n, numberIn } from './dynamo.ts'
import { ListedRecords } from './listed-records.ts'
import { inParallel } from './parallel.ts'
import type { Records } from './records.ts'

/** Microseconds for which the snapshot of all grains is taken as it is. */
const FRESH = 3_000_000
/** Microseconds within which a minion that is seen again is not written again. */
const OFTEN = 15_000_000

/**
 * Table State: `grains#<shard>` minion id → record; `seen#<shard>` minion id → microseconds; `mine#<shard>` minion id →
 * what it gives to others.
 *
 * INVARIANTS
 * - `all` answers one array until grains change, so that whoever matches targets can remember what it made of it.
 * - a last-seen only rises; it is written when `seen` resolves, or was less than 15 s ago by this process.
 */
export class DynamoMinionStore implements MinionStore {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #list: ListedRecords<MinionRecord>
  readonly #seen = new Map<MinionId, { readonly written: number; newest: number }>()
  #snapshot: { readonly from: ReadonlyMap<MinionId, MinionRecord>; readonly all: readonly MinionRecord[] } | undefined

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>) {
    this.#dynamo = dynamo
    this.#records = records
    this.#list = new ListedRecords(dynamo, clock, {
      list: lists.grains,
      read: (item: Attributes) => records.unpack<MinionRecord>(item),
      fresh: FRESH,
    })
  }

  async saveGrains(id: MinionId, grains: Mapping, version: string | undefined, at: number): Promise<void> {
    const record: MinionRecord = { id, grains, grainsAt: at, ...(version === undefined ? {} : { version }) }
    const item = { ...keyItem(listKey(lists.grains, id)), ...(await this.#records.pack(record)) }
    await this.#dynamo.transact([{ kind: 'put', table: 'State', item }, this.#list.changeOf(id)])
    this.#list.stale()
  }

  async seen(id: MinionId, at: number): Promise<void> {
    const known = this.#seen.get(id)
    if (known !== undefined && at - known.written < OFTEN) {
      known.newest = Math.max(known.newest, at)
      return
    }
    const set = { text: 'SET seen = :at', values: { ':at': n(at) } }
    await this.#dynamo.update('State', listKey(seenList, id), set, 'attribute_not_exists(seen) OR seen < :at')
    this.#seen.set(id, { written: at, newest: at })
  }

  async lastSeen(): Promise<ReadonlyMap<MinionId, number>> {
    const items = await this.#dynamo.allOf('State', listPartitions(seenList))
    return new Map(
      items.map((item): [MinionId, number] => {
        const id = item.sk?.S ?? ''
        return [id, Math.max(numberIn(item, 'seen') ?? 0, this.#seen.get(id)?.newest ?? 0)]
      }),
    )
  }

  async all(): Promise<readonly MinionRecord[]> {
    const records = await this.#list.all()
    if (this.#snapshot?.from !== records) this.#snapshot = { from: records, all: [...records.values()] }
    return this.#snapshot.all
  }

  async saveMine(id: MinionId, mine: Mapping): Promise<void> {
    const item = { ...keyItem(listKey(mineList, id)), ...(await this.#records.pack({ mine })) }
    await this.#dynamo.transact([{ kind: 'put', table: 'State', item }])
  }

  async mines(ids: readonly MinionId[]): Promise<ReadonlyMap<MinionId, Mapping>> {
    const items = await inParallel([...new Set(ids)], async (id) => {
      const item = await this.#dynamo.get('State', listKey(mineList, id))
      return item === undefined
        ? undefined
        : ([id, (await this.#records.unpack<{ mine: Mapping }>(item)).mine] as const)
    })
    return new Map(items.filter((item) => item !== undefined))
  }

  async remove(id: MinionId): Promise<void> {
    this.#seen.delete(id)
    await this.#dynamo.transact([
      { kind: 'delete', table: 'State', key: listKey(lists.grains, id) },
      { kind: 'delete', table: 'State', key: listKey(seenList, id) },
      { kind: 'delete', table: 'State', key: listKey(mineList, id) },
      this.#list.changeOf(id),
    ])
    this.#list.stale()
  }
}
