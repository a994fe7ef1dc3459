// The arguments of one call, read as the function needs them.
import type { Bound } from '../../core/arguments/index.ts'
import {
  Float,
  isInteger,
  isMap,
  isMapping,
  type Mapping,
  pythonRepr,
  pythonStr,
  pythonTruth,
  type Value,
} from '../../core/value/index.ts'
import { PythonError, SaltInvocationError } from './errors.ts'

/** Bound arguments. Readers throw what Salt's functions throw for values they cannot use. */
export class Arguments {
  readonly #bound: Bound

  constructor(bound: Bound) {
    this.#bound = bound
  }

  /** The value of a parameter; null where the signature knows no such parameter. */
  value(name: string): Value {
    return this.#bound.named[name] ?? null
  }

  /** Whether it is true as Python sees it. */
  is(name: string): boolean {
    return pythonTruth(this.value(name))
  }

  /** Its Python text. */
  text(name: string): string {
    return pythonStr(this.value(name))
  }

  /** Its Python text; undefined for None and the empty string. */
  textIfAny(name: string): string | undefined {
    const value = this.value(name)
    return value === null || value === '' ? undefined : pythonStr(value)
  }

  /** Python's `int(value)`. */
  integer(name: string): number {
    return integerOf(this.value(name))
  }

  /** Python's `float(value)`; undefined for None. */
  numberIfAny(name: string): number | undefined {
    const value = this.value(name)
    if (value === null || value === '') return undefined
    const number = value instanceof Float ? value.value : Number(typeof value === 'bigint' ? value : pythonStr(value))
    if (Number.isNaN(number))
      throw new PythonError('ValueError', `could not convert string to float: ${pythonRepr(value)}`)
    return number
  }

  /** A map; anything else is refused. */
  map(name: string): Mapping {
    const value = this.value(name)
    if (isMapping(value)) return value
    if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [pythonStr(key), item]))
    throw new SaltInvocationError(`${name} must be a dictionary, not ${pythonRepr(value)}`)
  }

  /** A list of texts: a list's items, or the parts of a text between commas. */
  texts(name: string): string[] {
    const value = this.value(name)
    if (value === null) return []
    if (Array.isArray(value)) return value.map(pythonStr)
    return pythonStr(value)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  }

  /** Of these parameters those that are not None. */
  given(names: readonly string[]): Mapping {
    return Object.fromEntries(names.map((name) => [name, this.value(name)]).filter(([, value]) => value !== null))
  }

  /** What `*args` caught. */
  get positional(): readonly Value[] {
    return this.#bound.positional
  }

  /** What `**kwargs` caught. */
  get keywords(): Mapping {
    return this.#bound.rest
  }

  /** {@link keywords} without those that the caller's machinery adds. */
  get cleanKeywords(): Mapping {
    return Object.fromEntries(Object.entries(this.#bound.rest).filter(([key]) => !key.startsWith('__')))
  }
}

/** Python's `int(value)`: text is read, a float is cut. Throws ValueError or TypeError as Python words them. */
export function integerOf(value: Value): number {
  if (isInteger(value)) return Number(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Float) return Math.trunc(value.value)
  if (typeof value === 'number') return Math.trunc(value)
  if (typeof value === 'string') {
    if (/^\s*[-+]?\d+\s*$/.test(value)) return Number(value)
    throw new PythonError('ValueError', `invalid literal for int() with base 10: ${pythonRepr(value)}`)
  }
  throw new PythonError('TypeError', 'int() argument must be a string, a bytes-like object or a real number')
}
