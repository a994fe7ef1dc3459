// What every bank store must do.
import { expect } from 'vitest'
import type { BankStore } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

const cases: Cases<BankStore> = {
  'keeps a value for good': async ({ port, reopen }) => {
    await port.store('fleet', 'a', { list: [1, null, 'ü'], big: 2n ** 60n })
    await port.store('fleet', 'a', { list: [2], big: 2n ** 60n })
    const banks = await reopen()
    expect(await banks.fetch('fleet', 'a')).toEqual({ list: [2], big: 2n ** 60n })
    expect(await banks.fetch('fleet', 'b')).toBeUndefined()
    expect(await banks.fetch('fle', 'et')).toBeUndefined()
  },

  'lists the keys of a bank and the banks directly below': async ({ port: banks }) => {
    for (const [bank, key] of [
      ['a', 'y'],
      ['a', 'x'],
      ['a/deep/er', 'z'],
      ['a/deep', 'w'],
      ['ab', 'no'],
      ['a0', 'no'],
    ] as const)
      await banks.store(bank, key, 1)
    expect(await banks.list('a')).toEqual(['deep', 'x', 'y'])
    expect(await banks.list('a/deep')).toEqual(['er', 'w'])
    expect(await banks.list('nothing')).toEqual([])
  },

  'takes away a key, or a bank with all below': async ({ port: banks }) => {
    for (const [bank, key] of [
      ['a', 'x'],
      ['a/deep', 'y'],
      ['ab', 'z'],
    ] as const)
      await banks.store(bank, key, key)
    expect(await banks.flush('a', 'nothing')).toBe(false)
    expect(await banks.flush('a', 'x')).toBe(true)
    expect(await banks.list('a')).toEqual(['deep'])
    expect(await banks.flush('a')).toBe(true)
    expect(await banks.flush('a')).toBe(false)
    expect(await banks.list('a')).toEqual([])
    expect(await banks.fetch('ab', 'z')).toBe('z')
  },
}

/** The contract of {@link BankStore}. */
export function describeBankStoreContract(adapter: string, make: MakeSubject<BankStore>, skips?: Skips): void {
  describeContract<BankStore>('BankStore', adapter, cases, make, skips)
}
