// Binding a call's arguments to parameters, with Python's complaints.
import { stringRepr } from '../../value/index.ts'
import type { Datum, Kwargs } from './datum.ts'
import { typeError } from './python-error.ts'

/** The parameters of a builtin function. */
export interface Signature {
  readonly name: string
  readonly params: readonly string[]
  readonly required: number
  readonly varargs: boolean
  readonly varkw: boolean
}

/** Reads `'old new count? *args **kwargs'`: names in order, optional ones with `?`. */
export function parseSignature(name: string, spec: string): Signature {
  const words = spec === '' ? [] : spec.split(' ')
  const named = words.filter((word) => !word.startsWith('*'))
  return {
    name,
    params: named.map((word) => word.replace('?', '')),
    required: named.filter((word) => !word.endsWith('?')).length,
    varargs: words.some((word) => word.startsWith('*') && !word.startsWith('**')),
    varkw: words.some((word) => word.startsWith('**')),
  }
}

/** Arguments by parameter, `undefined` where the default holds; what is left over, where the function takes it. */
export interface Bound {
  readonly values: readonly (Datum | undefined)[]
  readonly varargs: readonly Datum[]
  readonly kwargs: ReadonlyMap<string, Datum>
}

const NONE: readonly Datum[] = []
const NO_KWARGS: ReadonlyMap<string, Datum> = new Map()

/** Binds a call. `first` counts an argument given before (a method's object, a filter's input) in messages. */
export function bind(signature: Signature, args: readonly Datum[], kwargs: Kwargs, first = 0): Bound {
  const { params } = signature
  if (args.length > params.length && !signature.varargs) throw tooMany(signature, args.length, first)
  if (kwargs.size === 0) {
    if (args.length < signature.required) throw missing(signature, params.slice(args.length, signature.required))
    return {
      values: args.length > params.length ? args.slice(0, params.length) : args,
      varargs: args.length > params.length ? args.slice(params.length) : NONE,
      kwargs: NO_KWARGS,
    }
  }
  const values: (Datum | undefined)[] = args.slice(0, params.length)
  const rest = new Map<string, Datum>()
  for (const [key, value] of kwargs) {
    const index = params.indexOf(key)
    if (index < 0) {
      if (!signature.varkw) throw typeError(`${signature.name}() got an unexpected keyword argument ${stringRepr(key)}`)
      rest.set(key, value)
    } else if (values[index] !== undefined) {
      throw typeError(`${signature.name}() got multiple values for argument ${stringRepr(key)}`)
    } else values[index] = value
  }
  const lacking = params.slice(0, signature.required).filter((_, index) => values[index] === undefined)
  if (lacking.length > 0) throw missing(signature, lacking)
  return { values, varargs: args.slice(params.length), kwargs: rest }
}

function missing({ name }: Signature, names: readonly string[]): Error {
  const shown = names.map(stringRepr)
  const list = shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? '')
  return typeError(
    `${name}() missing ${names.length} required positional argument${names.length > 1 ? 's' : ''}: ${list}`,
  )
}

function tooMany({ name, params, required }: Signature, given: number, first: number): Error {
  const most = params.length + first
  const least = required + first
  const range = least === most ? `${most}` : `from ${least} to ${most}`
  const plural = most === 1 ? '' : 's'
  const were = given + first === 1 ? 'was' : 'were'
  return typeError(`${name}() takes ${range} positional argument${plural} but ${given + first} ${were} given`)
}
