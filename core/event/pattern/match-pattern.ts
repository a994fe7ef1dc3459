// Whether an event's data meets a pattern, decided as EventBridge decides it; and if not, what is in the way.
import { contains, parseAddress } from '../../target/ip.ts'
import { type Dict, get, isList, isMap, type Mapping, stringifyJson, type Value } from '../../value/index.ts'
import { piecesMatcher } from '../pieces.ts'
import { scalarOf } from './parse-pattern.ts'
import type { EventPattern, FieldPattern, FieldTest, NumericBound, Scalar } from './pattern.ts'

/**
 * Whether the data meets the pattern. A field that holds a list is met by any of its items; fields below a list are met
 * by one item together. `exists` looks at values alone: a map, or an empty list, is none.
 */
export function matchesPattern(pattern: EventPattern, data: Mapping | Dict): boolean {
  return meets(pattern, data, { root: data, path: [] })
}

/** The first thing of the data that the pattern does not allow, as a sentence; `undefined` where it matches. */
export function explainPattern(pattern: EventPattern, data: Mapping | Dict): string | undefined {
  if (matchesPattern(pattern, data)) return undefined
  return firstMiss(pattern, data, { root: data, path: [] })
}

/** Where we are: the path from the root, for what asks whether a value is there at all. */
interface Place {
  readonly root: Value
  readonly path: readonly string[]
}

/** `value` is the map the pattern is about, or what stands in its place. */
function meets(pattern: EventPattern, value: Value | undefined, place: Place): boolean {
  if (value !== undefined && isList(value)) {
    const items = value.flatMap(itemsOf).filter(isMap)
    return items.length === 0
      ? meetsMap(pattern, undefined, place)
      : items.some((item) => meetsMap(pattern, item, place))
  }
  return meetsMap(pattern, value !== undefined && isMap(value) ? value : undefined, place)
}

function meetsMap(pattern: EventPattern, map: Mapping | Dict | undefined, place: Place): boolean {
  return (
    pattern.fields.every((field) => meetsField(field, map, place)) &&
    pattern.alternatives.every((choices) => choices.some((choice) => meetsMap(choice, map, place)))
  )
}

function meetsField(field: FieldPattern, map: Mapping | Dict | undefined, { root, path }: Place): boolean {
  const value = map === undefined ? undefined : get(map, field.name)
  const place = { root, path: [...path, field.name] }
  if ('below' in field) return meets(field.below, value, place)
  const seen = leavesOf(value)
  return field.tests.some((test) => {
    if (test.kind === 'exists') return test.wanted ? seen.length > 0 : !hasLeaf(root, place.path)
    return seen.some((leaf) => meetsTest(test, leaf))
  })
}

/** Whether any value stands at the path, below whichever item of whichever list. */
function hasLeaf(value: Value | undefined, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (value === undefined) return false
  if (isList(value)) return value.some((item) => (name === undefined ? leavesOf(item).length > 0 : hasLeaf(item, path)))
  if (name === undefined) return !isMap(value)
  return isMap(value) && hasLeaf(get(value, name), rest)
}

/** The plain values that stand there: the value, or those of a list, lists in lists included. */
function leavesOf(value: Value | undefined): Scalar[] {
  if (value === undefined || isMap(value)) return []
  return isList(value) ? value.flatMap(leavesOf) : [scalarOf(value)]
}

function itemsOf(value: Value): Value[] {
  return isList(value) ? value.flatMap(itemsOf) : [value]
}

function meetsTest(test: Exclude<FieldTest, { kind: 'exists' }>, seen: Scalar): boolean {
  switch (test.kind) {
    case 'equals':
      return isNumber(seen) && isNumber(test.value) ? compare(seen, test.value) === 0 : seen === test.value
    case 'anything-but':
      return !test.tests.some((each) => meetsTest(each, seen))
    case 'numeric':
      return isNumber(seen) && test.bounds.every((bound) => isWithin(seen, bound))
    case 'cidr': {
      const address = typeof seen === 'string' ? parseAddress(seen) : undefined
      return address !== undefined && contains(test.network, address)
    }
    case 'equals-ignore-case':
      return typeof seen === 'string' && seen.toLowerCase() === test.text
    case 'prefix':
      return typeof seen === 'string' && (test.ignoreCase ? seen.toLowerCase() : seen).startsWith(test.text)
    case 'suffix':
      return typeof seen === 'string' && (test.ignoreCase ? seen.toLowerCase() : seen).endsWith(test.text)
    case 'wildcard':
      return typeof seen === 'string' && piecesMatcher(test.parts)(seen)
  }
}

function isNumber(value: Scalar): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function compare(one: number | bigint, other: number | bigint): number {
  if (one < other) return -1
  // Loosely: a number and a bigint are equal where their values are.
  return one > other ? 1 : 0
}

function isWithin(seen: number | bigint, { operator, value }: NumericBound): boolean {
  if (typeof seen === 'number' && Number.isNaN(seen)) return false
  const order = compare(seen, value)
  switch (operator) {
    case '=':
      return order === 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

function firstMiss(pattern: EventPattern, value: Value | undefined, place: Place): string | undefined {
  const items = value !== undefined && isList(value) ? value.flatMap(itemsOf).filter(isMap) : []
  if (items.length > 1) return `no item of ${named(place.path)} meets all that the match asks of it together`
  const map = items[0] ?? (value !== undefined && isMap(value) ? value : undefined)
  for (const field of pattern.fields) {
    if (meetsField(field, map, place)) continue
    const path = [...place.path, field.name]
    const seen = map === undefined ? undefined : get(map, field.name)
    if ('below' in field) return firstMiss(field.below, seen, { root: place.root, path })
    if (seen === undefined) return `the event has no ${named(path)}, where the match asks for ${field.written}`
    return `${named(path)} is ${shown(seen)}, where the match asks for ${field.written}`
  }
  const choices = pattern.alternatives.find((each) => !each.some((choice) => meetsMap(choice, map, place))) ?? []
  const misses = choices.flatMap((choice) => firstMiss(choice, map, place) ?? [])
  return misses.length === 0 ? undefined : `none of $or: ${misses.join('; ')}`
}

function named(path: readonly string[]): string {
  return ['data', ...path].join('.')
}

const SHOWN = 200

function shown(value: Value): string {
  const text = stringifyJson(value, { ascii: false })
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`
}
