// What runners keep for others, by bank and key.
import type { Value } from '../../../core/value/index.ts'
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { BankStore } from '../../../master/ports.ts'
import type { OpenStore } from './open-store.ts'
import type { Key, Table } from './table.ts'

/** Table: `banks` [bank, key] → value. */
export class EmbeddedBankStore implements BankStore {
  readonly #store: OpenStore
  readonly #table: Table

  constructor(store: OpenStore) {
    this.#store = store
    this.#table = store.table('banks')
  }

  async store(bank: string, key: string, data: Value): Promise<void> {
    const text = encodeRecord({ data })
    await this.#store.commits.write(() => this.#table.put([bank, key], text))
  }

  async fetch(bank: string, key: string): Promise<Value | undefined> {
    const text = this.#table.get([bank, key])
    return text === undefined ? undefined : decodeRecord<{ data: Value }>(text).data
  }

  async list(bank: string): Promise<string[]> {
    const names = this.#within(bank).map(([at, key]) => (at === bank ? key : at.slice(bank.length + 1).split('/')[0]))
    return [...new Set(names.map(String))].sort()
  }

  async flush(bank: string, key?: string): Promise<boolean> {
    return this.#store.commits.write(() => {
      const keys: Key[] = key === undefined ? this.#within(bank) : [[bank, key]].filter((one) => this.#table.has(one))
      for (const one of keys) this.#table.remove(one)
      return keys.length > 0
    })
  }

  /** The keys of a bank and of those below it. */
  #within(bank: string): [bank: string, key: string][] {
    const own = this.#table.keys({ start: [bank], end: [bank, '\uffff'] })
    const below = this.#table.keys({ start: [`${bank}/`], end: [`${bank}0`] })
    return [...own, ...below].map((key) => key as [string, string])
  }
}
