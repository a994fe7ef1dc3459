// Shows how figures and ratios are made of runs.
import { describe, expect, it } from 'vitest'
import { figureOf, percentile, rowOf } from './figure.ts'

describe('figures', () => {
  it('are minimum, median and maximum', () => {
    expect(figureOf([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3 })
    expect(figureOf([4, 1, 2, 3])).toEqual({ min: 1, median: 2, max: 4 })
  })

  it('have percentiles by rank', () => {
    const samples = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect(percentile(samples, 0.5)).toBe(51)
    expect(percentile(samples, 0.99)).toBe(100)
  })
})

describe('a row', () => {
  const row = { what: 'x', unit: 'ms', brine: [5] }

  it('has a ratio above 1 where Brine is better', () => {
    expect(rowOf({ ...row, better: 'lower', peer: { recorded: 10, from: 'x' } }).ratio).toBe(2)
    expect(rowOf({ ...row, better: 'higher', peer: figureOf([10]) }).ratio).toBe(0.5)
  })

  it('is ok where the ratio reaches the target', () => {
    expect(rowOf({ ...row, better: 'lower', peer: figureOf([10]), target: 2 }).ok).toBe(true)
    expect(rowOf({ ...row, better: 'lower', peer: figureOf([10]), target: 2.1 }).ok).toBe(false)
    expect(rowOf({ ...row, better: 'lower', target: 2 }).ok).toBeUndefined()
  })
})
