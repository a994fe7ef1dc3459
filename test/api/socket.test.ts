// /ws and tickets: the bus on a WebSocket in Salt's frames, and what opens a stream once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Served, serve } from './served.ts'

let served: Served
let token: string
beforeAll(async () => {
  served = await serve()
  token = await served.logIn()
})
afterAll(() => served.close())

interface Listening {
  readonly said: string[]
  readonly peer: WebSocket
  until(count: number): Promise<string[]>
}

/** Opens a socket and collects what is said on it; rejects where it does not open. */
function listen(path: string, headers: Record<string, string> = {}): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const peer = new WebSocket(`${served.url.replace('http', 'ws')}${path}`, { headers })
    const said: string[] = []
    const waiting: { count: number; done: (said: string[]) => void }[] = []
    peer.on('message', (message) => {
      said.push(String(message))
      for (const { count, done } of waiting) if (said.length >= count) done(said)
    })
    peer.on('error', reject)
    peer.on('open', () =>
      resolve({
        said,
        peer,
        until: (count) =>
          new Promise((done) => {
            if (said.length >= count) done(said)
            else waiting.push({ count, done })
          }),
      }),
    )
  })
}

const fire = (tag: string) => served.embedded.master.fire({ tag, data: { n: 1 } })

test.each([
  ['a token in the path', () => listen(`/ws/${token}`)],
  ["rest_tornado's path", () => listen(`/all_events/${token}`)],
  ['a header', () => listen('/ws', { 'x-auth-token': token })],
  ['a cookie', () => listen('/ws', { cookie: `session_id=${token}` })],
])('opens with %s; events come after the client said that it is ready', async (_what, open) => {
  const { peer, until } = await open()
  await fire('before/it')
  peer.send('websocket client ready')
  await until(1)
  await fire('after/it')
  const [first, event = ''] = await until(2)
  expect(first).toBe('server received message')
  expect(event).toMatch(/^data: \{"data": \{.*\}, "tag": "after\/it"\}\n\n$/)
  peer.close()
})

test.each([
  ['no token', '/ws', {}],
  ['a wrong token', '/ws/0000000000000000000000000000000000000000', {}],
  ['a cookie that another page sends', '/ws', { origin: 'http://evil.example' }],
])('does not open with %s', async (what, path, headers: Record<string, string>) => {
  const shown = what.startsWith('a cookie') ? { ...headers, cookie: `session_id=${token}` } : headers
  await expect(listen(path, shown)).rejects.toThrow('401')
})

test('closes when its token ends', async () => {
  const own = await served.logIn()
  const { peer } = await listen(`/ws/${own}`)
  const closed = new Promise<number>((resolve) => peer.on('close', resolve))
  await served.ask('/logout', { method: 'POST', token: own })
  expect(await closed).toBe(1008)
})

async function ticket(): Promise<string> {
  const answer = await served.ask('/ticket', { method: 'POST', token })
  const { return: given } = (await answer.json()) as { return: [{ ticket: string }] }
  return given[0].ticket
}

test('a ticket opens one stream, once, and nothing else', async () => {
  const one = await ticket()
  for (const path of ['/jobs', `/jobs?ticket=${one}`]) expect((await served.ask(path, { token: one })).status).toBe(401)
  const stream = await served.ask(`/events?ticket=${one}&tag=lab/*`)
  expect(stream.status).toBe(200)
  const reader = stream.body?.getReader()
  await reader?.read()
  await fire('lab/x')
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('tag: lab/x')
  await reader?.cancel()
  expect((await served.ask(`/events?ticket=${one}`)).status).toBe(400)
  const { peer } = await listen(`/ws?ticket=${await ticket()}`)
  peer.close()
  expect((await served.ask(`/events?token=${await ticket()}`)).status).toBe(400)
})

test('nobody without a session gets one', async () => {
  expect((await served.ask('/ticket', { method: 'POST' })).status).toBe(401)
})

test('no token and no ticket reaches the log', async () => {
  const one = await ticket()
  for (const path of [`/events?token=${token}x`, `/nothing?token=${token}`, `/ws/${token}`, `/events?ticket=${one}x`])
    await served.ask(path)
  expect(served.logged.join('\n')).not.toContain(token)
  expect(served.logged.join('\n')).not.toContain(one)
})
