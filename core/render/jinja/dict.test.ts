// Dicts of both kinds under Python's idea of a key.
import { describe, expect, it } from 'vitest'
import { Float, Tuple, type Value } from '../../value/index.ts'
import type { Datum } from './datum.ts'
import { dictDelete, dictItem, dictKeys, dictSet, hashable, newDict } from './dict.ts'
import type { Run } from './run.ts'

const run = { changes: () => undefined, charge: () => undefined } as unknown as Run
const tuple = (...items: Value[]): Datum[] => Tuple.from<Value>(items) as Datum[]

describe('dict', () => {
  it('takes equal numbers for one key, whichever came first', () => {
    const dict = newDict([[1, 'a']])
    for (const key of [true, new Float(1), 1n]) {
      dictSet(dict, key, key, run)
      expect(dictKeys(dict)).toEqual([1])
    }
    expect(dictItem(newDict([[new Float(2), 'x']]), 2)).toBe('x')
    expect(dictItem(newDict([[false, 'x']]), 0)).toBe('x')
    expect(dictItem(newDict([['1', 'x']]), 1)).toBeUndefined()
  })

  it('finds tuples by what they hold, and no float it has not', () => {
    const dict = newDict([[5, 'five']])
    expect(dictItem(dict, new Float(5))).toBe('five')
    dictSet(dict, tuple('a', 1), 'pair', run)
    dictSet(dict, new Float(7), 'seven', run)
    expect(dictItem(dict, tuple('a', new Float(1)))).toBe('pair')
    expect(dictItem(dict, 7)).toBe('seven')
    expect(dictDelete(dict, 7, run)).toBe('seven')
    expect(dictItem(dict, 7)).toBeUndefined()
  })

  it('refuses keys that have no hash', () => {
    expect(() => hashable([1])).toThrow("unhashable type: 'list'")
    expect(() => hashable({})).toThrow("unhashable type: 'dict'")
    expect(() => hashable([...tuple([1])])).toThrow('unhashable')
  })

  it('never looks at the prototype of data from outside', () => {
    expect(dictItem({ a: 1 }, 'constructor')).toBeUndefined()
    expect(() => dictSet({ a: 1 }, '__proto__', 1, run)).toThrow('takes no key')
    expect(() => dictSet({ a: 1 }, 5, 1, run)).toThrow('takes no key 5')
  })
})
