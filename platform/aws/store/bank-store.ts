// What runners keep for others, by bank and key.
import type { Value } from '../../../core/value/index.ts'
import type { BankStore } from '../../../master/ports.ts'
import { bankKey, bankPartition, bankPlaces } from '../layout/index.ts'
import { type Dynamo, keyItem } from './dynamo.ts'
import { inParallel } from './parallel.ts'
import type { Records } from './records.ts'

/**
 * Table State: `bank#<bank>` key → value; `banks` bank → nothing.
 *
 * INVARIANT: a bank that holds a key stands in `banks`; one that stands there may be empty.
 */
export class DynamoBankStore implements BankStore {
  readonly #dynamo: Dynamo
  readonly #records: Records

  constructor(dynamo: Dynamo, records: Records) {
    this.#dynamo = dynamo
    this.#records = records
  }

  async store(bank: string, key: string, data: Value): Promise<void> {
    const item = { ...keyItem(bankKey(bank, key)), ...(await this.#records.pack({ data })) }
    await this.#dynamo.transact([
      { kind: 'put', table: 'State', item },
      { kind: 'put', table: 'State', item: keyItem({ pk: bankPlaces, sk: bank }) },
    ])
  }

  async fetch(bank: string, key: string): Promise<Value | undefined> {
    const item = await this.#dynamo.get('State', bankKey(bank, key))
    return item === undefined ? undefined : (await this.#records.unpack<{ data: Value }>(item)).data
  }

  async list(bank: string): Promise<string[]> {
    const names = new Set(await this.#keysOf(bank))
    for (const below of await this.#banksBelow(bank)) {
      const [name = ''] = below.slice(bank.length + 1).split('/')
      if (!names.has(name) && (await this.#keysOf(below)).length > 0) names.add(name)
    }
    return [...names].sort()
  }

  async flush(bank: string, key?: string): Promise<boolean> {
    if (key !== undefined) return (await this.fetch(bank, key)) !== undefined && this.#remove([[bank, key]])
    const banks = [bank, ...(await this.#banksBelow(bank))]
    const held = await inParallel(banks, async (each) => (await this.#keysOf(each)).map((one) => [each, one] as const))
    const wasThere = await this.#remove(held.flat())
    await inParallel(banks, (each) => this.#dynamo.delete('State', { pk: bankPlaces, sk: each }))
    return wasThere
  }

  async #remove(keys: readonly (readonly [bank: string, key: string])[]): Promise<boolean> {
    await inParallel([...keys], ([bank, key]) => this.#dynamo.delete('State', bankKey(bank, key)))
    return keys.length > 0
  }

  async #keysOf(bank: string): Promise<string[]> {
    return (await this.#dynamo.all('State', bankPartition(bank))).map(({ sk }) => sk?.S ?? '')
  }

  async #banksBelow(bank: string): Promise<string[]> {
    return (await this.#dynamo.all('State', bankPlaces, { beginning: `${bank}/` })).map(({ sk }) => sk?.S ?? '')
  }
}
