// Slots: never more than allowed, everybody's turn comes, long work steps aside for beginners.
import { describe, expect, it } from 'vitest'
import { pause } from '../connection/backoff.ts'
import { Slots } from './slots.ts'

async function crowd(
  slots: Slots,
  count: number,
  work: (index: number) => Promise<void>,
): Promise<{ most: number; order: number[] }> {
  const order: number[] = []
  let running = 0
  let most = 0
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      slots.use(async () => {
        order.push(index)
        most = Math.max(most, ++running)
        await work(index)
        running--
      }),
    ),
  )
  return { most, order }
}

describe('slots', () => {
  it('let so many run at a time, in order', async () => {
    const { most, order } = await crowd(new Slots(3), 20, () => pause(5))
    expect(most).toBe(3)
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
  })

  it('let few begin at a time where any number may run', async () => {
    expect((await crowd(new Slots(-1), 100, () => pause(10))).most).toBe(16)
  })

  it('do not let long work keep others waiting', async () => {
    let [begun, all]: [number, () => void] = [0, () => undefined]
    const everybody = new Promise<void>((resolve) => {
      all = resolve
    })
    // Nobody ends before the last has begun.
    const { most } = await crowd(new Slots(-1), 40, () => {
      if (++begun === 40) all()
      return everybody
    })
    expect(most).toBe(40)
  })

  it('are given back by work that fails', async () => {
    const slots = new Slots(1)
    await expect(slots.use(() => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect((await crowd(slots, 2, () => pause(1))).most).toBe(1)
  })
})
