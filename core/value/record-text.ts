// Records as text without loss: a letter that says how to read it, then JSON.
import { parseJson, stringifyJson } from './json.ts'
import { Dict, Float, isMapping, type Value } from './value.ts'

const COMPACT = { separators: [',', ':'] as const }
const DEPTH = 200
const PAIRS = '\u0001dict'

/**
 * A record as text. Big integers, floats such as `2.0`, ordered maps and maps with keys that are not strings come back
 * as they were; a tuple comes back as a list. What JavaScript's own JSON keeps takes the fast way (`j`), the rest Python's
 * (`x`), and keys that are not strings are written as pairs (`d`).
 */
export function encodeRecord(record: object): string {
  const value = record as unknown as Value
  if (isPlain(value, 0)) return `j${JSON.stringify(value)}`
  if (!hasOddKeys(value, 0)) return `x${stringifyJson(value, COMPACT)}`
  return `d${stringifyJson(withPairs(value), COMPACT)}`
}

/** What {@link encodeRecord} wrote. The store is ours alone, so its shape is trusted. */
export function decodeRecord<T>(text: string, from = 0): T {
  const kind = text.charCodeAt(from)
  const json = text.slice(from + 1)
  if (kind === 0x6a) return JSON.parse(json) as T
  const value = parseJson(json)
  return (kind === 0x64 ? withoutPairs(value) : value) as T
}

/** True where `JSON.stringify` and `JSON.parse` lose nothing. */
function isPlain(value: Value, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))
    case 'object':
      break
    default:
      return false
  }
  if (value === null) return true
  if (depth > DEPTH) return false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (!isPlain(value[index] ?? null, depth + 1)) return false
    }
    return true
  }
  if (!isMapping(value)) return false
  for (const key in value) {
    const item = value[key]
    if (item === undefined || !isPlain(item, depth + 1)) return false
  }
  return true
}

function hasOddKeys(value: Value, depth: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Float || depth > DEPTH) return false
  if (Array.isArray(value)) return value.some((item) => hasOddKeys(item, depth + 1))
  if (!(value instanceof Map)) return Object.values(value).some((item) => hasOddKeys(item, depth + 1))
  for (const [key, item] of value) {
    if (typeof key !== 'string' || key === PAIRS || hasOddKeys(item, depth + 1)) return true
  }
  return false
}

function withPairs(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Float) return value
  if (Array.isArray(value)) return Array.from(value, withPairs)
  if (value instanceof Map) {
    const pairs = [...value].map(([key, item]): Value => [withPairs(key), withPairs(item)])
    return { [PAIRS]: pairs }
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPairs(item)]))
}

function withoutPairs(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Float) return value
  if (Array.isArray(value)) return value.map(withoutPairs)
  if (value instanceof Map) return new Dict([...value].map(([key, item]) => [key, withoutPairs(item)]))
  const pairs = value[PAIRS]
  if (!Array.isArray(pairs)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutPairs(item)]))
  }
  const result = new Dict()
  for (const pair of pairs) {
    if (Array.isArray(pair)) result.set(withoutPairs(pair[0] ?? null), withoutPairs(pair[1] ?? null))
  }
  return result
}
