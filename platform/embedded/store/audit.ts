// What was refused or changed by whom.

import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { Mapping } from '../../../core/value/value.ts'
import type { Audit } from '../../../master/ports.ts'
import type { OpenStore } from './open-store.ts'
import { secondsBefore, sweepStep } from './retention.ts'
import type { Table } from './table.ts'

interface Entry {
  readonly at: number
  readonly who: string
  readonly what: string
  readonly detail: Mapping
}

const DAY = 86_400

/** Table: `audit` [at, boot and number] → entry. INVARIANT: entries are only added, and removed by age alone. */
export class EmbeddedAudit implements Audit {
  readonly #store: OpenStore
  readonly #days: number
  readonly #entries: Table
  #number = 0

  constructor(store: OpenStore, days: number) {
    this.#store = store
    this.#days = days
    this.#entries = store.table('audit')
  }

  async record(entry: Entry): Promise<void> {
    const text = encodeRecord(entry)
    const key = [entry.at, `${this.#store.boot}.${String(this.#number++).padStart(12, '0')}`]
    await this.#store.commits.write(() => this.#entries.put(key, text))
  }

  async recent(limit: number): Promise<Entry[]> {
    return [...this.#entries.entries({ reverse: true, limit })].map(({ text }) => decodeRecord<Entry>(text))
  }

  /** Removes entries older than the retention, at most one step. */
  async sweep(now: number): Promise<number> {
    const before = secondsBefore(now, this.#days * DAY)
    return this.#store.commits.write(() => {
      const gone = this.#entries.keys({ end: [before, ''], limit: sweepStep })
      for (const key of gone) this.#entries.remove(key)
      return gone.length
    })
  }
}
