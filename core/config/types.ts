// What the value of a configuration key may be: how it is checked, and how that is said to who wrote another.
import { pythonRegex } from '../target/python-regex.ts'
import { Float, isList, isMap, pythonStr, type Value } from '../value/index.ts'

/** A kind of value. `allowed` completes the sentence "Allowed is …". */
export interface ConfigType<T> {
  /** The value as the key has it, of what was written; {@link INVALID} where that is not allowed. */
  parse(value: unknown): T | typeof INVALID
  readonly allowed: string
  /** The value is handed on as YAML read it, with its maps, floats and order. */
  readonly raw?: true
}

/** What is not allowed. */
export const INVALID = Symbol('invalid')

/** A type of the values that a check lets through. */
function those<T>(allowed: string, isOne: (value: unknown) => boolean, raw?: true): ConfigType<T> {
  return { parse: (value) => (isOne(value) ? (value as T) : INVALID), allowed, ...(raw === undefined ? {} : { raw }) }
}

/** `True` or `False`, in any of YAML's spellings. */
export const flag: ConfigType<boolean> = those('True or False', (value) => typeof value === 'boolean')

/** Text; a number is taken as its text, as Salt takes a numeric id. */
export const text: ConfigType<string> = {
  parse: (value) => (['string', 'number', 'bigint'].includes(typeof value) ? String(value) : INVALID),
  allowed: 'text',
}

/** A file or folder; a relative one is below `root_dir`. */
export const path: ConfigType<string> = { ...text, allowed: 'a path' }

/** Text or nothing. */
export const optionalText: ConfigType<string | null> = optional(text)

/** A list of texts; one text is a list of one. */
export const texts: ConfigType<readonly string[]> = {
  parse: (value) => every(Array.isArray(value) ? value : [value], text),
  allowed: 'a list of texts',
}

/** A list of regular expressions, or one. */
export const regexes: ConfigType<readonly string[]> = {
  parse(value) {
    const given = texts.parse(value)
    return given !== INVALID && given.every(isRegex) ? given : INVALID
  },
  allowed: "a list of regular expressions in Python's syntax",
}

function isRegex(pattern: string): boolean {
  try {
    return pythonRegex(pattern) instanceof RegExp
  } catch {
    return false
  }
}

/** A map of names to lists of texts: `file_roots`. */
export const roots: ConfigType<Readonly<Record<string, readonly string[]>>> = {
  parse(value) {
    if (!isPlainMap(value)) return INVALID
    const lists = every(Object.values(value), texts)
    return lists === INVALID
      ? INVALID
      : Object.fromEntries(Object.keys(value).map((name, at) => [name, lists[at] ?? []]))
  },
  allowed: 'a map of environments to lists of folders',
}

/** How often and how soon something is tried again. */
export const retry: ConfigType<{
  readonly tries?: number | undefined
  readonly base?: number | undefined
  readonly cap?: number | undefined
}> = those('a map of tries, base and cap', (value) => {
  if (!isPlainMap(value)) return false
  const { tries, base, cap, ...rest } = value
  const isAbsentOr = (type: ConfigType<number>, item: unknown): boolean =>
    item === undefined || type.parse(item) !== INVALID
  return (
    Object.keys(rest).length === 0 &&
    isAbsentOr(whole(1), tries) &&
    [base, cap].every((item) => isAbsentOr(number(), item))
  )
})

/** Any map, as it was written. */
export const map: ConfigType<Value> = those('a map', (value) => isMap(value as Value), true)

/** A list or a map, as it was written. */
export const collection: ConfigType<Value> = those(
  'a map or a list',
  (value) => isMap(value as Value) || isList(value as Value),
  true,
)

/** Anything, as it was written. */
export const anything: ConfigType<Value> = those('anything', () => true, true)

/** A whole number from `least` on. */
export function whole(least = 0): ConfigType<number> {
  return those(
    `a whole number of at least ${least}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least,
  )
}

/** A number from `least` on; usually seconds. */
export function number(least = 0): ConfigType<number> {
  return those(`a number of at least ${least}`, (value) => Number.isFinite(value) && (value as number) >= least)
}

/** A TCP port; 0 is any free one. */
export const port: ConfigType<number> = {
  parse(value) {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return Number.isInteger(number) && (number as number) >= 0 && (number as number) <= 65_535
      ? (number as number)
      : INVALID
  },
  allowed: 'a port from 0 to 65535',
}

/** The name or address of a host, without a scheme before it or a port behind. */
export const host: ConfigType<string> = {
  parse(value) {
    const name = text.parse(value)
    return name !== INVALID && (/^[^\s:/@]*$/.test(name) || /^\[?[0-9a-f:.]*\]?$/i.test(name)) ? name : INVALID
  },
  allowed: 'a host, without http:// and port',
}

/** One of some words, in any case. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ConfigType<Word> {
  return {
    parse: (value) => words.find((word) => typeof value === 'string' && word === value.toLowerCase()) ?? INVALID,
    allowed: `one of ${words.join(', ')}`,
  }
}

/** A type or nothing. */
export function optional<T>(type: ConfigType<T>): ConfigType<T | null> {
  return {
    ...type,
    parse: (value) => (value === null ? null : type.parse(value)),
    allowed: `${type.allowed}, or nothing`,
  }
}

/** Only the value that is the default anyway; `why` says what to do instead of the other. */
export function only<const T extends string | boolean>(value: T, why: string): ConfigType<T> {
  return those(`${pythonStr(value)}. ${why}`, (given) => given === value)
}

/** Each of a list by one type; {@link INVALID} where one of them is. */
function every<T>(list: readonly unknown[], type: ConfigType<T>): T[] | typeof INVALID {
  const parsed = list.map((item) => type.parse(item))
  return parsed.includes(INVALID) ? INVALID : (parsed as T[])
}

function isPlainMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a type checks: plain objects with text keys, floats as numbers. */
export function plainOf(value: Value): unknown {
  if (value instanceof Float) return value.value
  if (isList(value)) return value.map(plainOf)
  if (!isMap(value)) return value
  const pairs = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(pairs.map(([key, item]) => [pythonStr(key), plainOf(item)]))
}
