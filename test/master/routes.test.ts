// The gate: every route there is, who may use it, and what happens to everybody else.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../master/api/app.ts'
import { keyRoutes } from '../../master/api/key-routes.ts'
import { minionRoutes, sameOrigin } from '../../master/api/minion-routes.ts'
import type { Route, TransportBindings } from '../../master/api/route.ts'
import { createSaltApi, defaultApiSettings } from '../../master/api/salt/index.ts'
import { userRoutes } from '../../master/api/user-routes.ts'
import { type TestMaster, testMaster, testMinion } from './harness.ts'

let started: TestMaster
let routes: Route[]
let app: ReturnType<typeof buildApp>

beforeEach(async () => {
  started = await testMaster({ autoAccept: true })
  const { master, store } = started
  const api = createSaltApi({ ...master, runners: master.tables.runner }, store, defaultApiSettings, {
    readText: async () => '',
    report: () => undefined,
  })
  routes = [
    ...minionRoutes(master, store, sameOrigin),
    ...userRoutes(master, store, { rights: api.rights }),
    ...keyRoutes(master, store),
    ...api.routes,
  ]
  app = buildApp(routes, {
    tokens: store.tokens,
    keys: store.keys,
    clock: store.clock,
    report: () => undefined,
    holderOf: api.auth.holderOf,
    fallback: api.fallback,
  })
})
afterEach(() => started.close())

const tcp: TransportBindings = { transport: 'tcp', localUser: 'root' }
const socket: TransportBindings = { transport: 'socket', localUser: 'root' }

async function tokenOf(id: string): Promise<string> {
  const answer = await started.master.authenticate(await testMinion(id).request())
  if (answer.kind !== 'token') throw new Error(answer.kind)
  return answer.token
}

const send = (
  method: string,
  path: string,
  from: TransportBindings,
  token?: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  Promise.resolve(
    app.fetch(
      new Request(`http://master${path}`, {
        method,
        headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
        ...(method === 'POST' ? { body: body ?? '{}' } : {}),
      }),
      from,
    ),
  )

test('the routes, and who may use each', () => {
  expect(routes.map(({ method, path, who }) => `${method} ${path}: ${who.join(', ')}`).sort()).toEqual([
    'GET /: anyone',
    'GET /events: user, local',
    'GET /jobs/:jid: user, local',
    'GET /jobs: user, local',
    'GET /keys/:mid: user, local',
    'GET /keys: user, local',
    'GET /login: anyone',
    'GET /minion/jobs: minion',
    'GET /minions/:mid: user, local',
    'GET /minions: user, local',
    'GET /run: anyone',
    'GET /stats: user, local',
    'GET /token: anyone',
    'GET /v1/events: local, user',
    'GET /v1/job/:jid: local, user',
    'GET /v1/status: local',
    'POST /: user, local',
    'POST /hook/*: user, local',
    'POST /hook: user, local',
    'POST /keys: anyone',
    'POST /login: anyone',
    'POST /logout: user',
    'POST /minion/events: minion',
    'POST /minion/mine: minion',
    'POST /minion/push: minion',
    'POST /minion/refresh: minion',
    'POST /minion/returns: minion',
    'POST /minion/token: anyone',
    'POST /minions: user, local',
    'POST /run: anyone',
    'POST /ticket: user',
    'POST /token: anyone',
    'POST /v1/fire: local, user',
    'POST /v1/keys: local',
    'POST /v1/publish: local, user',
    'POST /v1/run: local, user',
  ])
})

test('nobody without a token gets past the gate over the network', async () => {
  for (const { method, path, who } of routes.filter((route) => !route.who.includes('anyone'))) {
    const { status } = await send(method, path.replace(':jid', '1'), tcp)
    expect({ path, who, status }).toEqual({ path, who, status: 401 })
  }
})

test("a minion's token opens only what is for minions, on the socket too", async () => {
  const token = await tokenOf('web01')
  for (const from of [tcp, socket]) {
    for (const { method, path } of routes.filter((route) => route.who.includes('local'))) {
      const { status } = await send(method, path.replace(':jid', '1'), from, token)
      // To salt-api's clients a minion's token is no token at all.
      expect({ path, status }).toEqual({ path, status: path.startsWith('/v1/') ? 403 : 401 })
    }
  }
})

test('a token that is altered, or whose key was deleted, rejected or used again, is worth nothing', async () => {
  const token = await tokenOf('web01')
  expect((await send('GET', '/minion/jobs', tcp, token)).status).toBe(200)
  expect((await send('GET', '/minion/jobs', tcp, `${token.slice(0, -1)}x`)).status).toBe(401)
  await started.master.keys.delete('web01', 'test')
  expect((await send('GET', '/minion/jobs', tcp, token)).status).toBe(401)
  await tokenOf('web01')
  expect((await send('GET', '/minion/jobs', tcp, token)).status).toBe(401)
  const other = await tokenOf('db1')
  await started.master.keys.reject('db1', { includeAccepted: true }, 'test')
  expect((await send('GET', '/minion/jobs', tcp, other)).status).toBe(401)
})

test('another protocol is answered with 426 and what to do', async () => {
  const response = await send('GET', '/v1/status', socket, undefined, undefined, { 'brine-protocol': '9' })
  expect(response.status).toBe(426)
  expect(await response.json()).toMatchObject({ error: 'protocol', message: expect.stringContaining('Update') })
})

test.each([
  ['no JSON', '{', 400],
  ['a field of another kind', '{"events": [{"tag": 5, "data": {}}]}', 400],
  ['an empty tag', '{"events": [{"tag": "", "data": {}}]}', 400],
  ['data that is no map', '{"events": [{"tag": "a", "data": [1]}]}', 400],
  ['what is right', '{"events": [{"tag": "a", "data": {"n": 1.0}}]}', 200],
])('a body with %s', async (_what, body, status) => {
  const response = await send('POST', '/v1/fire', socket, undefined, body)
  expect(response.status).toBe(status)
  if (status === 400)
    expect(await response.json()).toMatchObject({
      error: expect.stringMatching(/json|body/),
      message: expect.stringMatching(/./),
    })
})

test('a body beyond its bound is refused before it is read', async () => {
  const response = await send('POST', '/minion/token', tcp, undefined, 'x'.repeat(70_000))
  expect(response.status).toBe(413)
})

test('a route that does not say who may use it is not built', () => {
  const route: Route = { method: 'GET', path: '/x', who: [], maxBody: 0, about: '', handle: () => new Response() }
  const needs = {
    tokens: started.store.tokens,
    keys: started.store.keys,
    clock: started.store.clock,
    report: () => undefined,
  }
  expect(() => buildApp([route], needs)).toThrow('does not declare who')
  expect(() =>
    buildApp(
      [
        { ...route, who: ['local'] },
        { ...route, who: ['local'] },
      ],
      needs,
    ),
  ).toThrow('declared twice')
})
