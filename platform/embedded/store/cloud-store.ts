// What is remembered while machines are made.
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { CloudStore, Expected } from '../../../master/cloud/index.ts'
import type { Clock } from '../../../reaction/ports.ts'
import type { OpenStore } from './open-store.ts'
import { sweepStep } from './retention.ts'
import type { Table } from './table.ts'

interface Beginning {
  readonly token: string
  readonly until: number
}

/**
 * Tables: `clouds_begun` name → token and its end; `clouds_expected` instance → what is expected.
 *
 * INVARIANTS
 * - of all who begin a name one token is answered until it ended or its time is over.
 * - the first claim of a machine stands.
 */
export class EmbeddedCloudStore implements CloudStore {
  readonly #store: OpenStore
  readonly #clock: Pick<Clock, 'now'>
  readonly #begun: Table
  readonly #expected: Table

  constructor(store: OpenStore, clock: Pick<Clock, 'now'>) {
    this.#store = store
    this.#clock = clock
    this.#begun = store.table('clouds_begun')
    this.#expected = store.table('clouds_expected')
  }

  async begin(name: string, token: string, until: number): Promise<string> {
    return this.#store.commits.write(() => {
      const standing = this.#standing<Beginning>(this.#begun, name)
      if (standing === undefined) this.#begun.put(name, encodeRecord({ token, until } satisfies Beginning))
      return standing?.token ?? token
    })
  }

  async begun(name: string): Promise<string | undefined> {
    return this.#standing<Beginning>(this.#begun, name)?.token
  }

  async ended(name: string): Promise<void> {
    await this.#store.commits.write(() => this.#begun.remove(name))
  }

  async expect(instance: string, expected: Expected): Promise<void> {
    await this.#store.commits.write(() => {
      const finger = this.#standing<Expected>(this.#expected, instance)?.finger
      this.#expected.put(instance, encodeRecord({ ...expected, ...(finger === undefined ? {} : { finger }) }))
    })
  }

  async expected(instance: string): Promise<Expected | undefined> {
    return this.#standing<Expected>(this.#expected, instance)
  }

  async claim(instance: string, finger: string): Promise<Expected | undefined> {
    return this.#store.commits.write(() => {
      const standing = this.#standing<Expected>(this.#expected, instance)
      if (standing === undefined || standing.finger !== undefined) return standing
      const claimed = { ...standing, finger }
      this.#expected.put(instance, encodeRecord(claimed))
      return claimed
    })
  }

  async forget(instance: string): Promise<void> {
    await this.#store.commits.write(() => this.#expected.remove(instance))
  }

  /** Removes what is over, at most one step. */
  async sweep(now: number): Promise<number> {
    return this.#store.commits.write(() => {
      let gone = 0
      for (const table of [this.#begun, this.#expected])
        for (const { key, text } of [...table.entries()]) {
          if (gone >= sweepStep || decodeRecord<{ until: number }>(text).until > now) continue
          table.remove(key)
          gone++
        }
      return gone
    })
  }

  #standing<T extends { readonly until: number }>(table: Table, key: string): T | undefined {
    const text = table.get(key)
    const record = text === undefined ? undefined : decodeRecord<T>(text)
    return record !== undefined && record.until > this.#clock.now() ? record : undefined
  }
}
