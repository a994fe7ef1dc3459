// The event stream: Salt's frames, resumed exactly, at the reader's pace, for as long as the token holds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Stage, socket, startStage } from './stage.ts'

let stage: Stage
let token: string
beforeAll(async () => {
  stage = await startStage()
  token = await stage.logIn('admin')
})
afterAll(() => stage.close())

interface Frame {
  readonly tag: string
  readonly data: { readonly tag: string; readonly data: Readonly<Record<string, unknown>> }
  readonly id: string
}

/** Reads a stream until it has so many frames; leaves it then. */
async function read(answer: Response, wanted: number): Promise<{ text: string; frames: Frame[] }> {
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (framesOf(text).length < wanted) {
    const part = await reader?.read()
    if (part === undefined || part.done) break
    text += decoder.decode(part.value, { stream: true })
  }
  await reader?.cancel()
  return { text, frames: framesOf(text) }
}

function framesOf(text: string): Frame[] {
  return [...text.matchAll(/^tag: (.*)\ndata: (.*)\nid: (.*)\n\n/gm)].map(([, tag = '', data = '', id = '']) => ({
    tag,
    data: JSON.parse(data) as Frame['data'],
    id,
  }))
}

const fire = (...tags: string[]) => stage.test.master.fire(...tags.map((tag, n) => ({ tag, data: { n } })))
const events = (query = '', headers: Record<string, string> = {}) => stage.ask(`/events${query}`, { token, headers })

/** A stream that is being read: its first line came, so what is fired now is seen. */
async function opened(answer: Response): Promise<{ next(wanted: number): Promise<Frame[]> }> {
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let text = decoder.decode((await reader?.read())?.value)
  expect(text).toBe('retry: 400\n')
  return {
    async next(wanted) {
      while (framesOf(text).length < wanted) text += decoder.decode((await reader?.read())?.value, { stream: true })
      await reader?.cancel()
      return framesOf(text)
    },
  }
}

test("frames are Salt's, and an id follows the data", async () => {
  const stream = await opened(await events())
  await stage.test.master.fire({ tag: 'lab/é', data: { a: 'é\nx', n: 1 } })
  const [frame] = await stream.next(1)
  expect(frame).toMatchObject({ tag: 'lab/é', data: { tag: 'lab/é', data: { a: 'é\nx', n: 1 } } })
  expect(frame?.id).not.toBe('')
})

test('a tag with a line break cannot forge a frame', async () => {
  const stream = await opened(await events())
  await stage.test.master.fire({ tag: 'lab/x\n\ntag: salt/key\ndata: {}', data: {} })
  const frames = await stream.next(1)
  expect(frames.map(({ tag }) => tag)).toEqual(['lab/x  tag: salt/key data: {}'])
})

test('globs choose, one or several', async () => {
  const stream = await opened(await events('?tag=lab/a/*&tag=lab/b'))
  await fire('lab/a/1', 'lab/c', 'lab/b', 'lab/a/2')
  expect((await stream.next(3)).map(({ tag }) => tag)).toEqual(['lab/a/1', 'lab/b', 'lab/a/2'])
})

test('a reader that is cut off at any place sees each event once', async () => {
  const stream = await opened(await events())
  const tags = Array.from({ length: 400 }, (_, n) => `lab/cut/${n}`)
  await fire('lab/cut/start')
  let last = (await stream.next(1)).at(-1)?.id ?? ''
  await fire(...tags)
  const seen: string[] = []
  let cuts = 0
  while (seen.length < tags.length) {
    const wanted = Math.min(1 + ((cuts * 7) % 6), tags.length - seen.length)
    // What was sent beyond that is thrown away with the connection, as when it breaks.
    const { frames } = await read(await events('?tag=lab/cut/*', { 'last-event-id': last }), wanted)
    const kept = frames.slice(0, wanted)
    seen.push(...kept.map(({ tag }) => tag))
    last = kept.at(-1)?.id ?? last
    cuts++
  }
  expect(cuts).toBeGreaterThanOrEqual(100)
  expect(seen).toEqual(tags)
})

test('a reader that stalls gets everything, in order, whoever else reads', async () => {
  const slow = await opened(await events('?tag=lab/slow/*'))
  const quick = await opened(await events('?tag=lab/slow/*'))
  const tags = Array.from({ length: 3000 }, (_, n) => `lab/slow/${n}`)
  for (let at = 0; at < tags.length; at += 500) await fire(...tags.slice(at, at + 500))
  expect((await quick.next(3000)).map(({ tag }) => tag)).toEqual(tags)
  expect((await slow.next(3000)).map(({ tag }) => tag)).toEqual(tags)
})

describe('who may read', () => {
  test.each([
    ['a header', () => events()],
    ['a cookie', () => stage.ask('/events', { headers: { cookie: `a=b; session_id=${token}` } })],
    ['a query', () => stage.ask(`/events?token=${token}`)],
    ['the Accept of a browser', () => events('', { accept: 'text/event-stream' })],
    ['the socket', () => stage.ask('/events', { from: socket })],
  ])('who shows a token by %s', async (_what, ask) => {
    const answer = await ask()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/event-stream;charset=utf-8')
    await answer.body?.cancel()
  })

  test.each([
    ['no token', '/events', {}, 401],
    ['a wrong token', '/events', { 'x-auth-token': '0'.repeat(40) }, 401],
    ['a wrong token in the query', '/events?token=bad', {}, 400],
    ['another parameter', '/events?salt_token=x', {}, 400],
  ] as const)('not with %s', async (_what, path, headers, status) => {
    expect((await stage.ask(path, { headers })).status).toBe(status)
  })

  test('a token in the query opens nothing else', async () => {
    for (const path of ['/minions', '/jobs', '/keys', '/stats'])
      expect((await stage.ask(`${path}?token=${token}`)).status).toBe(401)
  })

  test('HEAD leaves no reader behind', async () => {
    const answer = await stage.ask('/events', { token, method: 'HEAD' })
    expect([answer.status, answer.body]).toEqual([200, null])
  })

  test('a stream ends with its token', async () => {
    const own = await stage.logIn('admin')
    const answer = await stage.ask('/events', { token: own })
    const reader = answer.body?.getReader()
    await reader?.read()
    await stage.ask('/logout', { token: own, method: 'POST', body: '' })
    await new Promise((resolve) => setTimeout(resolve, 2100))
    await fire('lab/after')
    expect((await reader?.read())?.done).toBe(true)
  })
})
