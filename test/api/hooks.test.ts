// Hooks: what is posted becomes an event; who may post, and what is kept out of the event.
import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { readHookSignatures } from '../../master/api/salt/index.ts'
import { type Asked, type Stage, startStage } from './stage.ts'

let stage: Stage
afterEach(() => stage.close())

/** Posts, and tells the status and the event that came of it. */
async function post(path: string, asked: Asked): Promise<{ status: number; event: unknown }> {
  const before = (await stage.test.events()).length
  const { status } = await stage.ask(path, { method: 'POST', ...asked })
  const event = (await stage.test.events()).slice(before).find(({ tag }) => tag.startsWith('salt/netapi/'))
  return { status, event }
}

test.each([
  ['/hook/a/b?q=1', { json: { foo: ['x', 1] } }, 'salt/netapi/hook/a/b', { foo: ['x', 1] }, '{"foo":["x",1]}'],
  ['/hook/a/', { json: [1] }, 'salt/netapi/hook/a', [1], '[1]'],
  ['/hook', { json: {} }, 'salt/netapi/hook', {}, '{}'],
  ['/hook/a%20b', { body: 'raw', headers: { 'content-type': 'text/plain' } }, 'salt/netapi/hook/a b', 'raw', 'raw'],
  ['/hook/n', { body: '' }, 'salt/netapi/hook/n', {}, ''],
  [
    '/hook/f',
    { body: 'a=1&b=x&b=y', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    'salt/netapi/hook/f',
    { a: '1', b: ['x', 'y'] },
    'a=1&b=x&b=y',
  ],
] as const)('%s', async (path, asked, tag, data, body) => {
  stage = await startStage()
  const token = await stage.logIn('admin')
  const { status, event } = await post(path, { token, ...asked })
  expect(status).toBe(200)
  expect(event).toMatchObject({ tag, data: { post: data, body } })
})

test('what proves an identity does not reach the bus', async () => {
  stage = await startStage()
  const token = await stage.logIn('admin')
  const headers = { authorization: 'Basic c2VjcmV0', cookie: `session_id=${token}`, 'x-github-event': 'push' }
  const { event } = await post('/hook/x', { token, json: {}, headers })
  expect(event).toMatchObject({ data: { headers: { 'Remote-Addr': '127.0.0.1', 'X-Github-Event': 'push' } } })
  const text = JSON.stringify(event)
  for (const secret of [token, 'c2VjcmV0']) expect(text).not.toContain(secret)
})

test('nobody posts without a token, unless webhook_disable_auth lets him', async () => {
  stage = await startStage()
  expect(await post('/hook/x', { json: {} })).toEqual({ status: 401, event: undefined })
  await stage.close()
  stage = await startStage({ webhookDisableAuth: true, webhookUrl: '/my/hooks' })
  expect(await post('/my/hooks/x', { json: {} })).toMatchObject({ status: 200, event: { tag: 'salt/netapi/hook/x' } })
  expect((await stage.ask('/jobs')).status).toBe(401)
})

describe('signed hooks', () => {
  const rules = readHookSignatures([
    { path: 'github*', secret: 'gh', form: 'github' },
    { path: 'other/*', secret: 'own', header: 'X-Sign', algorithm: 'sha512', encoding: 'base64', prefix: 'v1,' },
  ])
  const body = '{"ref":"é"}'
  const github = (text: string, secret = 'gh') => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
  const json = { 'content-type': 'application/json' }

  test.each([
    ['GitHub signs', '/hook/github', { 'x-hub-signature-256': github(body) }, 200],
    ['GitHub signs another body', '/hook/github', { 'x-hub-signature-256': github('{}') }, 401],
    ['somebody signs with another secret', '/hook/github', { 'x-hub-signature-256': github(body, 'x') }, 401],
    ['nobody signs', '/hook/github', {}, 401],
    ['the signature is empty', '/hook/github', { 'x-hub-signature-256': 'sha256=' }, 401],
    [
      'another form signs',
      '/hook/other/a',
      { 'x-sign': `v1,${createHmac('sha512', 'own').update(body).digest('base64')}` },
      200,
    ],
    ['a path has no rule, and there is no token', '/hook/free', {}, 401],
  ])('%s', async (_what, path, headers, status) => {
    stage = await startStage({ hookSignatures: rules })
    expect((await post(path, { body, headers: { ...json, ...headers } })).status).toBe(status)
  })

  test('a token does not stand in for the signature', async () => {
    stage = await startStage({ hookSignatures: rules })
    const token = await stage.logIn('admin')
    expect((await post('/hook/github', { token, body, headers: json })).status).toBe(401)
    expect((await post('/hook/free', { token, body, headers: json })).status).toBe(200)
  })

  test.each([
    [[{ path: 'x' }]],
    [[{ path: 'x', secret: 's', form: 'gitlab' }]],
    [[{ path: 'x', secret: 's', algorithm: 'md5' }]],
    [[5]],
  ])('a rule that could not hold stops the start: %j', async (config) => {
    stage = await startStage()
    expect(() => readHookSignatures(config)).toThrow('webhook_hmac')
  })
})
