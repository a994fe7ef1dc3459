// Orchestrations: where each run stands, so that a master that was killed goes on with it.
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { Jid, OrchestrationStore, StoredOrchestration } from '../../../master/ports.ts'
import type { OpenStore } from './open-store.ts'
import { secondsBefore, sweepStep } from './retention.ts'
import type { Table } from './table.ts'

/**
 * Tables: `orchestrations` jid → record; `orchestrations_open` jid → nothing; `orchestration_times` [at, jid] → nothing.
 *
 * INVARIANTS
 * - of two updates over one revision one is refused.
 * - one that is not done stands in `orchestrations_open` and is never removed.
 */
export class EmbeddedOrchestrationStore implements OrchestrationStore {
  readonly #store: OpenStore
  readonly #keepSeconds: number
  readonly #records: Table
  readonly #open: Table
  readonly #times: Table

  constructor(store: OpenStore, keepSeconds: number) {
    this.#store = store
    this.#keepSeconds = keepSeconds
    this.#records = store.table('orchestrations')
    this.#open = store.table('orchestrations_open')
    this.#times = store.table('orchestration_times')
  }

  async create(record: Omit<StoredOrchestration, 'revision'>): Promise<boolean> {
    return this.#store.commits.write(() => {
      if (this.#records.has(record.jid)) return false
      this.#put(record, 1)
      this.#times.put([record.at, record.jid], '')
      return true
    })
  }

  async get(jid: Jid): Promise<StoredOrchestration | undefined> {
    const text = this.#records.get(jid)
    return text === undefined ? undefined : decodeRecord<StoredOrchestration>(text)
  }

  async update(record: Omit<StoredOrchestration, 'revision'>, over: number): Promise<boolean> {
    return this.#store.commits.write(() => {
      const text = this.#records.get(record.jid)
      if (text === undefined || decodeRecord<StoredOrchestration>(text).revision !== over) return false
      this.#put(record, over + 1)
      return true
    })
  }

  async list(limit: number): Promise<StoredOrchestration[]> {
    const found: StoredOrchestration[] = []
    for (const key of this.#times.keys({ reverse: true, limit })) {
      const text = this.#records.get(jidIn(key))
      if (text !== undefined) found.push(decodeRecord<StoredOrchestration>(text))
    }
    return found
  }

  async unfinished(): Promise<Jid[]> {
    return this.#open.keys().map(String)
  }

  /** Removes what was done before the retention, at most one step. */
  async sweep(now: number): Promise<number> {
    const before = secondsBefore(now, this.#keepSeconds)
    return this.#store.commits.write(() => {
      const old = this.#times.keys({ end: [before, ''], limit: sweepStep }).filter((key) => !this.#open.has(jidIn(key)))
      for (const key of old) {
        this.#records.remove(jidIn(key))
        this.#times.remove(key)
      }
      return old.length
    })
  }

  #put(record: Omit<StoredOrchestration, 'revision'>, revision: number): void {
    this.#records.put(record.jid, encodeRecord({ ...record, revision }))
    if (record.isDone) this.#open.remove(record.jid)
    else this.#open.put(record.jid, '')
  }
}

function jidIn(key: unknown): Jid {
  return Array.isArray(key) ? String(key[1]) : ''
}
