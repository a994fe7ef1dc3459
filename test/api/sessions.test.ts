// Sessions: how they begin and end, what a cookie is worth, and who is slowed down.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Stage, socket, startStage, tcp } from './stage.ts'

let stage: Stage
beforeEach(async () => {
  stage = await startStage({ access: { admin: ['.*', '@runner', '@wheel'] } })
})
afterEach(() => stage.close())

const good = { username: 'admin', password: 'secret', eauth: 'sharedsecret' }

test.each([
  ['JSON', { json: good }],
  ['a list', { json: [good] }],
  [
    'text, as SaltGUI posts it',
    { body: JSON.stringify(good), headers: { 'content-type': 'text/plain;charset=UTF-8' } },
  ],
  [
    'a form',
    { body: new URLSearchParams(good).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  [
    'YAML',
    {
      body: 'username: admin\npassword: secret\neauth: sharedsecret\n',
      headers: { 'content-type': 'application/x-yaml' },
    },
  ],
])('somebody logs in with %s', async (_what, asked) => {
  const answer = await stage.ask('/login', asked)
  const body = (await answer.json()) as { return: [Record<string, unknown>] }
  const [session] = body.return
  expect(session).toMatchObject({ user: 'admin', eauth: 'sharedsecret', perms: ['.*', '@runner', '@wheel'] })
  expect(Number(session.expire) - Number(session.start)).toBeCloseTo(43_200, 1)
  expect(session.token).toMatch(/^[0-9a-f]{40}$/)
  expect(answer.headers.get('x-auth-token')).toBe(session.token)
  expect(answer.headers.get('set-cookie')).toContain(`session_id=${String(session.token)};`)
  expect((await stage.ask('/jobs', { token: String(session.token) })).status).toBe(200)
})

test('who logs out is out, and so is the cookie', async () => {
  const token = await stage.logIn('admin')
  const answer = await stage.ask('/logout', { token, method: 'POST', body: '' })
  expect(await answer.json()).toEqual({ return: 'Your token has been cleared' })
  expect(answer.headers.get('set-cookie')).not.toContain(token)
  for (const headers of [
    { 'x-auth-token': token },
    { cookie: `session_id=${token}` },
    { authorization: `Bearer ${token}` },
  ])
    expect((await stage.ask('/jobs', { headers })).status).toBe(401)
})

describe('a cookie', () => {
  const jobs = async (headers: Record<string, string>) => {
    const token = await stage.logIn('admin')
    return (await stage.ask('/jobs', { headers: { host: 'master', cookie: `session_id=${token}`, ...headers } })).status
  }

  test.each([
    ['alone', {}, 200],
    ['from the same origin', { origin: 'http://master' }, 200],
    ['from another page', { origin: 'http://evil.example' }, 401],
    ['from a page without an origin', { origin: 'null' }, 401],
    ['that a browser says is cross-site', { 'sec-fetch-site': 'cross-site' }, 401],
  ])('%s', async (_what, headers, status) => {
    expect(await jobs(headers)).toBe(status)
  })

  test('is guarded where there is TLS', async () => {
    const answer = await stage.ask('/login', { json: good, from: { ...tcp, secure: true } })
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure; HttpOnly; SameSite=Lax$/)
  })

  test('gives way to a header, even a wrong one', async () => {
    expect(await jobs({ 'x-auth-token': 'wrong' })).toBe(401)
  })
})

test('a token of /token opens /run and no page', async () => {
  const [{ token }] = (await (await stage.ask('/token', { json: good })).json()) as [{ token: string }]
  expect((await stage.ask('/jobs', { token })).status).toBe(401)
  expect((await stage.ask('/run', { json: [{ client: 'runner', fun: 'jobs.list_jobs', token }] })).status).toBe(200)
})

test('who fails too often is asked to wait, before anything is looked at', async () => {
  const bad = { ...good, password: 'wrong' }
  for (let round = 0; round < 10; round++) expect((await stage.ask('/login', { json: bad })).status).toBe(401)
  const answer = await stage.ask('/login', { json: good })
  expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true])
  const elsewhere = await stage.ask('/login', { json: good, from: { ...tcp, remote: '10.0.0.9' } })
  expect(elsewhere.status).toBe(200)
})

test.each([
  ['a body that is too large', { body: 'x'.repeat(1_100_000), headers: { 'content-type': 'text/plain' } }, 413],
  ['no JSON', { body: '{', headers: { 'content-type': 'application/json' } }, 400],
  ['no YAML', { body: '{a: [', headers: { 'content-type': 'text/yaml' } }, 400],
  ['another type', { body: '<a/>', headers: { 'content-type': 'application/xml' } }, 406],
])('%s is refused', async (_what, asked, status) => {
  expect((await stage.ask('/login', asked)).status).toBe(status)
})

test('what a page says is text: nothing in it is markup', async () => {
  const answer = await stage.ask('/<script>alert(1)</script>')
  expect(await answer.text()).not.toContain('<script>')
})

test('other origins read what cors_origin lets them', async () => {
  const other = await startStage({ corsOrigins: ['https://gui.example'] })
  try {
    const token = await other.logIn('admin')
    const from = async (origin: string) => {
      const answer = await other.ask('/jobs', { headers: { host: 'master', origin, cookie: `session_id=${token}` } })
      return [answer.status, answer.headers.get('access-control-allow-origin')]
    }
    expect(await from('https://gui.example')).toEqual([200, 'https://gui.example'])
    expect(await from('https://evil.example')).toEqual([401, null])
  } finally {
    await other.close()
  }
})

test('addresses that may not are refused', async () => {
  const other = await startStage({ authorizedIps: ['10.0.0.1'], apiAcl: { users: { admin: ['10.0.0.1'] } } })
  try {
    expect((await other.ask('/login', { json: good })).status).toBe(403)
    expect((await other.ask('/login', { json: good, from: { ...tcp, remote: '10.0.0.1' } })).status).toBe(200)
    expect((await other.ask('/jobs', { from: socket })).status).toBe(200)
  } finally {
    await other.close()
  }
})

describe('POST /keys', () => {
  test('makes no key unless it was allowed', async () => {
    expect((await stage.ask('/keys', { json: { mid: 'new1', ...good } })).status).toBe(403)
    expect((await stage.ask('/keys', { json: { mid: 'new1' } })).status).toBe(500)
    expect((await stage.test.master.keys.lists()).minions).toEqual(['db1', 'web1'])
  })

  test('makes, accepts and hands out a key where it was, once a name', async () => {
    const other = await startStage({ keygen: true, access: { admin: ['@wheel'], nobody: ['.*'] } })
    try {
      const ask = (username: string, mid: string) => other.ask('/keys', { json: { mid, ...good, username } })
      expect((await ask('nobody', 'new1')).status).toBe(401)
      expect((await ask('admin', '../x')).status).toBe(400)
      const answer = await ask('admin', 'new1')
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="saltkeys-new1.tar"')
      const tar = Buffer.from(await answer.arrayBuffer()).toString('latin1')
      expect(tar).toMatch(/minion\.pub[\s\S]*BEGIN PUBLIC KEY[\s\S]*minion\.pem[\s\S]*BEGIN PRIVATE KEY/)
      expect((await other.test.master.keys.lists()).minions).toEqual(['db1', 'new1', 'web1'])
      expect((await ask('admin', 'db1')).status).toBe(409)
    } finally {
      await other.close()
    }
  })
})
