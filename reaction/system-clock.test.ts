// The clock under steps of the wall clock, and its ids.
import fc from 'fast-check'
import { decodeTime, isValid } from 'ulid'
import { describe, expect, it } from 'vitest'
import { SystemClock } from './system-clock.ts'

describe('SystemClock', () => {
  it('is the wall time in microseconds', () => {
    const before = Date.now() * 1000
    const now = new SystemClock().now()
    const after = Date.now() * 1000
    // What a clock may be off that counts on from the wall time it began at.
    const slack = 100_000
    expect(now).toBeGreaterThan(before - slack)
    expect(now).toBeLessThan(after + slack)
  })

  it('never goes back and comes back to the wall clock, however that steps', () => {
    const step = fc.record({ wall: fc.integer({ min: -5000, max: 5000 }), passed: fc.integer({ min: 0, max: 100 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        let wall = 1_700_000_000_000
        let monotonic = 10
        let highest = wall
        const clock = new SystemClock({ wall: () => wall, monotonic: () => monotonic })
        let last = clock.now()
        for (const each of steps) {
          wall += each.wall
          monotonic += each.passed
          highest = Math.max(highest, wall)
          const now = clock.now()
          expect(now).toBeGreaterThanOrEqual(last)
          expect(now).toBeGreaterThanOrEqual((wall - 20) * 1000)
          expect(now).toBeLessThanOrEqual((highest + 20) * 1000)
          last = now
        }
      }),
    )
  })

  it('gives jids and event ids that rise, within one microsecond too', () => {
    const clock = new SystemClock({ wall: () => 1_762_819_200_123, monotonic: () => 5 })
    const jids = Array.from({ length: 2000 }, () => clock.jid())
    const ids = Array.from({ length: 2000 }, () => clock.eventId())
    expect(jids[0]).toBe('20251111000000123000')
    expect(jids[1]).toBe('20251111000000123001')
    for (const list of [jids, ids]) {
      expect(new Set(list).size).toBe(list.length)
      expect([...list].sort()).toEqual(list)
    }
    expect(ids.every((id) => isValid(id) && decodeTime(id) === 1_762_819_200_123)).toBe(true)
  })
})
