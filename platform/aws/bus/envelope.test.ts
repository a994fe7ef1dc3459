// Events on the bus: what a rule can see of them, and that they come back as they were, however their data travel.
import { describe, expect, it } from 'vitest'
import { float, type Mapping } from '../../../core/value/index.ts'
import type { Event } from '../../../master/ports.ts'
import { Payloads } from '../store/payloads.ts'
import { entryOf, receivedFrom } from './envelope.ts'

const objects = new Map<string, Uint8Array>()
const payloads = new Payloads({
  get: async (key) => objects.get(key),
  put: async (key, bytes) => void objects.set(key, bytes),
  has: async (key) => objects.has(key),
})

const mark = { metadata: { brine_launch: 'i-1' } }
const cases: readonly [string, Mapping, 'data' | 'record' | 'claim'][] = [
  ['readable', { return: true }, 'data'],
  ['with what JSON would change', { return: { duration: float(2) } }, 'record'],
  ['large', { return: 'x'.repeat(300_000) }, 'claim'],
]

it.each(cases)('marks the return of a start-up job, %s', async (_, data, place) => {
  const event = (more: Mapping, source: Event['source'] = 'minion'): Event => ({
    id: '01KC3VZ8Y2Q5B7N9M4X6T1R0WA',
    tag: 'salt/job/20261121052932933731/ret/web1',
    data: { ...data, ...more, _stamp: '2026-11-21T12:00:00.000000' },
    source,
  })
  const entry = await entryOf(event(mark), 1, 0, payloads)
  const detail = JSON.parse(entry.Detail)
  expect(detail).toMatchObject({ launch: true, tag: event({}).tag, [place]: expect.anything() })
  const received = await receivedFrom(JSON.stringify({ source: entry.Source, detail }), payloads)
  expect(received?.event).toEqual(event(mark))
  for (const other of [event({}), event({ metadata: { of: 'somebody' } }), event(mark, 'master')])
    expect(JSON.parse((await entryOf(other, 1, 0, payloads)).Detail)).not.toHaveProperty('launch')
})

/** What SQS takes in a message, by its API's reference. */
const taken = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u

async function carried(data: Event['data']): Promise<{ body: string; back: Event['data'] | undefined }> {
  const event: Event = { id: '01KAJ2Z1VN0000000000000000', tag: 'shop/order', data, source: 'minion' }
  const { Source, Detail } = await entryOf(event, 1, 0, payloads)
  // EventBridge reads the detail and writes it again.
  const body = JSON.stringify({ source: Source, detail: JSON.parse(Detail) })
  return { body, back: (await receivedFrom(body, payloads))?.event.data }
}

describe('an event on its way through the bus', () => {
  it.each([
    ['text', 'grüße \u{1F9C2}'],
    ['control characters', 'a\u0000b\u001b\u007f'],
    ['the two characters that SQS refuses', 'a\uFFFEb\uFFFFc'],
    ['half a pair', 'a\ud83eb'],
    ['what looks like an escape', 'a\\uFFFE \\ud800'],
    ['more than a message holds', '\uFFFE'.repeat(300_000)],
  ])('keeps %s', async (_, text) => {
    const { body, back } = await carried({ text })
    expect(back).toEqual({ text })
    expect(taken.test(body)).toBe(true)
  })

  it('is readable for the rules of others where nothing speaks against it', async () => {
    const { body } = await carried({ order: 7 })
    expect(JSON.parse(body)).toMatchObject({ detail: { tag: 'shop/order', data: { order: 7 } } })
  })
})
