// The engine over a ledger in memory: batches, order, requisites, limits, and what is told.
import { describe, expect, it } from 'vitest'
import { causeOf } from '../core/event/event.ts'
import type { Ending } from './plan.ts'
import type { ReactorSet } from './ports.ts'
import { anything, planOf, root, trial, well } from './trial-reactor.ts'

describe('reacting', () => {
  it('stores and claims a whole batch in one call', async () => {
    const { reactor, calls, log } = trial({})
    const events = Array.from({ length: 300 }, (_, index) => ({ ...root, id: `E${index}` }))
    const settlements = await reactor.react(
      events.map((event) => ({ event, attempt: 1 })),
      anything,
    )
    expect(settlements.size).toBe(300)
    expect([...settlements.values()].every(({ kind }) => kind === 'done')).toBe(true)
    expect(log.length).toBe(300)
    expect(calls).toEqual({ plans: 300, store: 1, claim: 0 })
    expect(reactor.counts()).toMatchObject({ planned: 300, started: 300, done: 300, lost: 0 })
  })

  it('runs the stored plan on a later delivery, whatever the reactors say now', async () => {
    let id = 'first'
    const { react, log, calls, endings } = trial({
      plan: (event) => planOf(event, [{ id }]),
      start: () => (log.length === 1 ? { kind: 'retry', reason: 'busy' } : well),
    })
    expect(await react()).toMatchObject({ kind: 'later' })
    id = 'second'
    expect(await react(2)).toEqual({ kind: 'done' })
    expect(await react(1)).toEqual({ kind: 'done' })
    expect(log).toEqual(['first', 'first'])
    expect(calls.plans).toBe(2)
    expect(await endings()).toEqual([{ state: 'done', success: true }])
  })

  it('runs the stored plan even where the delivery is called the first', async () => {
    let id = 'first'
    const { react, log } = trial({
      plan: (event) => planOf(event, [{ id }]),
      start: () => (log.length === 1 ? { kind: 'retry', reason: 'busy' } : well),
    })
    await react(1)
    id = 'second'
    expect(await react(1)).toEqual({ kind: 'done' })
    expect(log).toEqual(['first', 'first'])
  })

  it('settles what matches nothing without a trace', async () => {
    const { reactor, calls } = trial({})
    const nothing: ReactorSet = { version: 'v1', entries: [], wants: () => false, matching: () => [] }
    const settlements = await reactor.react([{ event: root, attempt: 1 }], nothing)
    expect(settlements.get(root.id)).toEqual({ kind: 'done' })
    expect(calls.store).toBe(0)
  })

  it('tells each settlement as soon as it stands, while another event runs on', async () => {
    let finish: (ending: Ending) => void = () => undefined
    const slow = new Promise<Ending>((resolve) => {
      finish = resolve
    })
    const { reactor } = trial({
      plan: (event) => planOf(event, [{ id: event.id, kind: 'runner' }]),
      start: ({ id }) => (id === 'slow' ? { kind: 'started', ended: slow } : well),
    })
    const told: string[] = []
    const batch = ['slow', 'quick'].map((id) => ({ event: { ...root, id }, attempt: 1 }))
    const work = reactor.react(batch, anything, { settled: (id) => void told.push(id) })
    await new Promise((resolve) => setImmediate(resolve))
    expect(told).toEqual(['quick'])
    finish({ state: 'done' })
    await work
    expect(told).toEqual(['quick', 'slow'])
  })
})

describe('order and requisites', () => {
  it('starts a job after the one before it is published, and runs side by side', async () => {
    const order: string[] = []
    const { react } = trial({
      plan: (event) =>
        planOf(event, [{ id: 'job1' }, { id: 'run1', kind: 'runner' }, { id: 'run2', kind: 'runner' }, { id: 'job2' }]),
      start: async ({ id }) => {
        order.push(`${id} starts`)
        await new Promise((resolve) => setImmediate(resolve))
        order.push(`${id} started`)
        if (id.startsWith('job')) return well
        const ended = new Promise<Ending>((resolve) =>
          setTimeout(() => {
            order.push(`${id} ends`)
            resolve({ state: 'done' })
          }, 10),
        )
        return { kind: 'started', ended }
      },
    })
    expect(await react()).toEqual({ kind: 'done' })
    expect(order).toEqual([
      'job1 starts',
      'job1 started',
      'run1 starts',
      'run1 started',
      'run2 starts',
      'run2 started',
      'job2 starts',
      'job2 started',
      'run1 ends',
      'run2 ends',
    ])
  })

  it('skips what requires an unsuccessful run, and runs what waits for the failure', async () => {
    const { react, log, endings, notices } = trial({
      plan: (event) =>
        planOf(event, [
          { id: 'a', kind: 'runner' },
          { id: 'b', requisites: [{ kind: 'require', chunks: [0] }] },
          { id: 'c', requisites: [{ kind: 'require', chunks: [1] }] },
          { id: 'd', requisites: [{ kind: 'onfail', chunks: [0] }] },
        ]),
      start: ({ id }) =>
        id === 'a'
          ? { kind: 'started', ended: Promise.resolve({ state: 'done', success: false, reason: 'no' }) }
          : well,
    })
    expect(await react()).toEqual({ kind: 'done' })
    expect(log).toEqual(['a', 'd'])
    expect((await endings()).map((ending) => ending?.state)).toEqual(['done', 'skipped', 'skipped', 'done'])
    expect(notices).toEqual([])
  })

  it('puts off with a retry what requires it, and goes on with the rest', async () => {
    const { react, log, pass } = trial({
      plan: (event) =>
        planOf(event, [{ id: 'a' }, { id: 'b' }, { id: 'c', requisites: [{ kind: 'require', chunks: [0] }] }]),
      start: ({ id }) => (id === 'a' && log.length === 1 ? { kind: 'retry', reason: 'busy' } : well),
    })
    expect((await react())?.kind).toBe('later')
    expect(log).toEqual(['a', 'b'])
    pass(10_000_000)
    expect(await react(2)).toEqual({ kind: 'done' })
    expect(log).toEqual(['a', 'b', 'a', 'c'])
  })
})

describe('what is told', () => {
  it('tells broken files and refused calls, with the same ids each time', async () => {
    const files = [
      { glob: 't', name: 'a.sls', hash: '', text: '' },
      {
        glob: 't',
        name: 'bad.sls',
        hash: '',
        text: '',
        error: { code: 'undefined', message: "'x' is undefined", place: 'bad.sls:3' },
      },
    ]
    const { react, notices, reactor } = trial({
      plan: (event) => planOf(event, [{ id: 'a', kind: 'refused' }], files),
    })
    expect(await react()).toEqual({ kind: 'done' })
    expect(reactor.counts()).toMatchObject({ planned: 1, fileErrors: 1, refused: 1, started: 0 })
    const first = [...notices]
    expect(first.map(({ tag, data }) => [tag, data])).toEqual([
      [
        'brine/reactor/error',
        {
          event: root.id,
          tag: 't',
          glob: 't',
          file: 'bad.sls',
          error: "'x' is undefined",
          code: 'undefined',
          place: 'bad.sls:3',
          version: 'v1',
        },
      ],
      [
        'brine/reactor/error',
        {
          event: root.id,
          tag: 't',
          glob: 't',
          file: 'a.sls',
          id: 'a',
          fun: 'refused.test.ping',
          state: 'refused',
          error: 'it has no tgt',
          version: 'v1',
        },
      ],
    ])
    expect(first[0]?.cause).toEqual(causeOf(root, 't', 'bad.sls'))
    expect(first[0]?.id).toMatch(/^0123456789[0-9A-Z]{16}$/)
    await react(2)
    expect(notices.slice(2).map(({ id }) => id)).toEqual(first.map(({ id }) => id))
  })

  it('refuses what is past the total of its root event, and tells the loop once', async () => {
    const { react, log, endings, notices } = trial({
      plan: (event) => planOf(event, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]),
      options: { limits: { depth: 16, total: 4, repeats: 3, perMinute: 0 } },
    })
    const second = { ...root, id: '0123456789SECOND00000000AA', cause: causeOf(root, '*', 'a.sls') }
    await react()
    await react(1, second)
    expect(log).toEqual(['a', 'b', 'c', 'a'])
    expect((await endings(second)).map((ending) => ending?.state)).toEqual(['done', 'refused', 'refused'])
    expect(notices.map(({ tag, data }) => [tag, data.event, data.root])).toEqual([
      ['brine/reactor/loop', second.id, root.id],
    ])
    expect(notices[0]?.data.refused).toMatchObject([{ id: 'b' }, { id: 'c' }])
  })

  it.each([
    ['a refused call', undefined, 'refused'],
    [
      'a broken file',
      [{ glob: 't', name: 'a.sls', hash: '', text: '', error: { code: 'yaml', message: 'no' } }],
      undefined,
    ],
  ] as const)('is not done before it could tell %s', async (_name, files, state) => {
    const { react, endings } = trial({
      plan: (event) => planOf(event, files === undefined ? [{ id: 'a', kind: 'refused' }] : [], files),
      fire: () => Promise.reject(new Error('the bus is away')),
    })
    expect((await react())?.kind).toBe('later')
    expect((await endings())[0]?.state).toBe(state)
  })
})
