// What the value of a configuration key may be: how it is checked, and how that is said to who wrote another.
import { z } from 'zod'
import { Float, isList, isMap, pythonStr, type Value } from '../value/index.ts'

/** A kind of value. `allowed` completes the sentence "Allowed is …". */
export interface ConfigType<T> {
  readonly schema: z.ZodType<T>
  readonly allowed: string
  /** The value is handed on as YAML read it, with its maps, floats and order. */
  readonly raw?: true
}

/** `True` or `False`, in any of YAML's spellings. */
export const flag: ConfigType<boolean> = { schema: z.boolean(), allowed: 'True or False' }

/** Text; a number is taken as its text, as Salt takes a numeric id. */
export const text: ConfigType<string> = {
  schema: z.union([z.string(), z.number(), z.bigint()]).transform(String),
  allowed: 'text',
}

/** A file or folder; a relative one is below `root_dir`. */
export const path: ConfigType<string> = { ...text, allowed: 'a path' }

/** Text or nothing. */
export const optionalText: ConfigType<string | null> = { schema: text.schema.nullable(), allowed: 'text, or nothing' }

/** A list of texts; one text is a list of one. */
export const texts: ConfigType<readonly string[]> = {
  schema: z.union([text.schema.transform((one) => [one]), z.array(text.schema)]),
  allowed: 'a list of texts',
}

/** A map of names to lists of texts: `file_roots`. */
export const roots: ConfigType<Readonly<Record<string, readonly string[]>>> = {
  schema: z.record(z.string(), texts.schema),
  allowed: 'a map of environments to lists of folders',
}

/** How often and how soon something is tried again. */
export const retry: ConfigType<{
  readonly tries?: number | undefined
  readonly base?: number | undefined
  readonly cap?: number | undefined
}> = {
  schema: z.strictObject({
    tries: z.int().min(1).optional(),
    base: z.number().min(0).optional(),
    cap: z.number().min(0).optional(),
  }),
  allowed: 'a map of tries, base and cap',
}

/** Any map, as it was written. */
export const map: ConfigType<Value> = {
  schema: z.custom<Value>((value) => isMap(value)),
  allowed: 'a map',
  raw: true,
}

/** A list or a map, as it was written. */
export const collection: ConfigType<Value> = {
  schema: z.custom<Value>((value) => isMap(value) || isList(value)),
  allowed: 'a map or a list',
  raw: true,
}

/** Anything, as it was written. */
export const anything: ConfigType<Value> = { schema: z.custom<Value>(() => true), allowed: 'anything', raw: true }

/** A whole number from `least` on. */
export function whole(least = 0): ConfigType<number> {
  return { schema: z.int().min(least), allowed: `a whole number of at least ${least}` }
}

/** A number from `least` on; usually seconds. */
export function number(least = 0): ConfigType<number> {
  return { schema: z.number().min(least), allowed: `a number of at least ${least}` }
}

/** A TCP port; 0 is any free one. */
export const port: ConfigType<number> = {
  schema: z.coerce.number<unknown>().int().min(0).max(65535),
  allowed: 'a port from 0 to 65535',
}

/** One of some words, in any case. */
export function oneOf<const Word extends string>(...words: readonly Word[]): ConfigType<Word> {
  const schema = z.preprocess((value) => (typeof value === 'string' ? value.toLowerCase() : value), z.enum(words))
  return { schema, allowed: `one of ${words.join(', ')}` }
}

/** A type or nothing. */
export function optional<T>(type: ConfigType<T>): ConfigType<T | null> {
  return { ...type, schema: type.schema.nullable(), allowed: `${type.allowed}, or nothing` }
}

/** Only the value that is the default anyway; `why` says what to do instead of the other. */
export function only<const T extends string | boolean>(value: T, why: string): ConfigType<T> {
  const schema = z.custom<T>((given) => given === value)
  return { schema, allowed: `${pythonStr(value)}. ${why}` }
}

/** What a schema checks: plain objects with text keys, floats as numbers. */
export function plainOf(value: Value): unknown {
  if (value instanceof Float) return value.value
  if (isList(value)) return value.map(plainOf)
  if (!isMap(value)) return value
  const pairs = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(pairs.map(([key, item]) => [pythonStr(key), plainOf(item)]))
}
