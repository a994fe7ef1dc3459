// Watching where nothing can be streamed: answers in windows, chained by the client so that nothing is missed.
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Connection,
  connectOver,
  getEvent,
  LocalClient,
  transportOver,
  type WatchedEvent,
} from '../../client/index.ts'
import { buildApp } from '../../master/api/app.ts'
import type { TransportBindings } from '../../master/api/route.ts'
import { userRoutes } from '../../master/api/user-routes.ts'
import { type TestMaster, testMaster } from './harness.ts'

let started: TestMaster
let connection: Connection
let asked: string[]

beforeEach(async () => {
  asked = []
  started = await testMaster({ autoAccept: true })
  const { master, store } = started
  const app = buildApp(userRoutes(master, store, { longest: 200 }), { ...store, report: () => undefined })
  const bindings: TransportBindings = { transport: 'socket', localUser: 'root' }
  connection = connectOver(
    transportOver(
      async ({ method, path, headers, body }) => {
        asked.push(path)
        const init = { method, headers: { ...headers }, ...(body === undefined ? {} : { body }) }
        const answer = await app.fetch(new Request(`http://master${path}`, init), bindings)
        return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
      },
      () => undefined,
    ),
  )
})
afterEach(() => started.close())

async function take(events: AsyncIterable<WatchedEvent>, count: number): Promise<string[]> {
  const tags: string[] = []
  for await (const { tag } of events) if (tags.push(tag) === count) break
  return tags
}

test('is subscribed when it says so, and sees each event once, however many windows pass', async () => {
  const stop = new AbortController()
  const events = await connection.watch({}, stop.signal)
  await connection.fire('a/1', {})
  const seen = take(events, 4)
  await connection.fire('a/2', {})
  await new Promise((resolve) => setTimeout(resolve, 500))
  await connection.fire('a/3', {})
  await connection.fire('a/4', {})
  expect(await seen).toEqual(['a/1', 'a/2', 'a/3', 'a/4'])
  expect(asked.filter((path) => path.startsWith('/v1/events')).length).toBeGreaterThan(3)
  stop.abort()
})

test('asks on behind events that it does not want', async () => {
  const stop = new AbortController()
  const events = await connection.watch({ tag: 'b/*' }, stop.signal)
  for (let n = 0; n < 20; n++) await connection.fire(`a/${n}`, {})
  const seen = take(events, 1)
  await connection.fire('b/1', {})
  expect(await seen).toEqual(['b/1'])
  stop.abort()
})

test('ends with its signal, also while an answer is awaited', async () => {
  const stop = new AbortController()
  const seen = take(await connection.watch({}, stop.signal), 1)
  stop.abort()
  expect(await seen).toEqual([])
})

test('serves what is built on it: waiting for an event, and minions that stay silent', async () => {
  setTimeout(() => void connection.fire('c/1', { n: 1 }), 50)
  expect(await getEvent(connection, { tag: 'c/' })).toMatchObject({ n: 1 })
  expect(await getEvent(connection, { tag: 'd/', wait: 0.3 })).toBeNull()
  const client = new LocalClient(connection)
  expect(await client.cmd('nobody', 'test.ping', { timeout: 0.1, gatherJobTimeout: 0.1 })).toEqual({})
})

test('says a refusal as it was given', async () => {
  await expect(connection.job('nonsense')).rejects.toMatchObject({ code: 'no-job', status: 404 })
})
