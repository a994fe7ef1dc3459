// Work to do later.

import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { Mapping } from '../../../core/value/value.ts'
import type { Timers } from '../../../master/ports.ts'
import type { OpenStore } from './open-store.ts'
import type { Table } from './table.ts'

interface Timer {
  readonly name: string
  readonly at: number
  readonly data: Mapping
}

/**
 * Tables: `timers` name → timer; `timers_due` [at, name] → nothing.
 *
 * INVARIANT: each timer has one row in both; it stays due until it is cancelled or set again.
 */
export class EmbeddedTimers implements Timers {
  readonly #store: OpenStore
  readonly #timers: Table
  readonly #due: Table

  constructor(store: OpenStore) {
    this.#store = store
    this.#timers = store.table('timers')
    this.#due = store.table('timers_due')
  }

  async set(name: string, at: number, data: Mapping): Promise<void> {
    const text = encodeRecord({ name, at, data })
    await this.#store.commits.write(() => {
      this.#remove(name)
      this.#timers.put(name, text)
      this.#due.put([at, name], '')
    })
  }

  async cancel(name: string): Promise<void> {
    await this.#store.commits.write(() => this.#remove(name))
  }

  async due(now: number, limit: number): Promise<Timer[]> {
    const found: Timer[] = []
    for (const key of this.#due.keys({ limit })) {
      if (!Array.isArray(key) || Number(key[0]) > now) break
      const text = this.#timers.get(String(key[1]))
      if (text !== undefined) found.push(decodeRecord<Timer>(text))
    }
    return found
  }

  #remove(name: string): void {
    const text = this.#timers.get(name)
    if (text === undefined) return
    this.#timers.remove(name)
    this.#due.remove([decodeRecord<Timer>(text).at, name])
  }
}
