// What every ledger has to keep: the promises above the port, as tests that each adapter runs.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../reaction/plan.ts'
import { reactionKey } from '../../reaction/plan.ts'
import type { Claim, ClaimChange, Ledger, NewPlan } from '../../reaction/ports.ts'

/** A ledger under test. */
export interface LedgerUnderTest {
  readonly ledger: Ledger
  /** The owner that this process claims for. */
  readonly owner: string
  /** Where only one process can have the store: an owner of an earlier boot, whose leases are void. */
  readonly earlier?: string
  /** The same store after the process was replaced; absent where there is nothing to come back to. */
  readonly again?: () => Promise<LedgerUnderTest>
  readonly close: () => Promise<void>
}

/** Microseconds. */
const NOW = 1_700_000_000_000_000
const LEASE = 330_000_000

/** A plan of so many reactions, with values that JSON alone would lose. */
export function planFor(event: string, reactions: number, root = event): Plan {
  return {
    event,
    tag: `tag/${event}`,
    at: NOW,
    version: 'v1',
    root,
    files: [{ glob: '*', name: 'a.sls', hash: 'ab', text: 'a:\n  local.test.ping: []\n' }],
    reactions: Array.from({ length: reactions }, (_, ordinal) => ({
      ordinal,
      file: 0,
      id: `id${ordinal}`,
      name: 'né "quoted"',
      type: 'local',
      fun: 'test.arg',
      call: {
        kind: 'local',
        tgt: ['web1', 'web2'],
        tgtType: 'list',
        fun: 'test.arg',
        arg: [12345678901234567890n, null, true, { nested: [1.5] }],
        kwarg: { a: 'b' },
        ret: '',
        expiresIn: 3600,
      },
      requisites: ordinal === 0 ? [] : [{ kind: 'require', chunks: [ordinal - 1] }],
      warnings: ['one'],
    })),
  }
}

/** Runs the contract. `open` makes an empty ledger each time. */
export function ledgerContract(name: string, open: () => Promise<LedgerUnderTest>): void {
  describe(`the contract of a ledger: ${name}`, () => {
    let under: LedgerUnderTest
    beforeEach(async () => {
      under = await open()
    })
    afterEach(async () => {
      await under.close()
    })

    const lease = (now = NOW, owner = under.owner) => ({ owner, now, until: now + LEASE })
    const ask = (event: string, ordinal: number, jid = `J${ordinal}`) => ({ key: reactionKey(event, ordinal), jid })
    const store = (...plans: NewPlan[]) => under.ledger.storePlans(plans, lease())
    const stored = async (event: string, reactions = 1): Promise<Plan> => {
      const plan = planFor(event, reactions)
      await store({ plan, claims: [] })
      return plan
    }
    const claimOne = async (event: string, now = NOW, owner = under.owner): Promise<Claim | undefined> =>
      (await under.ledger.claim([ask(event, 0, `J${now}`)], lease(now, owner)))[0]
    const change = async (
      event: string,
      generation: number,
      what: ClaimChange,
      at = NOW,
    ): Promise<boolean | undefined> =>
      (await under.ledger.write([{ key: reactionKey(event, 0), generation, at, change: what }]))[0]

    it('gives a plan back as it was stored, to the last value', async () => {
      const plan = await stored('E1', 2)
      expect(await under.ledger.plan('E1')).toEqual({ plan, before: 0 })
      expect(await under.ledger.plan('E2')).toBeUndefined()
    })

    it('keeps the first plan of an event and answers it to all who come later', async () => {
      const plan = await stored('E1', 2)
      const [second] = await store({
        plan: { ...planFor('E1', 3), version: 'v2' },
        claims: [ask('E1', 0), ask('E1', 2)],
      })
      expect(second).toEqual({ plan, before: 0 })
      expect(await under.ledger.entries('E1')).toEqual([])
    })

    it('makes the claims of a plan in the write that stores it', async () => {
      const [answer] = await store({ plan: planFor('E1', 3), claims: [ask('E1', 0), ask('E1', 1)] })
      expect(answer?.claims).toEqual(
        [0, 1].map((ordinal) => ({ kind: 'claimed', generation: 1, jid: `J${ordinal}`, resumed: false, failures: [] })),
      )
      expect(await claimOne('E1', NOW + 1)).toEqual({ kind: 'held', until: NOW + LEASE })
      const entries = await under.ledger.entries('E1')
      expect(entries.map(({ key, state, jid, claimedAt }) => [key, state, jid, claimedAt])).toEqual([
        ['E1/0', 'running', 'J0', NOW],
        ['E1/1', 'running', 'J1', NOW],
      ])
    })

    it('lets one of many who store at once win, and answers its plan to all', async () => {
      const tries = Array.from({ length: 8 }, (_, index) =>
        store({ plan: { ...planFor('E1', 1), version: `v${index}` }, claims: [ask('E1', 0)] }),
      )
      const answers = (await Promise.all(tries)).map(([answer]) => answer)
      expect(new Set(answers.map((answer) => answer?.plan.version)).size).toBe(1)
      expect(answers.filter((answer) => answer?.claims !== undefined).length).toBe(1)
    })

    it('takes the same event twice in one call as one', async () => {
      const answers = await store(
        { plan: planFor('E1', 1), claims: [ask('E1', 0)] },
        { plan: { ...planFor('E1', 2), version: 'v2' }, claims: [ask('E1', 0)] },
      )
      expect(answers.map(({ plan, claims }) => [plan.version, claims?.length])).toEqual([
        ['v1', 1],
        ['v1', undefined],
      ])
    })

    it('counts the reactions planned before for the same root, once a plan', async () => {
      const children = ['E2', 'E3'].map((event, index) => ({ plan: planFor(event, index + 2, 'E1'), claims: [] }))
      await stored('E1', 4)
      expect((await store(...children)).map(({ before }) => before)).toEqual([4, 6])
      expect((await store(...children)).map(({ before }) => before)).toEqual([4, 6])
      expect((await store({ plan: planFor('E4', 1, 'E1'), claims: [] }))[0]?.before).toBe(9)
      expect((await under.ledger.plan('E3'))?.before).toBe(6)
      expect((await store({ plan: planFor('F1', 1), claims: [] }))[0]?.before).toBe(0)
    })

    it('holds a lease against everybody until it ends, the same owner too', async () => {
      await stored('E1')
      expect(await claimOne('E1')).toMatchObject({ kind: 'claimed', generation: 1, resumed: false })
      expect(await claimOne('E1', NOW + LEASE - 1)).toEqual({ kind: 'held', until: NOW + LEASE })
      expect(await claimOne('E1', NOW + LEASE + 1)).toEqual({
        kind: 'claimed',
        generation: 2,
        jid: `J${NOW}`,
        resumed: true,
        failures: [],
      })
    })

    it('lets one of many who claim at once win', async () => {
      await stored('E1')
      const claims = await Promise.all(Array.from({ length: 8 }, () => claimOne('E1')))
      expect(claims.filter((claim) => claim?.kind === 'claimed').length).toBe(1)
      expect(claims.filter((claim) => claim?.kind === 'held').length).toBe(7)
    })

    it('ends a claim once, and only by its newest generation', async () => {
      await stored('E1')
      await claimOne('E1')
      await claimOne('E1', NOW + LEASE + 1)
      const end: ClaimChange = { kind: 'end', ending: { state: 'done', success: true, minions: ['web1'] } }
      expect(await change('E1', 1, end)).toBe(false)
      expect(await change('E1', 2, end, NOW + 7)).toBe(true)
      expect(await change('E1', 2, { kind: 'end', ending: { state: 'failed' } })).toBe(false)
      expect(await claimOne('E1', NOW + 9 * LEASE)).toEqual({ kind: 'ended', ending: end.ending })
      expect((await under.ledger.entries('E1'))[0]).toMatchObject({
        key: 'E1/0',
        state: 'done',
        generation: 2,
        endedAt: NOW + 7,
        ending: end.ending,
      })
    })

    it('notes failures, keeps the jid, and does not call what was given back resumed', async () => {
      await stored('E1')
      await claimOne('E1')
      expect(await change('E1', 1, { kind: 'give-back', failure: 'busy' })).toBe(true)
      expect(await change('E1', 1, { kind: 'end', ending: { state: 'done' } })).toBe(false)
      expect(await claimOne('E1', NOW + 1)).toEqual({
        kind: 'claimed',
        generation: 2,
        jid: `J${NOW}`,
        resumed: false,
        failures: ['busy'],
      })
      expect(await change('E1', 2, { kind: 'give-back' })).toBe(true)
      expect(await claimOne('E1', NOW + 2)).toMatchObject({ generation: 3, failures: ['busy'] })
      expect(await change('E1', 3, { kind: 'give-back', failure: 'busy again' })).toBe(true)
      expect((await under.ledger.entries('E1'))[0]).toMatchObject({
        state: 'planned',
        failures: ['busy', 'busy again'],
      })
    })

    it('writes another jid over the claim, which stays', async () => {
      await stored('E1')
      await claimOne('E1')
      expect(await change('E1', 1, { kind: 'jid', jid: 'K1' })).toBe(true)
      expect(await claimOne('E1', NOW + 1)).toMatchObject({ kind: 'held' })
      expect(await claimOne('E1', NOW + LEASE + 1)).toMatchObject({ kind: 'claimed', jid: 'K1', resumed: true })
      expect(await change('E1', 1, { kind: 'jid', jid: 'K2' })).toBe(false)
    })

    it('prolongs a lease', async () => {
      await stored('E1')
      await claimOne('E1')
      expect(await change('E1', 1, { kind: 'renew', until: NOW + 3 * LEASE })).toBe(true)
      expect(await claimOne('E1', NOW + 2 * LEASE)).toEqual({ kind: 'held', until: NOW + 3 * LEASE })
    })

    it('writes each item on its own: what is refused does not hold up the rest', async () => {
      await store({ plan: planFor('E1', 3), claims: [ask('E1', 0), ask('E1', 2)] })
      const ending = { kind: 'end', ending: { state: 'done' } } as const
      const results = await under.ledger.write([
        { key: 'E1/0', generation: 9, at: NOW, change: ending },
        { key: 'E1/1', generation: 1, at: NOW, change: ending },
        { key: 'E1/2', generation: 1, at: NOW, change: ending },
      ])
      expect(results).toEqual([false, false, true])
    })

    it('reopens what ended redrivable, without failures, and nothing else', async () => {
      await store({ plan: planFor('E1', 3), claims: [ask('E1', 0), ask('E1', 1), ask('E1', 2)] })
      const end = (ordinal: number, ending: Extract<ClaimChange, { kind: 'end' }>['ending']) =>
        under.ledger.write([
          { key: reactionKey('E1', ordinal), generation: 1, at: NOW, change: { kind: 'end', ending } },
        ])
      await end(0, { state: 'failed', reason: 'all tries', redrivable: true })
      await end(1, { state: 'skipped', redrivable: true })
      await end(2, { state: 'failed', reason: 'for good' })
      expect(await under.ledger.reopen('E1')).toBe(2)
      expect(await under.ledger.reopen('E1')).toBe(0)
      expect((await under.ledger.entries('E1')).map(({ state, failures }) => [state, failures])).toEqual([
        ['planned', []],
        ['planned', []],
        ['failed', []],
      ])
      expect(await claimOne('E1')).toMatchObject({ kind: 'claimed', jid: 'J0', resumed: false, generation: 2 })
      expect(await under.ledger.reopen('E2')).toBe(0)
    })

    it('stores and claims a thousand plans in one call', async () => {
      const plans = Array.from({ length: 1000 }, (_, index) => ({
        plan: planFor(`E${index}`, 1),
        claims: [ask(`E${index}`, 0)],
      }))
      const answers = await store(...plans)
      expect(answers.map(({ plan }) => plan.event)).toEqual(plans.map(({ plan }) => plan.event))
      expect(answers.every(({ claims }) => claims?.[0]?.kind === 'claimed')).toBe(true)
    })

    it('finds everything again after a restart, and the leases of the earlier boot void where one process owns the store', async (context) => {
      const reopen = under.again
      if (reopen === undefined) return context.skip('this ledger has nothing to come back to')
      const plan = planFor('E1', 2)
      await store({ plan, claims: [ask('E1', 0)] })
      under = await reopen()
      expect(await under.ledger.plan('E1')).toEqual({ plan, before: 0 })
      const claim = await claimOne('E1', NOW + 1)
      if (under.earlier === undefined) expect(claim?.kind).toBe('held')
      else expect(claim).toMatchObject({ kind: 'claimed', generation: 2, jid: 'J0', resumed: true })
      return undefined
    })
  })
}
