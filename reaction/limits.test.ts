// The limits on loops, and when to try again.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BrineError } from '../core/error.ts'
import { causeOf, type Event } from '../core/event/event.ts'
import { defaultLoopLimits, isLoopCode, loopRefusal, totalRefusal } from './limits.ts'
import { backOff, defaultRetry, isTransient } from './retry.ts'

const root: Event = { id: 'E0', tag: 't', data: {}, source: 'custom' }

/** The event that a chain of reactions of these (glob, file) leads to. */
function chain(steps: readonly (readonly [string, string])[]): Event {
  return steps.reduce<Event>(
    (event, [glob, file], index) => ({ ...root, id: `E${index + 1}`, cause: causeOf(event, glob, file) }),
    root,
  )
}

describe('loopRefusal', () => {
  it('lets an event from outside through', () => {
    expect(loopRefusal(root, '*', 'a.sls', defaultLoopLimits)).toBeUndefined()
  })

  it('ends a chain of different files at depth 16', () => {
    const steps = Array.from({ length: 16 }, (_, index) => [`g${index}`, `${index}.sls`] as const)
    expect(loopRefusal(chain(steps.slice(0, 15)), 'g', 'f', defaultLoopLimits)).toBeUndefined()
    const refusal = loopRefusal(chain(steps), 'g', 'f', defaultLoopLimits)
    expect(refusal?.code).toBe('loop-depth')
    expect(refusal?.reason).toContain('16')
  })

  it('lets the same entry and file react three times on one path, not four', () => {
    const same = ['t*', 'a.sls'] as const
    expect(loopRefusal(chain([same, same]), ...same, defaultLoopLimits)).toBeUndefined()
    expect(loopRefusal(chain([same, ['x', 'y'], same, same]), ...same, defaultLoopLimits)?.code).toBe('loop-repeat')
    expect(loopRefusal(chain([same, same, same]), 'other', 'a.sls', defaultLoopLimits)).toBeUndefined()
  })

  it('counts the reactions of a root event, earlier plans first', () => {
    expect(totalRefusal(0, 999, defaultLoopLimits)).toBeUndefined()
    expect(totalRefusal(0, 1000, defaultLoopLimits)?.code).toBe('loop-total')
    expect(totalRefusal(999, 0, defaultLoopLimits)).toBeUndefined()
    expect(totalRefusal(999, 1, defaultLoopLimits)?.reason).toContain('reaction 1001')
    expect(isLoopCode('loop-total')).toBe(true)
    expect(isLoopCode('yaml')).toBe(false)
  })
})

describe('backOff', () => {
  it('stays under a bound that doubles up to the cap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (failures, luck) => {
          const wait = backOff(failures, defaultRetry, () => luck)
          expect(wait).toBeGreaterThanOrEqual(0)
          expect(wait).toBeLessThanOrEqual(Math.min(300_000_000, 1_000_000 * 2 ** (failures - 1)))
        },
      ),
    )
    expect(backOff(1, defaultRetry, () => 0.5)).toBe(500_000)
    expect(backOff(3, defaultRetry, () => 0.5)).toBe(2_000_000)
    expect(backOff(40, defaultRetry, () => 0.5)).toBe(150_000_000)
  })

  it('tells what passes from what does not', () => {
    expect(isTransient(new BrineError('busy', { code: 'busy' }))).toBe(true)
    expect(isTransient(new BrineError('slow down', { code: 'throttled' }))).toBe(true)
    expect(isTransient(new BrineError('no', { code: 'other' }))).toBe(false)
    expect(isTransient(new Error('busy'))).toBe(false)
  })
})
