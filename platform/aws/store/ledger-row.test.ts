// How a reaction's end is written: whatever it names fits into an item, and is read as it was.
import { describe, expect, it } from 'vitest'
import type { Ending } from '../../../reaction/plan.ts'
import { changeOf, entryOf } from './ledger-row.ts'

/** Bytes that an item of DynamoDB's may have. */
const itemBytes = 400 * 1024

describe('the end of a reaction', () => {
  const ids = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `i-${((index * 2654435761) % 2 ** 32).toString(16).padStart(17, '0')}`)

  it.each([
    ['a run', { state: 'done', success: true }],
    ['a job to a few', { state: 'done', minions: ids(3) }],
    ['a job to thirty thousand', { state: 'done', minions: ids(30_000) }],
  ] satisfies [string, Ending][])('of %s fits and is read as it was', (_, ending) => {
    const { set } = changeOf({ key: 'E/0', generation: 1, at: 2, change: { kind: 'end', ending } }, {})
    const value = set.values?.[':ending']
    expect(value).toBeDefined()
    if (value === undefined) return
    expect(value.B?.byteLength ?? Buffer.byteLength(value.S ?? '')).toBeLessThan(itemBytes / 2)
    expect(entryOf('E/0', { ending: value }).ending).toEqual(ending)
  })
})
