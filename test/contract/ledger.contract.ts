// What every ledger must do.
import { expect } from 'vitest'
import { Dict, Float } from '../../core/value/value.ts'
import { type Ending, reactionKey } from '../../reaction/plan.ts'
import type { Claim, Lease, Ledger } from '../../reaction/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'
import { eventOf, planOf } from './samples.ts'

const NOW = 1_763_719_200_000_000
const SECOND = 1_000_000
const lease: Lease = { owner: 'a', now: NOW, until: NOW + 30 * SECOND }
const done: Ending = { state: 'done', minions: ['web1'] }
const JID = '20261121100000000000'
const OTHER = '20261121100000000001'

const cases: Cases<Ledger> = {
  'stores a plan once and answers what is stored': async ({ port: ledger, reopen }) => {
    const event = eventOf('a')
    const plan = planOf(event, 2, event.id, { big: 2n ** 60n, float: new Float(1), map: new Dict([[1, 'x']]) })
    const [first] = await ledger.storePlans([{ plan, claims: [] }], lease)
    expect(first).toEqual({ plan, before: 0, claims: [] })
    const again = { ...planOf(event, 1), version: 'v2' }
    const [second] = await ledger.storePlans(
      [{ plan: again, claims: [{ key: reactionKey(event.id, 0), jid: JID }] }],
      lease,
    )
    expect(second).toEqual({ plan, before: 0 })
    expect(await ledger.entries(event.id)).toEqual([])
    const later = await reopen()
    expect(await later.plan(event.id)).toEqual({ plan, before: 0 })
    expect(await later.plan(eventOf('b').id)).toBeUndefined()
  },

  'stores one plan of two that come at once': async ({ port: ledger }) => {
    const event = eventOf('a')
    const plans = ['v1', 'v2'].map((version) => ({ ...planOf(event, 1), version }))
    const claims = [{ key: reactionKey(event.id, 0), jid: JID }]
    const answers = await Promise.all(plans.map((plan) => ledger.storePlans([{ plan, claims }], lease)))
    const stored = answers.flat()
    expect(stored[0]?.plan).toEqual(stored[1]?.plan)
    expect(stored.filter((answer) => answer.claims !== undefined)).toHaveLength(1)
  },

  'opens a window for one event, until it closes': async ({ port: ledger, reopen }) => {
    const until = NOW + 60 * SECOND
    const ask = (event: string, at: number, key = 'w1') => ({
      key,
      event,
      at,
      until: at + 60 * SECOND,
      keep: at + 60 * SECOND,
    })
    const all = await Promise.all(['a', 'b', 'c'].map((event) => ledger.openWindows([ask(event, NOW)])))
    const [holder] = all.flat()
    expect(['a', 'b', 'c']).toContain(holder?.event)
    expect(all.flat()).toEqual([1, 2, 3].map(() => ({ event: holder?.event, at: NOW, until })))
    const later = await reopen()
    const asked = ['a', 'b', 'c'].map((event) => ask(event, NOW + SECOND))
    expect(await later.openWindows(asked)).toEqual(all.flat())
    expect(await later.openWindows([ask('d', NOW + SECOND, 'w2')])).toMatchObject([{ event: 'd' }])
    expect(await later.openWindows([ask('e', until - 1), ask('f', until), ask('g', until + 1)])).toMatchObject([
      { event: holder?.event },
      { event: 'f', at: until },
      { event: 'f' },
    ])
    // The time of a replayed event lies long before: it meets nobody.
    expect(await later.openWindows([ask('h', NOW - 600 * SECOND)])).toMatchObject([{ event: 'h' }])
  },

  'claims with the plan it stores': async ({ port: ledger }) => {
    const event = eventOf('a')
    const claims = [0, 1].map((ordinal) => ({
      key: reactionKey(event.id, ordinal),
      jid: `${JID.slice(0, -1)}${ordinal}`,
    }))
    const [stored] = await ledger.storePlans([{ plan: planOf(event, 3), claims }], lease)
    expect(stored?.claims?.map((claim) => claim.kind === 'claimed' && [claim.generation, claim.jid])).toEqual([
      [1, '20261121100000000000'],
      [1, '20261121100000000001'],
    ])
    const held = await ledger.claim([{ key: reactionKey(event.id, 1), jid: OTHER }], lease)
    expect(held).toEqual([{ kind: 'held', until: lease.until }])
  },

  'answers a batch in its order': async ({ port: ledger }) => {
    const events = Array.from({ length: 30 }, (_, index) => eventOf(`e/${index}`))
    const stored = await ledger.storePlans(
      events.map((event) => ({ plan: planOf(event, 1), claims: [{ key: reactionKey(event.id, 0), jid: JID }] })),
      lease,
    )
    expect(stored.map(({ plan }) => plan.event)).toEqual(events.map(({ id }) => id))
    const claims = await ledger.claim(
      events.map((event, index) => ({ key: reactionKey(event.id, index % 2), jid: JID })),
      lease,
    )
    expect(claims.map(({ kind }) => kind)).toEqual(events.map((_, index) => (index % 2 === 0 ? 'held' : 'claimed')))
  },

  'counts what was planned before for the same root': async ({ port: ledger, reopen }) => {
    const [root, child, grandchild] = [eventOf('a'), eventOf('b'), eventOf('c')]
    const store = async (use: Ledger, event: typeof root, reactions: number): Promise<number | undefined> =>
      (await use.storePlans([{ plan: planOf(event, reactions, root.id), claims: [] }], lease))[0]?.before
    expect(await store(ledger, root, 2)).toBe(0)
    expect(await store(ledger, child, 3)).toBe(2)
    expect(await store(ledger, child, 3)).toBe(2)
    const later = await reopen()
    expect(await store(later, grandchild, 1)).toBe(5)
    expect(await store(later, grandchild, 1)).toBe(5)
    expect(await store(later, eventOf('d'), 1)).toBe(6)
    expect((await later.plan(child.id))?.before).toBe(2)
  },

  'counts a root without a plan of its own': async ({ port: ledger }) => {
    const root = eventOf('nobody wants it')
    const before: (number | undefined)[] = []
    for (const event of [eventOf('b'), eventOf('c')]) {
      before.push((await ledger.storePlans([{ plan: planOf(event, 2, root.id), claims: [] }], lease))[0]?.before)
    }
    expect(before).toEqual([0, 2])
  },

  'gives a claim to one of many': async ({ port: ledger }) => {
    const key = reactionKey(eventOf('a').id, 0)
    const claims = await Promise.all(
      ['a', 'b', 'c', 'a'].map((owner, index) =>
        ledger.claim([{ key, jid: `2026112110000000000${index}` }], { ...lease, owner }),
      ),
    )
    const kinds = claims.flat().map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'claimed')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === 'held')).toHaveLength(3)
  },

  'gives a claim again after its lease, as resumed, with the first jid and a higher generation': async ({
    port: ledger,
  }) => {
    const key = reactionKey(eventOf('a').id, 0)
    const first = claimed(await ledger.claim([{ key, jid: JID }], lease))
    expect([first.resumed, first.failures]).toEqual([false, []])
    const early = await ledger.claim([{ key, jid: OTHER }], { ...lease, owner: 'b', now: lease.until - 1 })
    expect(early).toEqual([{ kind: 'held', until: lease.until }])
    const next = { owner: 'b', now: lease.until + 1, until: lease.until + 30 * SECOND }
    const second = claimed(await ledger.claim([{ key, jid: OTHER }], next))
    expect([second.jid, second.resumed]).toEqual([JID, true])
    expect(second.generation).toBeGreaterThan(first.generation)
    const writes = await ledger.write([
      { key, generation: first.generation, at: NOW, change: { kind: 'end', ending: done } },
      { key, generation: second.generation, at: NOW, change: { kind: 'end', ending: done } },
    ])
    expect(writes).toEqual([false, true])
  },

  'ends a claim once and for all': async ({ port, reopen }) => {
    const event = eventOf('a')
    await port.storePlans([{ plan: planOf(event, 1), claims: [] }], lease)
    const key = reactionKey(event.id, 0)
    const { generation } = claimed(await port.claim([{ key, jid: JID }], lease))
    const end = { key, generation, at: NOW + 5, change: { kind: 'end', ending: done } } as const
    expect(await port.write([end])).toEqual([true])
    expect(await port.write([{ ...end, change: { kind: 'end', ending: { state: 'failed' } } }])).toEqual([false])
    const ledger = await reopen()
    expect(await ledger.claim([{ key, jid: OTHER }], { ...lease, now: NOW + 1000 * SECOND })).toEqual([
      { kind: 'ended', ending: done },
    ])
    expect(await ledger.entries(event.id)).toMatchObject([
      {
        key,
        state: 'done',
        jid: JID,
        generation,
        ending: done,
        claimedAt: NOW,
        endedAt: NOW + 5,
        owner: 'a',
        failures: [],
      },
    ])
  },

  'gives a claim back with its failures': async ({ port: ledger }) => {
    const event = eventOf('a')
    await ledger.storePlans([{ plan: planOf(event, 1), claims: [] }], lease)
    const key = reactionKey(event.id, 0)
    for (const failure of ['no route', undefined, 'busy']) {
      const { generation } = claimed(await ledger.claim([{ key, jid: JID }], lease))
      const change = { kind: 'give-back', ...(failure === undefined ? {} : { failure }) } as const
      expect(await ledger.write([{ key, generation, at: NOW, change }])).toEqual([true])
      expect(await ledger.write([{ key, generation, at: NOW, change }])).toEqual([false])
    }
    expect(await ledger.entries(event.id)).toMatchObject([{ state: 'planned', failures: ['no route', 'busy'] }])
    const claim = claimed(await ledger.claim([{ key, jid: OTHER }], { ...lease, owner: 'b' }))
    expect([claim.resumed, claim.failures, claim.jid]).toEqual([false, ['no route', 'busy'], JID])
  },

  'gives a claim another jid': async ({ port: ledger }) => {
    const key = reactionKey(eventOf('a').id, 0)
    const { generation } = claimed(await ledger.claim([{ key, jid: JID }], lease))
    expect(await ledger.write([{ key, generation, at: NOW, change: { kind: 'jid', jid: OTHER } }])).toEqual([true])
    const next = { owner: 'b', now: lease.until + 1, until: lease.until + SECOND }
    expect(claimed(await ledger.claim([{ key, jid: JID }], next)).jid).toBe(OTHER)
  },

  'prolongs a lease': async ({ port: ledger }) => {
    const key = reactionKey(eventOf('a').id, 0)
    const { generation } = claimed(await ledger.claim([{ key, jid: JID }], lease))
    const until = lease.until + 60 * SECOND
    expect(await ledger.write([{ key, generation, at: NOW, change: { kind: 'renew', until } }])).toEqual([true])
    const early = await ledger.claim([{ key, jid: JID }], { owner: 'b', now: lease.until + 1, until: until + 1 })
    expect(early).toEqual([{ kind: 'held', until }])
  },

  'writes nothing over what is not claimed': async ({ port: ledger }) => {
    const key = reactionKey(eventOf('a').id, 0)
    const write = { key, generation: 0, at: NOW, change: { kind: 'end', ending: done } } as const
    expect(await ledger.write([write, { ...write, generation: 1 }])).toEqual([false, false])
  },

  'answers the entries of one event alone, by ordinal': async ({ port: ledger }) => {
    const [event, other] = [eventOf('a'), eventOf('b')]
    await ledger.storePlans(
      [event, other].map((each) => ({
        plan: planOf(each, 12),
        claims: Array.from({ length: 12 }, (_, ordinal) => ({ key: reactionKey(each.id, ordinal), jid: JID })),
      })),
      lease,
    )
    const keys = (await ledger.entries(event.id)).map(({ key }) => key)
    expect(keys).toEqual(Array.from({ length: 12 }, (_, ordinal) => reactionKey(event.id, ordinal)))
  },

  'reopens what a person may redrive': async ({ port: ledger }) => {
    const event = eventOf('a')
    await ledger.storePlans([{ plan: planOf(event, 2), claims: [] }], lease)
    const keys = [0, 1].map((ordinal) => reactionKey(event.id, ordinal))
    const claims = await ledger.claim(
      keys.map((key) => ({ key, jid: JID })),
      lease,
    )
    const endings: Ending[] = [{ state: 'failed', reason: 'x', redrivable: true }, done]
    await ledger.write(
      claims.map((claim, index) => ({
        key: keys[index] ?? '',
        generation: claimed([claim]).generation,
        at: NOW,
        change: { kind: 'end', ending: endings[index] ?? done },
      })),
    )
    expect(await ledger.reopen(event.id)).toBe(1)
    expect(await ledger.reopen(event.id)).toBe(0)
    expect((await ledger.entries(event.id)).map(({ state, failures }) => [state, failures])).toEqual([
      ['planned', []],
      ['done', []],
    ])
    const again = claimed(await ledger.claim([{ key: keys[0] ?? '', jid: OTHER }], lease))
    expect([again.resumed, again.generation]).toEqual([false, 2])
  },
}

function claimed(claims: readonly Claim[]): Extract<Claim, { kind: 'claimed' }> {
  const [claim] = claims
  if (claim?.kind !== 'claimed') throw new Error(`expected a claim, got ${claim?.kind}`)
  return claim
}

/** The contract of {@link Ledger}. */
export function describeLedgerContract(adapter: string, make: MakeSubject<Ledger>, skips?: Skips): void {
  describeContract<Ledger>('Ledger', adapter, cases, make, skips)
}
