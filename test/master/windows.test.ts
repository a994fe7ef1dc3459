// Calls on a platform that ends answers: windows of events that chain, runs that are told by their jid, a store that throttles.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BrineError } from '../../core/error.ts'
import { buildApp } from '../../master/api/app.ts'
import { userRoutes } from '../../master/api/user-routes.ts'
import { createPresence, type PresenceLook, type PresenceMemory } from '../../master/presence.ts'
import { type TestMaster, testMaster } from './harness.ts'

/** Milliseconds after which an answer that waits in vain ends. */
const soon = 150
let test: TestMaster
beforeEach(async () => {
  test = await testMaster()
})
afterEach(() => test.close())

/** Asks as the local principal; answers end after so many milliseconds. */
async function ask(path: string, body?: object, longest = soon): Promise<Response> {
  const { master, store } = test
  const app = buildApp(userRoutes(master, store, { longest }), {
    tokens: store.tokens,
    keys: store.keys,
    clock: store.clock,
    report: () => undefined,
  })
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return app.request(path, init, { transport: 'socket', localUser: 'root' })
}

const tagsOf = async (response: Response): Promise<string[]> =>
  (await response.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).tag)

const cursorOf = (response: Response): string => response.headers.get('brine-cursor') ?? ''

describe('windows of events', () => {
  it('answer "from now on" at once, and miss nothing from there', async () => {
    const now = await ask('/v1/events')
    expect(await tagsOf(now)).toEqual([])
    await test.master.fire({ tag: 'a', data: {} }, { tag: 'b', data: {} })
    const next = await ask(`/v1/events?since=${cursorOf(now)}`)
    expect(await tagsOf(next)).toEqual(['a', 'b'])
    expect(await tagsOf(await ask(`/v1/events?since=${cursorOf(next)}`))).toEqual([])
  })

  it('end with what comes meanwhile, and go on behind what nobody wanted', async () => {
    const now = cursorOf(await ask('/v1/events'))
    await test.master.fire({ tag: 'unwanted', data: {} })
    const waiting = ask(`/v1/events?since=${now}&tag=wanted`, undefined, 60_000)
    setTimeout(() => void test.master.fire({ tag: 'wanted', data: {} }), 20)
    expect(await tagsOf(await waiting)).toEqual(['wanted'])
    const quiet = await ask(`/v1/events?since=${now}&tag=never`)
    expect(await tagsOf(quiet)).toEqual([])
    expect(await tagsOf(await ask(`/v1/events?since=${cursorOf(quiet)}`))).toEqual([])
  })

  it('tell of an event that is too large without what is large in it', async () => {
    const now = cursorOf(await ask('/v1/events'))
    await test.master.fire({ tag: 'large', data: { id: 'web1', text: 'x'.repeat(5_000_000) } })
    const [line = ''] = (await (await ask(`/v1/events?since=${now}`)).text()).split('\n')
    expect(line.length).toBeLessThan(1000)
    expect(JSON.parse(line).data).toMatchObject({ id: 'web1', _too_large: expect.any(Number) })
  })
})

describe('calls that take longer', () => {
  it('are answered with jid and tag, and the run goes on', async () => {
    const { master } = test
    const outcome = new Promise<never>(() => undefined)
    const slow = { ...master, startRun: () => ({ jid: '20261121120000000001', started: Promise.resolve(), outcome }) }
    test = { ...test, master: slow }
    const answer = await ask('/v1/run', { client: 'runner', fun: 'a.b' })
    expect(await answer.json()).toEqual({
      jid: '20261121120000000001',
      tag: 'salt/run/20261121120000000001',
      progress: [],
    })
  })
})

it.each(['busy', 'throttled'])('a store that is %s is told as 503, with when to ask again', async (code) => {
  const { master } = test
  const fire = () => Promise.reject(new BrineError('not now', { code }))
  test = { ...test, master: { ...master, fire } }
  const answer = await ask('/v1/fire', { events: [{ tag: 'a', data: {} }] })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
})

describe('presence that several processes look at', () => {
  /** A memory that both share, as an item of a table is. */
  function shared(): PresenceMemory {
    let look: PresenceLook | undefined
    let count = 0
    return {
      last: async () => look,
      async keep(present, over) {
        if (over?.revision !== look?.revision) return false
        look = { present, revision: `20261121120000000000/${count++}` }
        return true
      },
    }
  }

  it('tells a change once, whoever looks', async () => {
    const { master, store } = test
    await store.keys.update(
      { id: 'web1', epoch: 1, current: { state: 'accepted', pub: 'p', since: 0 }, denied: [] },
      undefined,
    )
    const memory = shared()
    const [one, other] = [1, 2].map(() => createPresence(store, master.fire, 30, memory))
    await store.minions.seen('web1', store.clock.now())
    await one?.check()
    await other?.check()
    await Promise.all([one?.check(), other?.check()])
    await store.minions.remove('web1')
    await Promise.all([one?.check(), other?.check(), one?.check()])
    const changes = (await test.events()).filter(({ tag }) => tag === 'salt/presence/change')
    expect(changes.map(({ data }) => data)).toMatchObject([
      { new: ['web1'], lost: [] },
      { new: [], lost: ['web1'] },
    ])
  })
})
