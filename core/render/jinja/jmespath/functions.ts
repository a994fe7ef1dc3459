// The functions of the JMESPath language.
import {
  entries,
  float,
  isList,
  isMap,
  mapOf,
  numberOf,
  pythonEquals,
  stringifyJson,
  type Value,
} from '../../../value/index.ts'
import { compareText } from '../../../value/json-writer.ts'
import { parseFloatText, parseInteger } from '../filters/number.ts'
import { jmespathError } from './tokens.ts'

/** An expression handed to a function: `&name`. */
export type Reference = (value: Value) => Value

/** What a function is given. */
export type Argument = Value | Reference

/** The type's name in the language. */
export function typeOf(value: Argument): string {
  if (typeof value === 'function') return 'expref'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (value === null) return 'null'
  if (isList(value)) return 'array'
  return isMap(value) ? 'object' : 'number'
}

function wrong(name: string, value: Argument | undefined, expected: string): Error {
  const shown = value === undefined ? 'nothing' : typeOf(value)
  return jmespathError(
    `In function ${name}(), invalid type for value, expected one of: [${expected}], received: "${shown}"`,
  )
}

function list(name: string, value: Argument | undefined): Value[] {
  if (typeof value === 'function' || !isList(value)) throw wrong(name, value, "'array'")
  return value
}

function text(name: string, value: Argument | undefined): string {
  if (typeof value !== 'string') throw wrong(name, value, "'string'")
  return value
}

function number(name: string, value: Argument | undefined): number {
  const found = typeof value === 'boolean' || typeof value === 'function' ? undefined : numberOf(value)
  if (found === undefined) throw wrong(name, value, "'number'")
  return Number(found)
}

function reference(name: string, value: Argument | undefined): Reference {
  if (typeof value !== 'function') throw wrong(name, value, "'expref'")
  return value
}

function asValue(value: number): Value {
  return value
}

/** Numbers or texts, all of one kind. */
function order(name: string, a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  return number(name, a) - number(name, b)
}

function sorted(name: string, items: readonly Value[], key: Reference): Value[] {
  const keyed = items.map((item) => [key(item), item] as const)
  return keyed.sort(([a], [b]) => order(name, a, b)).map(([, item]) => item)
}

function extreme(name: string, items: readonly Value[], key: Reference, sign: 1 | -1): Value {
  let best: Value = null
  let bestKey: Value | undefined
  for (const item of items) {
    const found = key(item)
    if (bestKey !== undefined && order(name, found, bestKey) * sign <= 0) continue
    best = item
    bestKey = found
  }
  return best
}

const itself: Reference = (value) => value

function total(name: string, items: readonly Value[]): Value {
  const sum = items.reduce<number>((made, item) => made + number(name, item), 0)
  return items.some((item) => typeof item === 'object') ? float(sum) : asValue(sum)
}

function length(value: Argument | undefined): Value {
  if (typeof value === 'string') return Array.from(value).length
  if (typeof value !== 'function' && isList(value)) return value.length
  if (typeof value !== 'function' && isMap(value)) return entries(value).length
  throw wrong('length', value, "'string', 'array', 'object'")
}

function pairs(name: string, value: Argument | undefined): [Value, Value][] {
  if (typeof value === 'function' || !isMap(value)) throw wrong(name, value, "'object'")
  return entries(value)
}

function toNumber(value: Argument | undefined): Value {
  if (typeof value === 'string') {
    const whole = parseInteger(value, 10)
    if (typeof whole === 'number' || typeof whole === 'bigint') return whole
    const parsed = parseFloatText(value)
    return parsed === undefined ? null : float(parsed)
  }
  return value === undefined || typeof value === 'function' || typeOf(value) !== 'number' ? null : value
}

const TWO = new Set(['contains', 'starts_with', 'ends_with', 'join', 'map', 'max_by', 'min_by', 'sort_by'])
const MANY = new Set(['merge', 'not_null'])

/** Refuses a call with too few or too many arguments. */
export function checkArity(name: string, given: number): void {
  const wanted = TWO.has(name) ? 2 : 1
  if (given === wanted || (MANY.has(name) && given > 0)) return
  const least = MANY.has(name) ? 'at least ' : ''
  const plural = wanted === 1 ? '' : 's'
  throw jmespathError(`Expected ${least}${wanted} argument${plural} for function ${name}(), received ${given}`)
}

type Body = (args: readonly Argument[]) => Value

/** The functions by name. */
export const FUNCTIONS: ReadonlyMap<string, Body> = new Map<string, Body>([
  ['abs', ([value]) => asValue(Math.abs(number('abs', value)))],
  [
    'avg',
    ([value]) => {
      const items = list('avg', value)
      return items.length === 0 ? null : float(Number(numberOf(total('avg', items)) ?? 0) / items.length)
    },
  ],
  ['ceil', ([value]) => Math.ceil(number('ceil', value))],
  ['floor', ([value]) => Math.floor(number('floor', value))],
  ['sum', ([value]) => total('sum', list('sum', value))],
  [
    'contains',
    ([value, part]) => {
      if (typeof value === 'string') return typeof part === 'string' && value.includes(part)
      return list('contains', value).some((item) => typeof part !== 'function' && pythonEquals(item, part ?? null))
    },
  ],
  ['starts_with', ([value, part]) => text('starts_with', value).startsWith(text('starts_with', part))],
  ['ends_with', ([value, part]) => text('ends_with', value).endsWith(text('ends_with', part))],
  [
    'join',
    ([glue, value]) =>
      list('join', value)
        .map((item) => text('join', item))
        .join(text('join', glue)),
  ],
  ['keys', ([value]) => pairs('keys', value).map(([key]) => key)],
  ['values', ([value]) => pairs('values', value).map(([, item]) => item)],
  ['length', ([value]) => length(value)],
  ['map', ([each, value]) => list('map', value).map(reference('map', each))],
  ['max', ([value]) => extreme('max', list('max', value), itself, 1)],
  ['min', ([value]) => extreme('min', list('min', value), itself, -1)],
  ['max_by', ([value, key]) => extreme('max_by', list('max_by', value), reference('max_by', key), 1)],
  ['min_by', ([value, key]) => extreme('min_by', list('min_by', value), reference('min_by', key), -1)],
  ['merge', (args) => mapOf(args.flatMap((arg) => pairs('merge', arg)))],
  ['not_null', (args) => args.find((arg): arg is Value => typeof arg !== 'function' && arg !== null) ?? null],
  [
    'reverse',
    ([value]) =>
      typeof value === 'string' ? Array.from(value).reverse().join('') : [...list('reverse', value)].reverse(),
  ],
  ['sort', ([value]) => sorted('sort', list('sort', value), itself)],
  ['sort_by', ([value, key]) => sorted('sort_by', list('sort_by', value), reference('sort_by', key))],
  ['to_array', ([value = null]) => (typeof value === 'function' ? [] : isList(value) ? value : [value])],
  [
    'to_string',
    ([value = null]) =>
      typeof value === 'string'
        ? value
        : typeof value === 'function'
          ? null
          : stringifyJson(value, { separators: [',', ':'], ascii: true }),
  ],
  ['to_number', ([value]) => toNumber(value)],
  ['type', ([value = null]) => typeOf(value)],
])
