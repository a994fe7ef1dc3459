// One plan on its way: retries, dead letters, jids, and claims that were cut off or lost.
import { describe, expect, it } from 'vitest'
import { BrineError } from '../core/error.ts'
import { anything, planOf, root, type Sketch, trial, well } from './trial-reactor.ts'

describe('retries', () => {
  it('waits with jitter, doubling, and makes a dead letter of five failed tries', async () => {
    const { react, endings, notices, pass } = trial({
      plan: (event) => planOf(event, [{ id: 'a' }, { id: 'b', requisites: [{ kind: 'require', chunks: [0] }] }]),
      start: () => Promise.reject(new BrineError('the table is throttled', { code: 'throttled' })),
    })
    const waits: number[] = []
    for (let attempt = 1; attempt <= 4; attempt++) {
      const before = pass(0)
      const settlement = await react(attempt)
      if (settlement?.kind === 'later') waits.push(Math.round((settlement.at - before) / 100_000) / 10)
    }
    expect(waits).toEqual([0.5, 1, 2, 4])
    expect(notices).toEqual([])
    expect(await react(5)).toEqual({
      kind: 'dead',
      reason: expect.stringContaining('5 tries failed, the last: the table is throttled'),
    })
    expect((await endings()).map((ending) => [ending?.state, ending?.redrivable])).toEqual([
      ['failed', true],
      ['skipped', true],
    ])
    expect(notices.map(({ tag, data }) => [tag, data.id, data.state])).toEqual([['brine/reactor/error', 'a', 'failed']])
  })

  it('runs a dead letter again after it was reopened', async () => {
    let broken = true
    const { react, inner, log } = trial({
      start: () => (broken ? { kind: 'retry', reason: 'busy' } : well),
      options: { retry: { tries: 1, base: 1, cap: 1 } },
    })
    expect((await react())?.kind).toBe('dead')
    expect((await react(2))?.kind).toBe('dead')
    broken = false
    expect(await inner.reopen(root.id)).toBe(1)
    expect(await react(3)).toEqual({ kind: 'done' })
    expect(log.length).toBe(2)
  })

  it('fails at once for an error that no retry mends, and does not offer a run again that may have begun', async () => {
    const { react, endings } = trial({
      plan: (event) => planOf(event, [{ id: 'job' }, { id: 'run', kind: 'runner' }]),
      start: () => Promise.reject(new Error('no key')),
    })
    expect(await react()).toEqual({ kind: 'dead', reason: 'job: no key' })
    expect((await endings()).map((ending) => [ending?.state, ending?.redrivable])).toEqual([
      ['failed', true],
      ['failed', undefined],
    ])
  })

  it('takes another jid where one is taken, and writes it before it is used', async () => {
    const jids: string[] = []
    const written: (string | undefined)[] = []
    const { react, inner, memory } = trial({
      start: async (_reaction, jid) => {
        jids.push(jid)
        written.push(memory.entries.get(`${root.id}/0`)?.jid)
        return jids.length < 3 ? { kind: 'jid-taken' } : well
      },
    })
    expect(await react()).toEqual({ kind: 'done' })
    expect(new Set(jids).size).toBe(3)
    expect(written).toEqual(jids)
    expect((await inner.entries(root.id))[0]?.jid).toBe(jids[2])
  })

  it('puts the event off while the ledger fails, and gives up what is no passing trouble', async () => {
    const failing = (error: Error) =>
      trial({ ledger: (inner) => ({ ...inner, storePlans: () => Promise.reject(error) }) })
    const busy = failing(new BrineError('busy', { code: 'busy' }))
    expect((await busy.react(1))?.kind).toBe('later')
    expect((await busy.react(99))?.kind).toBe('later')
    const broken = failing(new Error('too large'))
    expect((await broken.react(1))?.kind).toBe('later')
    expect(await broken.react(5)).toEqual({ kind: 'dead', reason: 'too large' })
    expect(broken.reactor.counts().troubled).toBe(2)
  })
})

describe('claims cut off', () => {
  const cutOff = async (sketch: Sketch) => {
    const tried = trial({ plan: (event) => planOf(event, [sketch]) })
    const plan = planOf(root, [sketch])
    const lease = { owner: 'p#0', now: 0, until: 9_000_000_000 }
    await tried.inner.storePlans([{ plan, claims: [{ key: `${root.id}/0`, jid: 'J0' }] }], lease)
    return { ...tried, settlement: await tried.react(2) }
  }

  it('publishes a job again under its first jid', async () => {
    const { settlement, inner, log } = await cutOff({ id: 'a' })
    expect([settlement, log, (await inner.entries(root.id))[0]?.jid]).toEqual([{ kind: 'done' }, ['a'], 'J0'])
  })

  it('runs an idempotent runner again', async () => {
    const { settlement, log } = await cutOff({ id: 'a', kind: 'runner', fun: 'test.again' })
    expect([settlement, log]).toEqual([{ kind: 'done' }, ['a']])
  })

  it('ends any other runner as interrupted, and tells it', async () => {
    const { settlement, log, endings, notices } = await cutOff({ id: 'a', kind: 'runner' })
    expect([settlement, log]).toEqual([{ kind: 'done' }, []])
    expect((await endings())[0]?.state).toBe('interrupted')
    expect(notices.map(({ data }) => data.state)).toEqual(['interrupted'])
  })

  it('comes back when a live lease ends', async () => {
    const { react, inner } = trial({})
    const lease = { owner: 'p#1', now: 0, until: 9_000_000_000 }
    await inner.storePlans([{ plan: planOf(root, [{ id: 'a' }]), claims: [{ key: `${root.id}/0`, jid: 'J0' }] }], lease)
    expect(await react(2)).toEqual({ kind: 'later', at: 9_000_000_000 })
  })

  it('drops and counts the result of a claim that went to another', async () => {
    const { react, inner, reactor, pass, endings } = trial({
      start: async () => {
        pass(400_000_000)
        await inner.claim([{ key: `${root.id}/0`, jid: 'J9' }], { owner: 'p#1', now: pass(0), until: pass(0) + 1000 })
        return well
      },
    })
    expect((await react())?.kind).toBe('later')
    expect(reactor.counts().lost).toBe(1)
    expect(await endings()).toEqual([undefined])
  })

  it('starts nothing more once stopping, and gives back what it holds without a failure', async () => {
    const stop = new AbortController()
    const { reactor, log, inner } = trial({
      plan: (event) =>
        planOf(event, [{ id: 'a' }, { id: 'b' }, { id: 'c', requisites: [{ kind: 'require', chunks: [0] }] }]),
      start: () => {
        stop.abort()
        return well
      },
    })
    const settlements = await reactor.react([{ event: root, attempt: 1 }], anything, { signal: stop.signal })
    expect(settlements.get(root.id)?.kind).toBe('later')
    expect(log).toEqual(['a'])
    expect((await inner.entries(root.id)).map(({ state, failures }) => [state, failures])).toEqual([
      ['done', []],
      ['planned', []],
    ])
  })
})
