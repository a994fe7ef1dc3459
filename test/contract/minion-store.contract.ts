// What every minion store must do.
import { expect } from 'vitest'
import { Dict } from '../../core/value/value.ts'
import type { MinionStore } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

const AT = 1_763_719_200_000_000

const cases: Cases<MinionStore> = {
  'keeps the newest grains': async ({ port, reopen }) => {
    await port.saveGrains('web1', { os: 'Debian' }, '0.1.0', AT)
    await port.saveGrains('web2', { os: 'Ubuntu' }, undefined, AT)
    const grains = { os: 'Debian', roles: ['web'], ports: new Dict([['80', true]]), mem: 2n ** 55n }
    await port.saveGrains('web1', grains, '0.2.0', AT + 1)
    const minions = await reopen()
    expect(byId(await minions.all())).toEqual([
      { id: 'web1', grains, version: '0.2.0', grainsAt: AT + 1 },
      { id: 'web2', grains: { os: 'Ubuntu' }, grainsAt: AT },
    ])
  },

  'keeps the newest time a minion was seen': async ({ port, reopen }) => {
    await port.seen('web1', AT + 2)
    await port.seen('web1', AT + 1)
    await port.seen('web2', AT)
    const expected = new Map([
      ['web1', AT + 2],
      ['web2', AT],
    ])
    expect(await port.lastSeen()).toEqual(expected)
    const minions = await reopen()
    expect(await minions.lastSeen()).toEqual(expected)
  },

  'keeps what minions give to others': async ({ port, reopen }) => {
    await port.saveMine('web1', { 'network.ip_addrs': ['10.0.0.1'], big: 2n ** 55n })
    await port.saveMine('web2', { old: 1 })
    await port.saveMine('web2', { 'test.ping': true })
    const minions = await reopen()
    expect(await minions.mines(['web1', 'web2', 'web3'])).toEqual(
      new Map<string, object>([
        ['web1', { 'network.ip_addrs': ['10.0.0.1'], big: 2n ** 55n }],
        ['web2', { 'test.ping': true }],
      ]),
    )
    await minions.remove('web1')
    expect([...(await minions.mines(['web1', 'web2'])).keys()]).toEqual(['web2'])
  },

  'forgets a minion': async ({ port, reopen }) => {
    for (const id of ['web1', 'web2']) {
      await port.saveGrains(id, {}, undefined, AT)
      await port.seen(id, AT)
    }
    await port.remove('web1')
    await port.remove('web3')
    const minions = await reopen()
    expect((await minions.all()).map(({ id }) => id)).toEqual(['web2'])
    expect([...(await minions.lastSeen()).keys()]).toEqual(['web2'])
  },

  'gives a snapshot that later changes leave alone': async ({ port: minions }) => {
    await minions.saveGrains('web1', { a: 1 }, undefined, AT)
    const [before, seen] = [await minions.all(), await minions.lastSeen()]
    await minions.saveGrains('web2', {}, undefined, AT)
    await minions.seen('web2', AT)
    expect(before).toHaveLength(1)
    expect(seen.size).toBe(0)
  },
}

function byId<T extends { readonly id: string }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The contract of {@link MinionStore}. */
export function describeMinionStoreContract(adapter: string, make: MakeSubject<MinionStore>, skips?: Skips): void {
  describeContract<MinionStore>('MinionStore', adapter, cases, make, skips)
}
