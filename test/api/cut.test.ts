// A reader of the event stream whose connection is cut a hundred times, anywhere in an answer and at any time, while events go on
// being fired: with the id of the last frame that came whole it misses nothing and gets nothing twice.
import { type ClientRequest, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomOf, seedOf } from '../failure/rounds.ts'
import { type Served, serve } from './served.ts'

const cuts = 100

let served: Served
let token: string
beforeAll(async () => {
  served = await serve()
  token = await served.logIn()
})
afterAll(() => served.close())

interface Frame {
  readonly tag: string
  readonly id: string
}

/** The frames that are whole. What the cut left of the last is no frame. */
function framesOf(text: string): Frame[] {
  return text
    .split(/(?<=\n\n)/)
    .filter((part) => part.endsWith('\n\n'))
    .flatMap((part) => {
      const [tag, id] = [/^tag: (.*)$/m.exec(part)?.[1], /^id: (.*)$/m.exec(part)?.[1]]
      return tag === undefined || id === undefined ? [] : [{ tag, id }]
    })
}

/** When a connection is cut: after so many bytes of the answer, or so many milliseconds, what comes first. */
interface Cut {
  readonly bytes: number
  readonly after: number
}

/** Reads on from a frame until the cut. Bytes beyond it are lost, as when they were on their way. */
function readUntil(last: string, { bytes, after }: Cut): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const cut = (asked: ClientRequest): void => {
      clearTimeout(timer)
      asked.destroy()
      resolve(Buffer.concat(chunks).subarray(0, bytes).toString('utf8'))
    }
    const headers = { 'x-auth-token': token, 'last-event-id': last }
    const asked = get(`${served.url}/events?tag=lab/cut/*`, { agent: false, headers }, (answer) => {
      answer.on('error', () => undefined)
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length >= bytes) cut(asked)
      })
    })
    asked.on('error', () => undefined)
    const timer = setTimeout(() => cut(asked), after)
  })
}

test(`cut ${cuts} times, it gets each event once and in order`, async () => {
  const random = randomOf(seedOf('cut'))
  const draw = (below: number): number => Math.floor(random() * below)
  const fired: string[] = []
  const fire = async (count: number): Promise<void> => {
    const events = Array.from({ length: count }, (_, n) => {
      // Of many lengths, and with letters that are several bytes, which a cut may part.
      return { tag: `lab/cut/${fired.length + n}`, data: { text: 'é→'.repeat(draw(60)) } }
    })
    fired.push(...events.map(({ tag }) => tag))
    await served.embedded.master.fire(...events)
  }
  const first = await fetch(`${served.url}/events?tag=lab/cut/*`, { headers: { 'x-auth-token': token } })
  const reader = first.body?.getReader()
  await reader?.read()
  await fire(1)
  let start = ''
  while (framesOf(start).length === 0) start += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()

  const seen = framesOf(start)
  let ended = false
  const firing = (async () => {
    while (!ended) {
      await fire(1 + draw(8))
      await sleep(draw(15))
    }
  })()
  let parted = 0
  for (let n = 0; n < cuts; n++) {
    const text = await readUntil(seen.at(-1)?.id ?? '', { bytes: 1 + draw(3000), after: draw(120) })
    seen.push(...framesOf(text))
    if (!text.endsWith('\n')) parted++
  }
  ended = true
  await firing
  for (let n = 0; n < cuts && seen.length < fired.length; n++) {
    // Patient in the end, however long an answer takes.
    const text = await readUntil(seen.at(-1)?.id ?? '', { bytes: Number.POSITIVE_INFINITY, after: 300 * (n + 1) })
    seen.push(...framesOf(text))
  }
  console.log(`cut: ${fired.length} events, ${parted} of ${cuts} cuts within a line`)
  expect(parted).toBeGreaterThan(0)
  expect(seen.map(({ tag }) => tag)).toEqual(fired)
}, 180_000)
