// What every key ring must do.
import { expect } from 'vitest'
import type { KeyRecord, KeyRing } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

type Next = Omit<KeyRecord, 'revision'>

const cases: Cases<KeyRing> = {
  'keeps a record as it is': async ({ port, reopen }) => {
    const next: Next = {
      id: 'web1',
      epoch: 3,
      current: {
        state: 'accepted',
        pub: 'PEM',
        since: 5,
        announced: 4,
        identity: { account: '1', region: 'eu-west-1' },
      },
      denied: [{ pub: 'OTHER', at: 6 }],
    }
    expect(await port.update(next, undefined)).toBe(true)
    const keys = await reopen()
    expect(await keys.get('web1')).toMatchObject(next)
    expect(await keys.get('web2')).toBeUndefined()
    expect(await keys.list()).toEqual([await keys.get('web1')])
  },

  'writes only over the revision that was read': async ({ port: keys }) => {
    expect(await keys.update(pending('web1', 'A'), undefined)).toBe(true)
    expect(await keys.update(pending('web1', 'B'), undefined)).toBe(false)
    const first = (await keys.get('web1'))?.revision
    expect(await keys.update(accepted('web1', 'A'), first)).toBe(true)
    expect(await keys.update(pending('web1', 'B'), first)).toBe(false)
    expect((await keys.get('web1'))?.current).toMatchObject({ state: 'accepted', pub: 'A' })
    expect((await keys.get('web1'))?.revision).not.toBe(first)
    expect(await keys.update(pending('web2', 'B'), 1)).toBe(false)
    expect(await keys.get('web2')).toBeUndefined()
  },

  'lets one of many win': async ({ port: keys }) => {
    const updates = Array.from({ length: 10 }, (_, index) => keys.update(pending('web1', `key ${index}`), undefined))
    const won = (await Promise.all(updates)).indexOf(true)
    expect((await Promise.all(updates)).filter((each) => each)).toHaveLength(1)
    expect((await keys.get('web1'))?.current?.pub).toBe(`key ${won}`)
  },

  'remembers the epoch of a deleted key': async ({ port, reopen }) => {
    await port.update(accepted('web1', 'A'), undefined)
    const { revision } = (await port.get('web1')) ?? {}
    expect(await port.update({ id: 'web1', epoch: 2, denied: [] }, revision)).toBe(true)
    const keys = await reopen()
    const record = await keys.get('web1')
    expect([record?.epoch, record?.current]).toEqual([2, undefined])
  },

  'lists all, each once': async ({ port: keys }) => {
    for (let index = 0; index < 30; index++) await keys.update(pending(`web${index}`, 'A'), undefined)
    await keys.update(accepted('web7', 'A'), (await keys.get('web7'))?.revision)
    const ids = (await keys.list()).map(({ id }) => id).sort()
    expect(ids).toEqual(Array.from({ length: 30 }, (_, index) => `web${index}`).sort())
  },
}

function pending(id: string, pub: string): Next {
  return { id, epoch: 1, current: { state: 'pending', pub, since: 1 }, denied: [] }
}

function accepted(id: string, pub: string): Next {
  return { id, epoch: 1, current: { state: 'accepted', pub, since: 2 }, denied: [] }
}

/** The contract of {@link KeyRing}. */
export function describeKeyRingContract(adapter: string, make: MakeSubject<KeyRing>, skips?: Skips): void {
  describeContract<KeyRing>('KeyRing', adapter, cases, make, skips)
}
