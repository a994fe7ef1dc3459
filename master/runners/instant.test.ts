// Times as people write them, and the sentence for what is none.
import { expect, it } from 'vitest'
import { stampOf } from '../../core/event/stamp.ts'
import type { Value } from '../../core/value/index.ts'
import { readInstant } from './instant.ts'

const NOW = Date.UTC(2026, 0, 31, 12) * 1000

it.each<[Value, string]>([
  ['2026-01-31T09:15:00', '2026-01-31T09:15:00.000000'],
  ['2026-01-31T09:15:00.25Z', '2026-01-31T09:15:00.250000'],
  ['2026-01-31 09:15', '2026-01-31T09:15:00.000000'],
  ['2026-01-31', '2026-01-31T00:00:00.000000'],
  ['15m', '2026-01-31T11:45:00.000000'],
  ['1.5h', '2026-01-31T10:30:00.000000'],
  ['1d', '2026-01-30T12:00:00.000000'],
  [90, '2026-01-31T11:58:30.000000'],
  [1769850900, '2026-01-31T09:15:00.000000'],
])('%s is %s', (given, stamp) => {
  expect(stampOf(readInstant(given, 'since', NOW) ?? 0)).toBe(stamp)
})

it('knows when nothing is given, and what is no time', () => {
  for (const given of [null, '', undefined]) expect(readInstant(given, 'since', NOW)).toBeUndefined()
  for (const given of ['noon', '2026-13-01', '5 m', '2026-01-31T25:00:00', true])
    expect(() => readInstant(given, 'since', NOW)).toThrow(/^since=.* is no time\. Write a UTC time like/)
})
