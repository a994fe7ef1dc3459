// The order in which Python's sorted() puts the keys of a map.

import { isFloat, isInteger, numberOf, pythonStr, type Value } from '../value/index.ts'
import { compareText } from '../value/json-writer.ts'

/** A key with its value. */
export type Entry = readonly [Value, Value]

/** Sorted by key: texts by code point, numbers by value; keys that cannot be compared become their text, as in Salt. */
export function sortedEntries(pairs: readonly Entry[]): Entry[] {
  if (pairs.length < 2) return [...pairs]
  if (pairs.every(([key]) => typeof key === 'string')) return [...pairs].sort(byText)
  if (pairs.every(([key]) => numberOf(key) !== undefined)) return [...pairs].sort(byNumber)
  return pairs.map(([key, value]): Entry => [pythonStr(key), value]).sort(byText)
}

function byText([a]: Entry, [b]: Entry): number {
  return compareText(String(a), String(b))
}

function byNumber([a]: Entry, [b]: Entry): number {
  const left = numberOf(a) ?? 0
  const right = numberOf(b) ?? 0
  return left < right ? -1 : left > right ? 1 : 0
}

/** Sorted as pprint sorts: as {@link sortedEntries} within a type, and by the name of the type across types. */
export function entriesByType(pairs: readonly Entry[]): Entry[] {
  return [...pairs].sort((a, b) => {
    if (typeof a[0] === 'string' && typeof b[0] === 'string') return byText(a, b)
    if (numberOf(a[0]) !== undefined && numberOf(b[0]) !== undefined) return byNumber(a, b)
    return compareText(typeName(a[0]), typeName(b[0]))
  })
}

function typeName(key: Value): string {
  if (key === null) return 'NoneType'
  if (typeof key === 'string') return 'str'
  if (typeof key === 'boolean') return 'bool'
  if (isInteger(key)) return 'int'
  return isFloat(key) ? 'float' : 'tuple'
}
