// What monitoring and tools ask: health, readiness, figures, the description of the API.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve } from './served.ts'

let served: Served
beforeAll(async () => {
  served = await serve()
})
afterAll(() => served.close())

test('health and readiness are for anybody', async () => {
  for (const [path, body] of [
    ['/health', { status: 'ok' }],
    ['/ready', { status: 'ready' }],
  ] as const) {
    const answer = await served.ask(path)
    expect([answer.status, await answer.json()]).toEqual([200, body])
  }
})

/** The value of a line of the figures. */
async function figure(line: string): Promise<number> {
  const answer = await served.ask('/metrics', { token: await served.logIn() })
  expect(answer.headers.get('content-type')).toContain('version=0.0.4')
  const found = (await answer.text()).split('\n').find((each) => each.startsWith(`${line} `))
  if (found === undefined) throw new Error(`there is no ${line}`)
  return Number(found.slice(line.length + 1))
}

test('figures count what happens', async () => {
  const before = await figure('brine_events_total{kind="other"}')
  await served.embedded.master.fire({ tag: 'a/b', data: {} }, { tag: 'salt/beacon/x/y/', data: {} })
  expect(await figure('brine_events_total{kind="other"}')).toBe(before + 1)
  expect(await figure('brine_events_total{kind="beacon"}')).toBe(1)
  expect(await figure('brine_api_requests_total{path="/login",status="200"}')).toBeGreaterThan(2)
  expect(await figure('brine_deliveries_waiting')).toBe(0)
  expect(await figure('brine_deliveries_oldest_seconds')).toBe(0)
  expect(await figure('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
})

test('figures are in the form that Prometheus reads: each explained once, each line a name, labels, a number', async () => {
  const text = await (await served.ask('/metrics', { token: await served.logIn() })).text()
  const explained = new Set<string>()
  for (const line of text.trimEnd().split('\n')) {
    const help = /^# (HELP|TYPE) (\w+) \S/.exec(line)
    if (help !== null) {
      const key = `${help[1]} ${help[2]}`
      expect(explained.has(key)).toBe(false)
      explained.add(key)
      continue
    }
    const [, name] = /^(\w+)(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? -?[0-9.e+-]+$/.exec(line) ?? []
    expect(explained.has(`TYPE ${name}`), line).toBe(true)
  }
})

test('figures are for who logged in', async () => {
  expect((await served.ask('/metrics')).status).toBe(401)
})

test('the description names every route that others may use, and the bodies', async () => {
  const answer = await served.ask('/openapi.json')
  const document = (await answer.json()) as {
    openapi: string
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: unknown }> } }>>
  }
  expect(document.openapi).toBe('3.1.0')
  for (const path of ['/', '/run', '/login', '/hook/{rest}', '/jobs/{jid}', '/minion/events', '/metrics'])
    expect(Object.keys(document.paths)).toContain(path)
  expect(Object.keys(document.paths)).not.toContain('/v1/keys')
  const login = document.paths['/login']?.post?.requestBody?.content['application/json']?.schema
  expect(login).toMatchObject({ type: 'object', required: ['username', 'password', 'eauth'] })
})
