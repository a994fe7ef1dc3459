// How Python prints, tests and compares a value: str(), repr(), bool() and ==.
import { floatText } from './float-text.ts'
import { PythonObject } from './python-object.ts'
import { Dict, Float, has, type Mapping, Tuple, type Value } from './value.ts'

/** Python's `str(value)`: `None`, `True`, `2.0`, `[1, 'a']`, `(1,)`, `{'a': 1}`; a string is itself. */
export function pythonStr(value: Value | PythonObject): string {
  if (typeof value === 'string') return value
  if (value instanceof PythonObject) return value.str()
  return repr(value, 0)
}

/** Python's `repr(value)`: as {@link pythonStr} with strings in quotes. A value that holds itself prints `[...]`. */
export function pythonRepr(value: Value | PythonObject): string {
  return repr(value, 0)
}

const MAX_DEPTH = 200

function repr(value: Value | PythonObject, depth: number): string {
  if (typeof value === 'string') return stringRepr(value)
  if (typeof value === 'number') return Number.isInteger(value) ? integerText(value) : floatText(value)
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Float) return floatText(value.value)
  if (value instanceof PythonObject) return value.repr()
  if (Array.isArray(value)) return listRepr(value, depth)
  return mapRepr(value, depth)
}

function integerText(value: number): string {
  if (value === 0) return '0'
  return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString()
}

function listRepr(list: readonly Value[], depth: number): string {
  const tuple = list instanceof Tuple
  if (depth > MAX_DEPTH) return tuple ? '(...)' : '[...]'
  const items: string[] = []
  for (const item of list) items.push(repr(item, depth + 1))
  if (!tuple) return `[${items.join(', ')}]`
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`
}

function mapRepr(map: Mapping | Dict, depth: number): string {
  if (depth > MAX_DEPTH) return '{...}'
  const items: string[] = []
  if (map instanceof Map) {
    for (const [key, item] of map) items.push(`${repr(key, depth + 1)}: ${repr(item, depth + 1)}`)
  } else {
    for (const key of Object.keys(map)) items.push(`${stringRepr(key)}: ${repr(map[key] ?? null, depth + 1)}`)
  }
  return `{${items.join(', ')}}`
}

const PLAIN = /^[ !#-&(-[\]-~]*$/
const NEEDS_ESCAPE = /[^\P{C}]|[^\P{Z} ]|\\/gu

/** Python's repr of a string: single quotes unless it holds one and no double quote; unprintable as `\x`, `\u`, `\U`. */
export function stringRepr(text: string): string {
  if (PLAIN.test(text)) return `'${text}'`
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(NEEDS_ESCAPE, escapeChar)
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
}

function escapeChar(char: string): string {
  if (char === '\\') return '\\\\'
  if (char === '\n') return '\\n'
  if (char === '\r') return '\\r'
  if (char === '\t') return '\\t'
  const code = char.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`
  return `\\U${code.toString(16).padStart(8, '0')}`
}

/** Python's `bool(value)`: false for None, False, zero, and the empty string, list and map. */
export function pythonTruth(value: Value | PythonObject): boolean {
  if (typeof value === 'boolean') return value
  if (value === null || value === '' || value === 0 || value === 0n) return false
  if (typeof value !== 'object') return true
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Float) return value.value !== 0
  if (value instanceof PythonObject) return value.truth()
  if (value instanceof Map) return value.size > 0
  for (const key in value) if (Object.hasOwn(value, key)) return true
  return false
}

/**
 * Python's `a == b`: no coercion between text and numbers; `1 == 1.0 == True`; a list never equals a tuple; maps
 * compare without order.
 */
export function pythonEquals(a: Value | PythonObject, b: Value | PythonObject): boolean {
  if (a === b) return true
  if (typeof a === 'string' && typeof b === 'string') return false
  if (a instanceof PythonObject) return a.equals(b)
  if (b instanceof PythonObject) return b.equals(a)
  const left = numberOf(a)
  if (left !== undefined) {
    const right = numberOf(b)
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals a number of the same value only under ==
    return right !== undefined && left == right
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b)
  if (Array.isArray(b) || a instanceof Float || b instanceof Float) return false
  return equalMaps(a, b)
}

function equalLists(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length || a instanceof Tuple !== b instanceof Tuple) return false
  for (let index = 0; index < a.length; index++) {
    if (!pythonEquals(a[index] ?? null, b[index] ?? null)) return false
  }
  return true
}

function equalMaps(a: Mapping | Dict, b: Mapping | Dict): boolean {
  if (!(a instanceof Map) && !(b instanceof Map)) {
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    return keys.every((key) => Object.hasOwn(b, key) && pythonEquals(a[key] ?? null, b[key] ?? null))
  }
  const left = a instanceof Map ? a : new Dict(Object.entries(a))
  if (left.size !== (b instanceof Map ? b.size : Object.keys(b).length)) return false
  for (const [key, item] of left) {
    const other = itemAt(b, key)
    if (other === undefined || !pythonEquals(item, other)) return false
  }
  return true
}

function itemAt(map: Mapping | Dict, key: Value): Value | undefined {
  if (typeof key === 'string') return map instanceof Map ? map.get(key) : has(map, key) ? map[key] : undefined
  return map instanceof Map ? dictGet(map, key) : undefined
}

/**
 * The item of a {@link Dict} under Python's idea of an equal key: `1`, `1.0` and `True` are one key, equal tuples are
 * one key. `undefined` where it has none.
 */
export function dictGet(dict: ReadonlyMap<Value, Value>, key: Value): Value | undefined {
  const found = dict.get(key)
  if (found !== undefined || typeof key === 'string') return found
  const actual = dictKey(dict, key)
  return actual === undefined ? undefined : dict.get(actual)
}

/** The key a {@link Dict} holds that equals `key` as Python compares keys, `undefined` where it has none. */
export function dictKey(dict: ReadonlyMap<Value, Value>, key: Value): Value | undefined {
  if (dict.has(key)) return key
  if (typeof key === 'string') return undefined
  for (const candidate of dict.keys()) {
    if (typeof candidate !== 'string' && pythonEquals(candidate, key)) return candidate
  }
  return undefined
}

/** The number a value stands for in Python's arithmetic and `==`: booleans are 0 and 1. `undefined` for the rest. */
export function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  return value instanceof Float ? value.value : undefined
}
