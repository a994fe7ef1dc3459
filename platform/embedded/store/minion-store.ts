// Grains and last-seen of minions, all in memory, and their mine; last-seen is written now and then.

import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { Mapping } from '../../../core/value/value.ts'
import type { MinionId, MinionRecord, MinionStore } from '../../../master/ports.ts'
import type { OpenStore } from './open-store.ts'
import type { Table } from './table.ts'

/**
 * Tables: `minions` minion id → record; `seen` minion id → microseconds; `mine` minion id → what it gives to others.
 *
 * INVARIANTS
 * - `all` answers one array until grains change, so that whoever matches targets can remember what it made of it.
 * - last-seen is written by each sweep and at close.
 */
export class EmbeddedMinionStore implements MinionStore {
  readonly #store: OpenStore
  readonly #table: Table
  readonly #seenTable: Table
  readonly #mineTable: Table
  readonly #records = new Map<MinionId, MinionRecord>()
  readonly #seen = new Map<MinionId, number>()
  readonly #unwritten = new Set<MinionId>()
  #snapshot: readonly MinionRecord[] | undefined

  constructor(store: OpenStore) {
    this.#store = store
    this.#table = store.table('minions')
    this.#seenTable = store.table('seen')
    this.#mineTable = store.table('mine')
    for (const { text } of this.#table.entries()) {
      const record = decodeRecord<MinionRecord>(text)
      this.#records.set(record.id, record)
    }
    for (const { key, text } of this.#seenTable.entries()) this.#seen.set(String(key), Number(text))
  }

  async saveGrains(id: MinionId, grains: Mapping, version: string | undefined, at: number): Promise<void> {
    const record: MinionRecord = { id, grains, grainsAt: at, ...(version === undefined ? {} : { version }) }
    const text = encodeRecord(record)
    await this.#store.commits.write(
      () => this.#table.put(id, text),
      () => {
        this.#records.set(id, record)
        this.#snapshot = undefined
      },
    )
  }

  async seen(id: MinionId, at: number): Promise<void> {
    if (at <= (this.#seen.get(id) ?? 0)) return
    this.#seen.set(id, at)
    this.#unwritten.add(id)
  }

  async lastSeen(): Promise<ReadonlyMap<MinionId, number>> {
    return new Map(this.#seen)
  }

  async all(): Promise<readonly MinionRecord[]> {
    this.#snapshot ??= [...this.#records.values()]
    return this.#snapshot
  }

  async saveMine(id: MinionId, mine: Mapping): Promise<void> {
    const text = encodeRecord({ mine })
    await this.#store.commits.write(() => this.#mineTable.put(id, text))
  }

  async mines(ids: readonly MinionId[]): Promise<ReadonlyMap<MinionId, Mapping>> {
    const found = new Map<MinionId, Mapping>()
    for (const id of ids) {
      const text = this.#mineTable.get(id)
      if (text !== undefined) found.set(id, decodeRecord<{ mine: Mapping }>(text).mine)
    }
    return found
  }

  async remove(id: MinionId): Promise<void> {
    this.#seen.delete(id)
    this.#unwritten.delete(id)
    await this.#store.commits.write(
      () => {
        this.#table.remove(id)
        this.#seenTable.remove(id)
        this.#mineTable.remove(id)
      },
      () => {
        this.#records.delete(id)
        this.#snapshot = undefined
      },
    )
  }

  /** Writes last-seen; removes nothing. */
  async sweep(): Promise<number> {
    const ids = [...this.#unwritten]
    if (ids.length === 0) return 0
    this.#unwritten.clear()
    try {
      await this.#store.commits.write(() => {
        for (const id of ids) {
          const at = this.#seen.get(id)
          if (at !== undefined) this.#seenTable.put(id, String(at))
        }
      })
    } catch (error) {
      for (const id of ids) this.#unwritten.add(id)
      throw error
    }
    return 0
  }
}
