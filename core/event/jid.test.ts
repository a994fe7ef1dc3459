// Job ids and stamps of one instant.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJid, jidOf, jidStartTime } from './jid.ts'
import { stampInstant, stampOf } from './stamp.ts'

const instant = Date.UTC(2026, 10, 21, 5, 25, 55, 620) * 1000 + 700

describe('jid', () => {
  it('is the instant in 20 digits', () => {
    expect(jidOf(instant)).toBe('20261121052555620700')
    expect(jidOf(BigInt(instant))).toBe('20261121052555620700')
    expect(jidStartTime('20261121052555620700')).toBe('2026, Nov 21 05:25:55.620700')
    expect(jidStartTime('20261121052555620700_1234')).toBe('2026, Nov 21 05:25:55.620700')
    expect(jidStartTime('req')).toBe('')
  })

  it.each([
    ['20261121052555620700', true],
    ['20261121052555620700_1', true],
    ['20261121052555620700_', false],
    ['2026112105255562070', false],
    ['2026112105255562070x', false],
    [20261121052555, false],
  ])('isJid(%j) is %j', (value, expected) => {
    expect(isJid(value)).toBe(expected)
  })

  it('reads back what it wrote, as does the stamp', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000_000 }), (microseconds) => {
        expect(stampInstant(stampOf(microseconds))).toBe(microseconds)
      }),
    )
  })
})

describe('stamp', () => {
  it('is naive UTC with six digits', () => {
    expect(stampOf(instant)).toBe('2026-11-21T05:25:55.620700')
    expect(stampInstant('2026-11-21T05:25:55.620700+00:00')).toBe(instant)
    expect(stampInstant('2026-11-21T05:25:55')).toBe(instant - 620700)
    expect(stampInstant('yesterday')).toBeUndefined()
  })
})
