// What every store of orchestrations must do.
import { expect } from 'vitest'
import type { OrchestrationStore, StoredOrchestration } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

const AT = 1_763_719_200_000_000

function record(number: number, over: Partial<StoredOrchestration> = {}): Omit<StoredOrchestration, 'revision'> {
  return { jid: `2025112110000000000${number}`, at: AT + number, isDone: false, body: `j{"n":${number}}`, ...over }
}

const cases: Cases<OrchestrationStore> = {
  'keeps one orchestration a jid': async ({ port, reopen }) => {
    expect(await port.create(record(1))).toBe(true)
    expect(await port.create(record(1, { body: 'jnull' }))).toBe(false)
    const store = await reopen()
    expect(await store.get(record(1).jid)).toEqual({ ...record(1), revision: 1 })
    expect(await store.get(record(2).jid)).toBeUndefined()
  },

  'is written only over the revision that was read': async ({ port: store }) => {
    await store.create(record(1))
    expect(await store.update(record(1, { body: 'j2' }), 1)).toBe(true)
    expect(await store.update(record(1, { body: 'j3' }), 1)).toBe(false)
    expect(await store.update(record(9), 1)).toBe(false)
    expect(await store.get(record(1).jid)).toEqual({ ...record(1, { body: 'j2' }), revision: 2 })
  },

  'lets one of two writers win': async ({ port: store }) => {
    await store.create(record(1))
    const won = await Promise.all(['ja', 'jb', 'jc'].map((body) => store.update(record(1, { body }), 1)))
    expect(won.filter(Boolean)).toHaveLength(1)
  },

  'knows what is not done, and lists the newest first': async ({ port, reopen }) => {
    for (const number of [2, 1, 3]) await port.create(record(number))
    await port.update(record(2, { isDone: true }), 1)
    const store = await reopen()
    expect((await store.unfinished()).sort()).toEqual([record(1).jid, record(3).jid])
    expect((await store.list(2)).map(({ jid, isDone }) => [jid, isDone])).toEqual([
      [record(3).jid, false],
      [record(2).jid, true],
    ])
  },

  'takes a large body': async ({ port: store }) => {
    const body = `j${JSON.stringify(Array.from({ length: 40_000 }, (_, each) => each * 7919))}`
    await store.create(record(1))
    expect(await store.update(record(1, { body }), 1)).toBe(true)
    expect((await store.get(record(1).jid))?.body).toBe(body)
  },
}

/** The contract of {@link OrchestrationStore}. */
export function describeOrchestrationStoreContract(
  adapter: string,
  make: MakeSubject<OrchestrationStore>,
  skips?: Skips,
): void {
  describeContract<OrchestrationStore>('OrchestrationStore', adapter, cases, make, skips)
}
