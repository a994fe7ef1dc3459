// What each store forgets, and that nothing of it is left behind.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reactionKey } from '../../../reaction/plan.ts'
import { eventOf, jobOf, planOf } from '../../../test/contract/samples.ts'
import { EmbeddedAudit } from './audit.ts'
import { EmbeddedJobStore } from './job-store.ts'
import { EmbeddedLedger } from './ledger.ts'
import { EmbeddedMailbox } from './mailbox.ts'
import { sweepAll } from './retention.ts'
import { handClock, type TemporaryStore, temporaryStore } from './temporary-store.ts'
import { EmbeddedTokenStore } from './token-store.ts'

const SECOND = 1_000_000
const DAY = 86_400 * SECOND

describe('retention', () => {
  let temporary: TemporaryStore
  const clock = handClock()

  beforeEach(async () => {
    temporary = await temporaryStore()
  })
  afterEach(() => temporary.remove())

  function rowsIn(...tables: string[]): number {
    return tables.reduce((sum, name) => sum + temporary.store.table(name).count(), 0)
  }

  it('forgets old jobs with all their returns, in steps', async () => {
    const jobs = new EmbeddedJobStore(temporary.store, 3600)
    const minions = Array.from({ length: 700 }, (_, index) => `web${index}`)
    const at = clock.now()
    for (const jid of ['1', '2']) {
      await jobs.create(jobOf(jid, { at }))
      await Promise.all(minions.map((id) => jobs.addReturn(jid, { id, at, load: { return: true } })))
    }
    await jobs.create(jobOf('3', { at: at + 3600 * SECOND }))
    await jobs.addReturn('3', { id: 'web1', at, load: {} })
    expect(await sweepAll([jobs], at + 3600 * SECOND - 1)).toBe(0)
    expect(await sweepAll([jobs], at + 3601 * SECOND)).toBe(1402)
    expect((await jobs.list({ limit: 10 })).map(({ jid }) => jid)).toEqual(['3'])
    expect(rowsIn('jobs', 'job_times', 'returns')).toBe(3)
    expect(await jobs.create(jobOf('1', { at }))).toBe('created')
  })

  it('keeps jobs for good where the retention is 0', async () => {
    const jobs = new EmbeddedJobStore(temporary.store, 0)
    await jobs.create(jobOf('1', { at: 1 }))
    expect(await sweepAll([jobs], clock.now())).toBe(0)
  })

  it('forgets old plans with their reactions and counts', async () => {
    const ledger = new EmbeddedLedger(temporary.store, 3600)
    const lease = { owner: 'a', now: clock.now(), until: clock.now() + SECOND }
    const root = eventOf('root')
    for (const event of [root, ...Array.from({ length: 600 }, () => eventOf('child'))]) {
      const claims = [0, 1].map((ordinal) => ({ key: reactionKey(event.id, ordinal), jid: '1' }))
      await ledger.storePlans([{ plan: { ...planOf(event, 2, root.id), at: clock.now() }, claims }], lease)
    }
    const young = eventOf('young')
    const plan = { ...planOf(young, 1), at: clock.now() + 10 * SECOND }
    await ledger.storePlans([{ plan, claims: [{ key: reactionKey(young.id, 0), jid: '1' }] }], lease)
    await sweepAll([ledger], clock.now() + 3605 * SECOND)
    expect(await ledger.plan(root.id)).toBeUndefined()
    expect(await ledger.plan(young.id)).toEqual({ plan, before: 0 })
    expect(rowsIn('plans', 'ledger', 'roots', 'ledger_times')).toBe(3)
  })

  it('takes expired entries and envelopes out of mailboxes', async () => {
    const mailbox = new EmbeddedMailbox(temporary.store, clock)
    const expiry = clock.now() + SECOND
    await mailbox.put(['a', 'b', 'c'], { jid: '1', envelope: 'x', expiry })
    await mailbox.put(['a', 'b'], { jid: '2', envelope: 'y', expiry: expiry + SECOND })
    await mailbox.settle('b', '1')
    await mailbox.drop('c')
    await sweepAll([mailbox], expiry + 1)
    expect(await mailbox.fetch('a', expiry + 1)).toEqual([{ jid: '2', envelope: 'y', expiry: expiry + SECOND }])
    expect(rowsIn('envelopes')).toBe(1)
    await sweepAll([mailbox], expiry + 2 * SECOND)
    expect(rowsIn('mailbox', 'envelopes', 'mailbox_times')).toBe(0)
  })

  it('forgets expired tokens and used ids', async () => {
    const tokens = new EmbeddedTokenStore(temporary.store, clock)
    const record = { kind: 'minion', name: 'web1', epoch: 1 } as const
    await tokens.issue({ ...record, expires: clock.now() + SECOND })
    const kept = await tokens.issue({ ...record, expires: clock.now() + 2 * SECOND })
    await tokens.useOnce('jti', clock.now() + SECOND)
    await sweepAll([tokens], clock.now() + SECOND + 1)
    expect(rowsIn('tokens', 'used_ids', 'token_times')).toBe(2)
    expect(await tokens.verify(kept)).toBeDefined()
  })

  it('keeps the audit for its days', async () => {
    const audit = new EmbeddedAudit(temporary.store, 90)
    for (let day = 0; day < 100; day++) {
      await audit.record({ at: clock.now() + day * DAY, who: 'fred', what: 'x', detail: { day } })
    }
    await sweepAll([audit], clock.now() + 99 * DAY)
    expect((await audit.recent(1000)).map(({ detail }) => detail.day).at(-1)).toBe(9)
  })
})
