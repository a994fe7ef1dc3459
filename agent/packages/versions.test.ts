// The order of versions, as dpkg, rpm and apk have it, and conditions on them.
import { describe, expect, it } from 'vitest'
import { compareApk, compareDebian, compareRpm, fulfils } from './versions.ts'

/** Each list in rising order. */
const orders = [
  [compareDebian, ['1.0~rc1', '1.0', '1.0-1', '1.0-1+b1', '1.0-2', '1.0.1', '1.9', '1.10', '1.10a', '1.10+x', '1:0.1']],
  [compareDebian, ['0~~', '0~', '0', '0a', '0+', '00001', '2']],
  [compareRpm, ['1.0~rc1', '1.0', '1.0^git1', '1.0a', '1.0.1', '1.1-1', '1.1-1.el9', '1.1-2', '1.9', '1.10', '2:0.1']],
  [compareApk, ['1.0_alpha', '1.0_rc1', '1.0_rc2', '1.0', '1.0-r1', '1.0_p1', '1.0a', '1.0.1', '1.9', '1.10-r0']],
] as const

describe('the order of versions', () => {
  it.each(orders.map(([compare, list]) => [compare.name, compare, list] as const))('%s %#', (_, compare, list) => {
    for (const [at, one] of list.entries()) {
      for (const [where, other] of list.entries()) {
        expect([one, other, Math.sign(compare(one, other))]).toEqual([one, other, Math.sign(at - where)])
      }
    }
  })

  it('sees numbers alike with and without leading zeros, and no epoch as epoch 0', () => {
    expect(compareDebian('1.01-1', '0:1.1-1')).toBe(0)
    expect(compareRpm('1.01', '0:1.1-3')).toBe(0)
  })
})

describe('conditions', () => {
  it.each([
    ['1.2-3', '1.2-3', true],
    ['1.2-3', '=1.2-3', true],
    ['1.2-3', '1.2*', true],
    ['1.2-3', '>=1.2', true],
    ['1.2-3', '>=1.2, <1.3', true],
    ['1.2-3', '>= 1.3', false],
    ['1.2-3', '!=1.2-3', false],
    ['1:1.2-3', '1.2-3', true],
    ['1:1.2-3', '<2', false],
  ])('%s %s: %s', (version, condition, is) => {
    expect(fulfils([version], condition, { compare: compareDebian })).toBe(is)
  })

  it('lets a later version do where updates are allowed', () => {
    expect(fulfils(['1.3'], '1.2', { compare: compareDebian })).toBe(false)
    expect(fulfils(['1.3'], '1.2', { compare: compareDebian, allowUpdates: true })).toBe(true)
  })
})
