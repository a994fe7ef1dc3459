// Checks written values against a table of keys: the configuration with every key set, and what is wrong.
import { Dict, type Mapping, mapOf, pythonRepr, type Value } from '../value/index.ts'
import type { ConfigKey, ConfigKeys, ConfigOf } from './key.ts'
import type { Written } from './merge.ts'
import { nearest } from './nearest.ts'
import type { ConfigProblem } from './problem.ts'
import { INVALID, plainOf } from './types.ts'

/** What a key that is in no table is to the reader: `note` for one with no effect here, `undefined` for none at all. */
export type KnownElsewhere = (key: string) => string | undefined

/**
 * Every key of the table with its checked value. A key that is written with nothing after it counts as not written. An
 * invalid value is an error and leaves the default; an unknown key is a warning that names the nearest known one.
 */
export function checkKeys<Keys extends ConfigKeys>(
  keys: Keys,
  written: ReadonlyMap<string, Written>,
  defaults: Partial<ConfigOf<Keys>>,
  elsewhere: KnownElsewhere,
  problems: ConfigProblem[],
  section = '',
): ConfigOf<Keys> {
  const config: Record<string, unknown> = {}
  for (const [name, key] of Object.entries(keys)) {
    const given = written.get(name)
    const fallback = Object.hasOwn(defaults, name) ? defaults[name as keyof Keys] : key.value
    config[name] = given === undefined ? fallback : checked(section + name, key, given, fallback, problems)
    if (given !== undefined && key.unused !== undefined) problems.push(noEffect(section + name, given, key.unused))
  }
  for (const [name, given] of written) {
    if (!Object.hasOwn(keys, name)) problems.push(...unknownKey(name, section, given, Object.keys(keys), elsewhere))
  }
  return config as ConfigOf<Keys>
}

function checked(name: string, key: ConfigKey, given: Written, fallback: unknown, problems: ConfigProblem[]): unknown {
  if (given.value === null) return fallback
  const value = key.type.parse(key.type.raw ? given.value : plainOf(given.value))
  if (value !== INVALID) return value
  const message = `${name} is ${cut(pythonRepr(given.value))}. Allowed is ${key.type.allowed}.`
  problems.push({ severity: 'error', ...placeOf(given), message })
  return fallback
}

/** A key with a dot or an underscore before it is somebody's own, for `config.get`. */
function unknownKey(
  name: string,
  section: string,
  given: Written,
  known: readonly string[],
  elsewhere: KnownElsewhere,
): ConfigProblem[] {
  const note = elsewhere(name)
  if (note !== undefined) return [noEffect(section + name, given, note)]
  if (name.includes('.') || name.startsWith('_')) return []
  const meant = nearest(name, known)
  const hint = meant === undefined ? 'Take it out, or read it with config.get.' : `Did you mean ${meant}?`
  return [{ severity: 'warning', ...placeOf(given), message: `${section}${name} is no key that Brine knows. ${hint}` }]
}

function noEffect(name: string, given: Written, why: string): ConfigProblem {
  return { severity: 'note', ...placeOf(given), message: `${name} has no effect. ${why}` }
}

/** File and line of a written value. */
export function placeOf(given: Written): { file: string; line?: number } {
  return { file: given.file, ...(given.line === undefined ? {} : { line: given.line }) }
}

function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** All that was written, as one map, for `config.get` and the pillar's `master`. */
export function writtenOptions(written: ReadonlyMap<string, Written>): Mapping | Dict {
  return mapOf(new Dict([...written].map(([name, { value }]) => [name as Value, value])))
}
