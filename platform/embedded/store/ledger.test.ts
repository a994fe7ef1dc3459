// Leases of an earlier start.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reactionKey } from '../../../reaction/plan.ts'
import { eventOf } from '../../../test/contract/samples.ts'
import { EmbeddedLedger } from './ledger.ts'
import { type TemporaryStore, temporaryStore } from './temporary-store.ts'

describe('EmbeddedLedger', () => {
  let temporary: TemporaryStore
  beforeEach(async () => {
    temporary = await temporaryStore()
  })
  afterEach(() => temporary.remove())

  it('voids the leases of an earlier start at once', async () => {
    const key = reactionKey(eventOf('a').id, 0)
    const lease = { owner: 'embedded', now: 1000, until: 1_000_000_000 }
    const first = await new EmbeddedLedger(temporary.store, 60).claim([{ key, jid: '1' }], lease)
    expect(first).toMatchObject([{ kind: 'claimed', generation: 1, resumed: false }])
    await temporary.reopen()
    const ledger = new EmbeddedLedger(temporary.store, 60)
    const second = await ledger.claim([{ key, jid: '2' }], { ...lease, now: 1001 })
    expect(second).toEqual([{ kind: 'claimed', generation: 2, jid: '1', resumed: true, failures: [] }])
    const stale = { key, generation: 1, at: 1002, change: { kind: 'end', ending: { state: 'done' } } } as const
    expect(await ledger.write([stale, { ...stale, generation: 2 }])).toEqual([false, true])
  })
})
