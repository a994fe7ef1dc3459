// Group commit: order, one call at a time, busy stores, and one bad item among good ones.
import { describe, expect, it } from 'vitest'
import { BrineError } from '../core/error.ts'
import { createGathering } from './gathering.ts'

const yes = async (): Promise<boolean> => true

describe('createGathering', () => {
  it('makes one call of what is added at once, and one of what arrives meanwhile', async () => {
    const calls: (readonly number[])[] = []
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const add = createGathering<number, number>({
      most: 100,
      pause: yes,
      call: async (items) => {
        calls.push(items)
        if (calls.length === 1) await gate
        return items.map((item) => item * 2)
      },
    })
    const first = [add(1), add(2)]
    await new Promise((resolve) => setImmediate(resolve))
    const second = [add(3), add(4), add(5)]
    release()
    expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10])
    expect(calls).toEqual([
      [1, 2],
      [3, 4, 5],
    ])
  })

  it('splits what is more than one call may hold', async () => {
    const sizes: number[] = []
    const add = createGathering<number, number>({
      most: 2,
      pause: yes,
      call: async (items) => {
        sizes.push(items.length)
        return items
      },
    })
    expect(await Promise.all([1, 2, 3, 4, 5].map(add))).toEqual([1, 2, 3, 4, 5])
    expect(sizes).toEqual([2, 2, 1])
  })

  it('asks a busy store again, and gives up with its error when no pause is left', async () => {
    let left = 2
    const busy = new BrineError('busy', { code: 'busy' })
    const call = async (items: readonly number[]): Promise<readonly number[]> => {
      if (left-- > 0) throw busy
      return items
    }
    const patient = createGathering<number, number>({ most: 9, pause: yes, call })
    expect(await patient(7)).toBe(7)
    left = 5
    const hasty = createGathering<number, number>({ most: 9, pause: async (failures) => failures < 3, call })
    expect(await Promise.allSettled([hasty(1), hasty(2)])).toEqual([
      { status: 'rejected', reason: busy },
      { status: 'rejected', reason: busy },
    ])
    expect(left).toBe(2)
  })

  it('lets one bad item fail alone', async () => {
    const add = createGathering<number, number>({
      most: 9,
      pause: yes,
      call: async (items) => {
        if (items.includes(13)) throw new Error('13 is too large')
        return items
      },
    })
    const results = await Promise.allSettled([add(1), add(13), add(2)])
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([1, 'failed', 2])
  })
})
