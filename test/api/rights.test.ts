// Who may do what: every client, with a right to it and without, by every way of proving who one is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Value } from '../../core/value/index.ts'
import { clients, type Stage, socket, startStage } from './stage.ts'

const access: Value = {
  admin: ['.*', '@runner', '@wheel'],
  tester: ['test.*'],
  narrow: [
    { 'db*': ['test.ping', { 'cmd.run': { args: ['uptime$'] } }] },
    { '@jobs': ['active'] },
    { '@key': ['finger'] },
  ],
  runner: ['@runner'],
  wheel: ['@wheel'],
  nobody: [],
}

let stage: Stage
beforeAll(async () => {
  stage = await startStage({ access })
})
afterAll(() => stage.close())

const job = { tgt: '*', fun: 'test.ping' }
const low = (client: string, more: object = {}): object => {
  if (client.startsWith('runner')) return { client, fun: 'jobs.active', ...more }
  if (client.startsWith('wheel')) return { client, fun: 'key.finger', match: 'db1', ...more }
  return { client, ...job, ...more }
}
const credentials = (username: string, password = 'secret') => ({ username, password, eauth: 'sharedsecret' })

/** What an attempt begins: the jobs and runs that are new on the bus. What earlier ones still do (jobs.active asks) does not count. */
async function begun(before: number): Promise<string[]> {
  return (await stage.test.events())
    .slice(before)
    .filter(({ data }) => data instanceof Map || data.fun !== 'saltutil.running')
    .map(({ tag }) => tag)
    .filter((tag) => /^salt\/(run|wheel|job)\/[^/]+\/new$/.test(tag))
}
const mark = async (): Promise<number> => (await stage.test.events()).length

const allowed: Readonly<Record<string, (client: string) => boolean>> = {
  admin: () => true,
  tester: (client) => client.startsWith('local'),
  narrow: (client) => !client.startsWith('local'),
  runner: (client) => client.startsWith('runner'),
  wheel: (client) => client.startsWith('wheel'),
  nobody: () => false,
  stranger: () => false,
}
const table = Object.entries(allowed).flatMap(([user, may]) =>
  clients.map((client) => [user, client, may(client)] as const),
)

describe('a right decides, the same for every client and its asynchronous form', () => {
  test.each(table)('%s calls %s: %s, with a session', async (user, client, may) => {
    const token = await stage.logIn(user)
    const before = await mark()
    const answer = await stage.ask('/', { token, json: [low(client)] })
    expect(answer.status).toBe(may ? 200 : 401)
    if (!may) expect(await begun(before)).toEqual([])
  })

  test.each(table)('%s calls %s: %s, with credentials and with a token of /token', async (user, client, may) => {
    const before = await mark()
    const byPassword = await stage.ask('/run', { json: [low(client, credentials(user))] })
    const [{ token }] = (await (await stage.ask('/token', { json: credentials(user) })).json()) as [{ token: string }]
    const byToken = await stage.ask('/run', { json: [low(client, { token })] })
    expect([byPassword.status, byToken.status]).toEqual(may ? [200, 200] : [401, 401])
    if (!may) expect(await begun(before)).toEqual([])
  })
})

describe.each(clients)('nobody unproven calls %s', (client) => {
  test.each([
    ['nothing', {}],
    ['a wrong password', credentials('admin', 'wrong')],
    ['another backend', { ...credentials('admin'), eauth: 'pam' }],
    ['no backend', { username: 'admin', password: 'secret' }],
    ['an empty token', { token: '' }],
    ['an unknown token', { token: '0'.repeat(40) }],
    ['a token that is no text', { token: ['0'] }],
    ['an eauth that is no text', { ...credentials('admin'), eauth: ['sharedsecret'] }],
    ["somebody's word that he is the reactor", { user: 'root', key: 'x', __user__: 'root' }],
  ])('with %s', async (_what, shown) => {
    const before = await mark()
    const answer = await stage.ask('/run', {
      json: [low(client, shown)],
      headers: { 'x-forwarded-for': `${Math.random()}` },
    })
    expect(answer.status === 401 || answer.status === 429).toBe(true)
    expect((await stage.ask('/', { json: [low(client, shown)] })).status).toBe(401)
    expect(await begun(before)).toEqual([])
  })

  test('with a session where a token of /token is asked for', async () => {
    const token = await stage.logIn('admin')
    expect((await stage.ask('/run', { json: [low(client, { token })] })).status).toBe(401)
  })
})

test('a token in a call of a session is not looked at: the session decides', async () => {
  const token = await stage.logIn('nobody')
  const [{ token: other }] = (await (await stage.ask('/token', { json: credentials('admin') })).json()) as [
    { token: string },
  ]
  expect(
    (await stage.ask('/', { token, json: [low('local', { token: other, ...credentials('admin') })] })).status,
  ).toBe(401)
})

describe('narrow rights', () => {
  const call = async (json: object) =>
    (await stage.ask('/', { token: await stage.logIn('narrow'), json: [json] })).status

  test.each([
    ['a minion of the target', { client: 'local', tgt: 'db1', fun: 'test.ping' }, 200],
    ['a minion outside of it', { client: 'local', tgt: 'web1', fun: 'test.ping' }, 401],
    ['one of each', { client: 'local', tgt: 'db1,web1', tgt_type: 'list', fun: 'test.ping' }, 401],
    ['arguments that are allowed', { client: 'local', tgt: 'db1', fun: 'cmd.run', arg: ['uptime'] }, 200],
    ['other arguments', { client: 'local', tgt: 'db1', fun: 'cmd.run', arg: ['uptime; id'] }, 401],
    ['no arguments', { client: 'local', tgt: 'db1', fun: 'cmd.run' }, 401],
    ['several functions, all allowed', { client: 'local', tgt: 'db1', fun: ['test.ping'], arg: [[]] }, 200],
    [
      'several functions, one not allowed',
      { client: 'local', tgt: 'db1', fun: ['test.ping', 'cmd.run'], arg: [[], ['id']] },
      401,
    ],
    ['a subset of what is not allowed', { client: 'local_subset', tgt: '*', fun: 'test.ping', subset: 1 }, 401],
    ['the runner that is named', { client: 'runner', fun: 'jobs.active' }, 200],
    ['its sibling', { client: 'runner', fun: 'jobs.list_jobs' }, 401],
    ['the wheel function that is named', { client: 'wheel', fun: 'key.finger', match: 'db1' }, 200],
    ['a wheel function that changes keys', { client: 'wheel_async', fun: 'key.delete', match: '*' }, 401],
    ['a runner through the wheel', { client: 'wheel', fun: 'jobs.active' }, 200],
  ] as const)('%s', async (_what, json, status) => {
    expect(await call(json)).toBe(status)
  })

  test('keys, jobs and grains ask for the same rights', async () => {
    const token = await stage.logIn('tester')
    for (const path of ['/keys', '/keys/db1', '/jobs', '/jobs/1', '/minions', '/minions/db1'])
      expect({ path, status: (await stage.ask(path, { token })).status }).toEqual({ path, status: 401 })
    expect((await stage.ask('/minions', { token, json: [{ tgt: '*', fun: 'cmd.run' }] })).status).toBe(401)
    expect((await stage.ask('/minions', { token, json: [{ tgt: '*', fun: 'test.ping' }] })).status).toBe(202)
  })
})

test('a client that is not enabled is refused whoever asks', async () => {
  const other = await startStage({ enabledClients: ['local'] })
  try {
    const token = await other.logIn('admin')
    for (const client of [...clients.slice(1), 'ssh', 'destroy'])
      expect((await other.ask('/', { token, json: [low(client)] })).status).toBe(400)
    expect((await other.ask('/', { token, json: [low('constructor')] })).status).toBe(400)
    expect((await other.ask('/', { json: [low('runner')], from: socket })).status).toBe(400)
  } finally {
    await other.close()
  }
})

test("the master's own user needs no right", async () => {
  for (const client of clients)
    expect({ client, status: (await stage.ask('/', { json: [low(client)], from: socket })).status }).toEqual({
      client,
      status: 200,
    })
})

test('what a user calls is told under the user, whatever the call says', async () => {
  const token = await stage.logIn('admin')
  const before = (await stage.test.events()).length
  await stage.ask('/', {
    token,
    json: [low('runner', { user: 'root', __user__: 'Reactor' }), low('local_async', { user: 'root' })],
  })
  const users = (await stage.test.events())
    .slice(before)
    .filter(({ tag }) => tag.endsWith('/new'))
    .flatMap(({ data }) => (data instanceof Map || data.fun === 'saltutil.running' ? [] : [data.user]))
  expect(users).toHaveLength(2)
  expect(new Set(users)).toEqual(new Set(['admin']))
})
