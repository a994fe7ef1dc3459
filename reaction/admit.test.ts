// What the breaker and `once_within` refuse: counted by entry and minion, by entry and group, and kept in the ledger.
import { describe, expect, it } from 'vitest'
import type { Event } from '../core/event/event.ts'
import { replayMark } from '../core/event/replay-mark.ts'
import { stampOf } from '../core/event/stamp.ts'
import type { Mapping } from '../core/value/index.ts'
import { createBreaker } from './breaker.ts'
import { defaultLoopLimits } from './limits.ts'
import type { MatchedFile, StoredReactorSet } from './ports.ts'
import { createReactorSet } from './reactor-set.ts'
import { planOf, type Setting, trial } from './trial-reactor.ts'

const MINUTE = 60_000_000
const START = Date.UTC(2026, 0, 1) * 1000

const from = (entries: StoredReactorSet['entries']) =>
  createReactorSet({
    version: 'v',
    entries,
    files: entries.flatMap(({ files }) => files.map((file) => ({ reference: file, name: file, text: file }))),
  })

let numbers = 0
const event = (data: Mapping, more: Partial<Event> = {}): Event => ({
  id: `01${String(++numbers).padStart(24, '0')}`,
  tag: 'disk',
  data,
  source: 'custom',
  ...more,
})

const planned = (each: Event, matched: readonly MatchedFile[]) =>
  planOf(
    each,
    matched.flatMap(({ name, refusal }, file) => (refusal === undefined ? [{ id: name, file }] : [])),
    matched.map(({ glob, name, refusal }) => ({ glob, name, hash: '', text: '', ...(refusal && { error: refusal }) })),
  )

/** Reacts to the events one after the other; answers the codes of what was refused, by event. */
async function reactAll(set: StoredReactorSet['entries'], events: readonly Event[], setting: Setting = {}) {
  const on = trial({ plan: planned, ...setting })
  on.pass(START)
  const answers: string[] = []
  for (const each of events) answers.push(await reactOne(on, set, each))
  return { on, answers }
}

async function reactOne(on: ReturnType<typeof trial>, set: StoredReactorSet['entries'], each: Event): Promise<string> {
  await on.reactor.react([{ event: each, attempt: 1 }], from(set))
  const files = (await on.inner.plan(each.id))?.plan.files
  return files?.map(({ error }) => error?.code ?? 'reacts').join() ?? 'nothing'
}

const once = [{ glob: 'disk', files: ['a.sls', 'b.sls'], onceWithin: 300, groupBy: ['data.id'] }]

describe('once_within', () => {
  it('reacts with all its files to one event of each group in the time, and again after it', async () => {
    const { on, answers } = await reactAll(once, [
      event({ id: 'web1' }),
      event({ id: 'web1' }),
      event({ id: 'web2' }),
      event({}),
    ])
    expect(answers).toEqual(['reacts,reacts', 'once-within,once-within', 'reacts,reacts', 'reacts,reacts'])
    on.pass(5 * MINUTE)
    expect(await reactOne(on, once, event({ id: 'web1' }))).toBe('reacts,reacts')
    expect(on.notices).toEqual([])
  })

  it('lets the same event through again when it comes twice before its plan is stored', async () => {
    const twice = event({ id: 'web1' })
    let fails = true
    const { on } = await reactAll(once, [], {
      ledger: (inner) => ({
        ...inner,
        storePlans: async (plans, lease) => {
          if (fails) throw new Error('the process dies here')
          return inner.storePlans(plans, lease)
        },
      }),
    })
    expect(await reactOne(on, once, twice)).toBe('nothing')
    fails = false
    expect(await reactOne(on, once, twice)).toBe('reacts,reacts')
    expect(await reactOne(on, once, event({ id: 'web1' }))).toBe('once-within,once-within')
  })

  it('counts only what matches', async () => {
    const entry = [{ ...once[0], glob: 'disk', files: ['a.sls'], match: '{"state": ["full"]}' }]
    const { answers } = await reactAll(entry, [event({ id: 'w', state: 'ok' }), event({ id: 'w', state: 'full' })])
    expect(answers).toEqual(['nothing', 'reacts'])
  })

  it('measures replayed events among themselves, by the time they first happened', async () => {
    const again = (minutes: number, run: string): Event => {
      const first = event({ id: 'web1', _stamp: stampOf(START - 600 * MINUTE + minutes * MINUTE) })
      return event({ id: 'web1', _replay: replayMark(first, run) })
    }
    const live = (): Event => event({ id: 'web1' })
    const { answers } = await reactAll(once, [
      ...[again(0, 'r1'), again(1, 'r1'), again(4.9, 'r1'), again(5, 'r1'), again(11, 'r1')],
      ...[live(), again(1, 'r2'), live()],
    ])
    const [reacts, held] = ['reacts,reacts', 'once-within,once-within']
    expect(answers).toEqual([reacts, held, held, reacts, reacts, reacts, reacts, held])
  })
})

describe('the breaker', () => {
  const limits = { ...defaultLoopLimits, perMinute: 3 }
  const set = [
    { glob: 'disk', files: ['a.sls'] },
    { glob: 'd*', files: ['b.sls'] },
  ]
  const beacon = (id: string): Event => event({ id }, { source: 'minion' })

  it('opens above the limit, for that minion alone, tells it once and closes by itself', async () => {
    const { on, answers } = await reactAll(
      set,
      [...[1, 2, 3, 4, 5].map(() => beacon('web1')), beacon('web2'), event({ id: 'web1' })],
      { options: { limits } },
    )
    const [reacts, refused] = ['reacts,reacts', 'throttled,throttled']
    expect(answers).toEqual([reacts, reacts, reacts, refused, refused, reacts, reacts])
    expect(new Set(on.notices.map(({ tag }) => tag))).toEqual(new Set(['brine/reactor/throttled']))
    expect(new Set(on.notices.map(({ id }) => id)).size).toBe(2)
    expect(on.notices[0]?.data).toMatchObject({ glob: 'disk', minion: 'web1', file: 'a.sls' })
    on.pass(MINUTE)
    expect(await reactOne(on, set, beacon('web1'))).toBe(reacts)
  })

  it('counts over any sixty seconds, an event once, and not at all with 0', () => {
    const breaker = createBreaker(2)
    const at = (seconds: number, id: string) => breaker.count('e', 'm', id, START + seconds * 1_000_000) !== undefined
    expect([at(0, 'a'), at(0, 'a'), at(50, 'b'), at(70, 'c'), at(71, 'd'), at(130, 'e'), at(131.1, 'f')]).toEqual([
      ...[false, false, false, false, true, true, false],
    ])
    const none = createBreaker(0)
    expect(
      Array.from({ length: 5000 }, (_, i) => none.count('e', 'm', `${i}`, START)).every((trip) => trip === undefined),
    ).toBe(true)
  })

  it('looks after so many at a time, and forgets the one that was quiet for longest', () => {
    const breaker = createBreaker(1)
    const count = (minion: string, event: string) => breaker.count('e', minion, event, START)
    count('noisy', 'first')
    count('quiet', 'first')
    for (let index = 0; index < 30_000; index++) {
      count(`m${index}`, `${index}`)
      if (index % 5000 === 0) expect(count('noisy', `${index} too`)).toBeDefined()
    }
    expect(count('m29999', 'again')).toBeDefined()
    expect(count('quiet', 'again')).toBeUndefined()
  })
})
