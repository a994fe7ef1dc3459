// What every timer port must do.
import { expect } from 'vitest'
import type { Timers } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

const AT = 1_763_719_200_000_000

const cases: Cases<Timers> = {
  'is due from its time on, oldest first': async ({ port: timers }) => {
    await timers.set('b', AT + 2, { n: 2 })
    await timers.set('a', AT + 3, { n: 3 })
    await timers.set('c', AT + 1, { n: 1 })
    expect(await timers.due(AT, 10)).toEqual([])
    expect((await timers.due(AT + 2, 10)).map(({ name, at }) => [name, at])).toEqual([
      ['c', AT + 1],
      ['b', AT + 2],
    ])
    expect((await timers.due(AT + 9, 1)).map(({ name }) => name)).toEqual(['c'])
  },

  'stays due until it is cancelled': async ({ port, reopen }) => {
    await port.set('a', AT, { list: [1, 'x'], big: 2n ** 60n })
    await port.due(AT, 10)
    const timers = await reopen()
    expect(await timers.due(AT, 10)).toEqual([{ name: 'a', at: AT, data: { list: [1, 'x'], big: 2n ** 60n } }])
    await timers.cancel('a')
    await timers.cancel('unknown')
    expect(await timers.due(AT, 10)).toEqual([])
  },

  'is replaced by one of the same name': async ({ port: timers }) => {
    await timers.set('a', AT, { n: 1 })
    await timers.set('a', AT + 5, { n: 2 })
    expect(await timers.due(AT + 4, 10)).toEqual([])
    await timers.set('a', AT + 1, { n: 3 })
    expect(await timers.due(AT + 9, 10)).toEqual([{ name: 'a', at: AT + 1, data: { n: 3 } }])
  },
}

/** The contract of {@link Timers}. */
export function describeTimersContract(adapter: string, make: MakeSubject<Timers>, skips?: Skips): void {
  describeContract<Timers>('Timers', adapter, cases, make, skips)
}
