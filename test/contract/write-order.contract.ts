// What every port for writes that build on one another must do.
import { expect } from 'vitest'
import type { Timers, WriteOrder } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject } from './contract.ts'

/** The port, and another one to write by. */
interface Writing {
  readonly writes: WriteOrder
  readonly timers: Timers
}

const AT = 1_763_719_200_000_000
const failing = (): Promise<void> => Promise.reject(new Error('the disk is away'))

const cases: Cases<Writing> = {
  'makes all, and they are durable when it resolves': async ({ port: { writes, timers }, reopen }) => {
    const set = (name: string) => timers.set(name, AT, { name })
    await writes.inOrder(
      () => set('a'),
      () => Promise.all([set('b'), set('c')]),
      () => set('d'),
    )
    const again = await reopen()
    expect((await again.timers.due(AT, 10)).map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd'])
  },

  'lets a later one stand over an earlier one': async ({ port: { writes, timers } }) => {
    await writes.inOrder(
      () => timers.set('a', AT, { n: 1 }),
      () => timers.set('a', AT, { n: 2 }),
    )
    expect(await timers.due(AT, 10)).toEqual([{ name: 'a', at: AT, data: { n: 2 } }])
  },

  'waits for one that does something else first': async ({ port: { writes, timers } }) => {
    await writes.inOrder(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        await timers.set('a', AT, { n: 1 })
      },
      () => timers.set('a', AT, { n: 2 }),
    )
    expect(await timers.due(AT, 10)).toEqual([{ name: 'a', at: AT, data: { n: 2 } }])
  },

  'rejects as the one that fails, and makes none after it': async ({ port: { writes, timers } }) => {
    const set = (name: string) => () => timers.set(name, AT, {})
    await expect(writes.inOrder(set('a'), failing, set('b'))).rejects.toThrow('the disk is away')
    await writes.inOrder(set('c'))
    expect((await timers.due(AT, 10)).map(({ name }) => name).sort()).toEqual(['a', 'c'])
  },
}

/** The contract of {@link WriteOrder}. */
export function describeWriteOrderContract(adapter: string, make: MakeSubject<Writing>): void {
  describeContract<Writing>('WriteOrder', adapter, cases, make)
}
