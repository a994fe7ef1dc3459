// The minions' public keys, written over the revision that was read.
import type { KeyRecord, KeyRing, MinionId } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { listKey, lists } from '../layout/index.ts'
import { type Attributes, type Dynamo, isAbsent, keyItem, n } from './dynamo.ts'
import { ListedRecords } from './listed-records.ts'
import type { Records } from './records.ts'

/**
 * Table State: `key#<shard>` minion id → record, with its revision beside it.
 *
 * INVARIANTS
 * - of two updates over one revision one is refused.
 * - a key that was accepted is in the list of whoever asks for it next, in whichever process.
 */
export class DynamoKeyRing implements KeyRing {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #list: ListedRecords<KeyRecord>

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>) {
    this.#dynamo = dynamo
    this.#records = records
    this.#list = new ListedRecords(dynamo, clock, {
      list: lists.keys,
      read: (item: Attributes) => records.unpack<KeyRecord>(item),
      fresh: 0,
    })
  }

  async get(id: MinionId): Promise<KeyRecord | undefined> {
    const item = await this.#dynamo.get('State', listKey(lists.keys, id))
    return item === undefined ? undefined : this.#records.unpack<KeyRecord>(item)
  }

  async list(): Promise<KeyRecord[]> {
    return [...(await this.#list.all()).values()]
  }

  async update(next: Omit<KeyRecord, 'revision'>, over: number | undefined): Promise<boolean> {
    const record: KeyRecord = { ...next, revision: (over ?? 0) + 1 }
    const item = {
      ...keyItem(listKey(lists.keys, next.id)),
      ...(await this.#records.pack(record)),
      revision: n(record.revision),
    }
    const condition = over === undefined ? isAbsent : { text: 'revision = :over', values: { ':over': n(over) } }
    const { done } = await this.#dynamo.transact([
      { kind: 'put', table: 'State', item, if: condition },
      this.#list.changeOf(next.id),
    ])
    return done
  }
}
