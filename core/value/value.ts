// The values that events, templates, YAML and job arguments are made of: Python's, held in JavaScript.

/**
 * Any value of an event, a template or a document.
 *
 * - an integer is a `number` with `Number.isInteger`, or a `bigint` beyond 2⁵³;
 * - a float is a `number` with a fraction (or NaN, Infinity), or a {@link Float} when it is integral (`2.0`);
 * - a map is a plain object, or a {@link Dict} where a plain object would lose something: integer-like keys
 *   (JavaScript reorders them), keys that are not strings, and the key `__proto__`;
 * - a tuple is a {@link Tuple}; only templates make them.
 */
export type Value = null | boolean | number | bigint | string | Float | Value[] | Mapping | Dict

/** A plain object whose keys are strings in the order they were written. */
export interface Mapping {
  [key: string]: Value
}

/** A float whose value is integral, so that `2.0` does not become `2`. */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** An ordered map with keys of any hashable value; equal integers, floats and booleans are one key as in Python. */
export class Dict extends Map<Value, Value> {}

/** A Python tuple; everywhere outside templates it is an array like any other. */
export class Tuple extends Array<Value> {
  /** What is made of one by `map`, `filter` or `slice` is a list, unless it is made a tuple again. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
}

/** A float as a {@link Value}: wrapped where a bare number would read as an integer. */
export function float(value: number): Value {
  return Number.isInteger(value) ? new Float(value) : value
}

/** An integer as a {@link Value}: a number where it is exact, a bigint beyond. */
export function integer(value: bigint): Value {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}

/** True for Python's float: a {@link Float}, or a number with a fraction (an integral number is an int). */
export function isFloat(value: unknown): value is Float | number {
  return value instanceof Float || (typeof value === 'number' && !Number.isInteger(value))
}

/** True for Python's int, small or big; a bool is none. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

/** True for a list and for a {@link Tuple}, which is one in everything but its print. */
export function isList(value: unknown): value is Value[] {
  return Array.isArray(value)
}

/** True for a dict in either form: a plain object or a {@link Dict}. */
export function isMap(value: unknown): value is Mapping | Dict {
  return value instanceof Map || isMapping(value)
}

/** True for a plain object, false for arrays, class instances and {@link Dict}. */
export function isMapping(value: unknown): value is Mapping {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The value at a string key of either kind of map, `undefined` where it has none. Never looks at the prototype. */
export function get(map: Mapping | Dict, key: string): Value | undefined {
  if (map instanceof Map) return map.get(key)
  return Object.hasOwn(map, key) ? map[key] : undefined
}

/** True where the map holds that string key, whatever the value. */
export function has(map: Mapping | Dict, key: string): boolean {
  return map instanceof Map ? map.has(key) : Object.hasOwn(map, key)
}

/** Key and value pairs of either kind of map, in order. */
export function entries(map: Mapping | Dict): [Value, Value][] {
  return map instanceof Map ? [...map] : Object.entries(map)
}

/** A copy with the key set, at the end if it is new. */
export function withEntry(map: Mapping | Dict, key: string, value: Value): Mapping | Dict {
  if (map instanceof Map) return new Dict(map).set(key, value) as Dict
  return needsDict(key) ? mapOf([...entries(map), [key, value]]) : { ...map, [key]: value }
}

/** A copy without the key. */
export function withoutEntry(map: Mapping | Dict, key: string): Mapping | Dict {
  if (!has(map, key)) return map
  return mapOf(entries(map).filter(([other]) => other !== key))
}

/** How many keys the map holds. */
export function size(map: Mapping | Dict): number {
  return map instanceof Map ? map.size : Object.keys(map).length
}

const integerLike = /^(?:0|[1-9]\d{0,9})$/

/** True where a plain object would lose the key's place, or the key itself. */
export function needsDict(key: Value): boolean {
  return typeof key !== 'string' || key === '__proto__' || integerLike.test(key)
}

/** A map from pairs, later pairs winning: a plain object unless a key {@link needsDict}. */
export function mapOf(pairs: Iterable<readonly [Value, Value]>): Mapping | Dict {
  const list = [...pairs]
  if (list.some(([key]) => needsDict(key))) return new Dict(list)
  const result: Mapping = {}
  for (const [key, value] of list) result[key as string] = value
  return result
}
