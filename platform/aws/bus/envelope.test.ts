// What of an event a rule can see, however its data travel.
import { expect, it } from 'vitest'
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
