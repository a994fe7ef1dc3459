// One call of a lowstate: its fields, read as Salt reads them.
import { conditionInput, splitInput } from '../../../core/arguments/index.ts'
import {
  entries,
  isList,
  isMap,
  isMapping,
  type Mapping,
  pythonStr,
  pythonTruth,
  type Value,
} from '../../../core/value/index.ts'

/** The fields of a call by name. */
export type Low = ReadonlyMap<string, Value>

/** A call's fields; undefined for what is no map. */
export function lowOf(chunk: Value): Low | undefined {
  return isMap(chunk) ? new Map(entries(chunk).map(([key, value]) => [pythonStr(key), value])) : undefined
}

/** A field as text; undefined where there is none. */
export function textOf(low: Low, name: string): string | undefined {
  const value = low.get(name)
  return value === undefined || value === null ? undefined : pythonStr(value)
}

/** A field as a number of seconds; undefined where it is none. */
export function secondsOf(low: Low, name: string): number | undefined {
  const number = Number(textOf(low, name) ?? Number.NaN)
  return Number.isFinite(number) && number >= 0 ? number : undefined
}

/** Whether a field is set to anything true. */
export function isSet(low: Low, name: string): boolean {
  return pythonTruth(low.get(name) ?? false)
}

/** Positional arguments: a single one is a list of one. */
function argOf(low: Low): Value[] {
  const arg = low.get('arg')
  if (arg === undefined || arg === null) return []
  return isList(arg) ? arg : [arg]
}

/** A job's `arg` as it goes to minions, keywords in a marked map at the end. A `kwarg` that is no map counts for nothing. */
export function jobArguments(low: Low): Value[] {
  return conditionInput(low.get('arg') === null ? [null] : argOf(low), kwargOf(low))
}

function kwargOf(low: Low): Mapping {
  const kwarg = low.get('kwarg')
  if (kwarg === undefined || !isMap(kwarg)) return {}
  return isMapping(kwarg) ? kwarg : Object.fromEntries(entries(kwarg).map(([key, value]) => [pythonStr(key), value]))
}

/** Fields of a wheel function's call that are not its arguments. */
const wheelFields = [
  ...['fun', 'client', 'arg', 'kwarg', 'token', 'eauth', 'username', 'password', 'full_return', 'print_event'],
]

/**
 * The same of each client. Who proves himself by a key may do so for runners alone, and a runner is waited for: to a wheel
 * function `key`, `timeout` and `user` are keywords like others, as in Salt.
 */
const ownFields = {
  runner: new Set([...wheelFields, 'key', 'timeout', 'user']),
  wheel: new Set(wheelFields),
} as const

/** Arguments of a runner or wheel function: `arg` (with texts like `key=value`), `kwarg`, and whatever fields are left. */
export function runArguments(client: keyof typeof ownFields, low: Low): { arg: Value[]; kwarg: Mapping } {
  const split = splitInput(argOf(low))
  const rest = [...low].filter(([name]) => !ownFields[client].has(name) && !name.startsWith('__'))
  return { arg: split.arg, kwarg: { ...split.kwarg, ...kwargOf(low), ...Object.fromEntries(rest) } }
}
