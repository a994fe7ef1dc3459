// Tests when a chunk may start.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AwaitedKind, type Outcome, type Requisite, readiness } from './requisite.ts'

const w = 'well'
const b = 'badly'
const o = 'open'

describe('readiness', () => {
  it.each<[AwaitedKind, Outcome[], string]>([
    ['require', [w, w], 'ready'],
    ['require', [w, o], 'waiting'],
    ['require', [b, o], 'skipped'],
    ['watch', [w], 'ready'],
    ['onchanges', [b], 'skipped'],
    ['require_any', [b, w], 'ready'],
    ['require_any', [o, w], 'ready'],
    ['require_any', [b, o], 'waiting'],
    ['require_any', [b, b], 'skipped'],
    ['watch_any', [b, b], 'skipped'],
    ['onchanges_any', [w, o], 'ready'],
    ['onfail', [w, b], 'ready'],
    ['onfail', [w, o], 'waiting'],
    ['onfail', [w, w], 'skipped'],
    ['onfail_any', [b, o], 'ready'],
    ['onfail_all', [b, b], 'ready'],
    ['onfail_all', [b, w], 'skipped'],
    ['onfail_all', [b, o], 'waiting'],
    ['require', [], 'ready'],
  ])('%s of %j is %s', (kind, outcomes, expected) => {
    const requisite = { kind, chunks: outcomes.map((_, index) => index) }
    expect(readiness([requisite], (chunk) => outcomes[chunk] ?? 'open').kind).toBe(expected)
  })

  it('names what decided a skip', () => {
    const requisite: Requisite = { kind: 'require', chunks: [0, 1, 2] }
    const outcomes: Outcome[] = ['well', 'badly', 'open']
    expect(readiness([requisite], (chunk) => outcomes[chunk] ?? 'open')).toEqual({
      kind: 'skipped',
      requisite,
      chunks: [1],
    })
  })

  it('never goes back on what it said once nothing is open any more', () => {
    const kinds = fc.constantFrom<AwaitedKind>('require', 'require_any', 'onfail', 'onfail_any', 'onfail_all', 'watch')
    const final = fc.constantFrom<Outcome>('well', 'badly')
    const cases = fc.record({ kind: kinds, outcomes: fc.array(fc.tuple(final, fc.boolean()), { maxLength: 5 }) })
    fc.assert(
      fc.property(cases, ({ kind, outcomes }) => {
        const requisites = [{ kind, chunks: outcomes.map((_, index) => index) }]
        const later = readiness(requisites, (chunk) => outcomes[chunk]?.[0] ?? 'open').kind
        const now = readiness(requisites, (chunk) => (outcomes[chunk]?.[1] ? outcomes[chunk][0] : 'open')).kind
        expect(later).not.toBe('waiting')
        if (now !== 'waiting') expect(now).toBe(later)
      }),
    )
  })
})
