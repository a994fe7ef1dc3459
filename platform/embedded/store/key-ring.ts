// The minions' public keys, all in memory, written over the revision that was read.

import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { KeyRecord, KeyRing, MinionId } from '../../../master/ports.ts'
import type { OpenStore } from './open-store.ts'
import type { Table } from './table.ts'

/**
 * Table: `keys` minion id → record.
 *
 * INVARIANTS
 * - memory holds what is stored, no more: it changes when a write is durable or about to be.
 * - of two updates over one revision one is refused.
 */
export class EmbeddedKeyRing implements KeyRing {
  readonly #store: OpenStore
  readonly #table: Table
  readonly #records = new Map<MinionId, KeyRecord>()

  constructor(store: OpenStore) {
    this.#store = store
    this.#table = store.table('keys')
    for (const { text } of this.#table.entries()) this.#remember(decodeRecord<KeyRecord>(text))
  }

  async get(id: MinionId): Promise<KeyRecord | undefined> {
    return this.#records.get(id)
  }

  async list(): Promise<KeyRecord[]> {
    return [...this.#records.values()]
  }

  async update(next: Omit<KeyRecord, 'revision'>, over: number | undefined): Promise<boolean> {
    const record: KeyRecord = { ...next, revision: (over ?? 0) + 1 }
    const text = encodeRecord(record)
    return this.#store.commits.write(
      () => {
        const known = this.#table.get(next.id)
        const revision = known === undefined ? undefined : decodeRecord<KeyRecord>(known).revision
        if (revision !== over) return false
        this.#table.put(next.id, text)
        return true
      },
      (written) => {
        if (written) this.#remember(record)
      },
    )
  }

  #remember(record: KeyRecord): void {
    this.#records.set(record.id, record)
  }
}
