// Binds arguments to a function's parameters as Python does, with Python's words where they do not fit.
import { entries, type Mapping, type Value } from '../value/index.ts'
import { keywords } from './keywords.ts'
import type { Parameter, Signature } from './signature.ts'

/** Every parameter has its value: given or default. */
export interface Bound {
  readonly kind: 'bound'
  /** Values by parameter name, all of them. */
  readonly named: Readonly<Record<string, Value>>
  /** What `*args` caught. */
  readonly positional: readonly Value[]
  /** What `**kwargs` caught. */
  readonly rest: Mapping
}

/** The arguments do not fit; `message` is what Python's TypeError says: `echo() missing 1 required …`. */
export interface Misfit {
  readonly kind: 'misfit'
  readonly message: string
}

/**
 * Binds arguments; `name` is the function's own, without its module. The first misfit is reported in CPython's order:
 * keywords (unknown, or given twice), too many positional, then missing ones.
 */
export function bindArguments(
  signature: Signature,
  args: readonly Value[],
  kwargs: Mapping,
  name: string,
): Bound | Misfit {
  const byPlace = signature.params.filter((param) => param.keywordOnly !== true)
  const named = new Map<string, Value>()
  for (const [index, param] of byPlace.entries()) {
    const value = args[index]
    if (index < args.length && value !== undefined) named.set(param.name, value)
  }
  const rest: [Value, Value][] = []
  for (const [key, value] of entries(kwargs)) {
    const word = String(key)
    if (!signature.params.some((param) => param.name === word)) {
      if (signature.varKwargs !== true) return misfit(name, `got an unexpected keyword argument '${word}'`)
      rest.push([word, value])
    } else if (named.has(word)) {
      return misfit(name, `got multiple values for argument '${word}'`)
    } else {
      named.set(word, value)
    }
  }
  if (args.length > byPlace.length && signature.varArgs !== true) {
    return misfit(name, tooMany(signature, byPlace, args.length, named))
  }
  const missing = missingWords(signature.params, named)
  if (missing !== undefined) return misfit(name, missing)
  for (const param of signature.params) {
    if (!named.has(param.name) && param.default !== undefined) named.set(param.name, param.default)
  }
  return {
    kind: 'bound',
    named: keywords([...named]) as Record<string, Value>,
    positional: args.slice(byPlace.length),
    rest: keywords(rest),
  }
}

function misfit(name: string, words: string): Misfit {
  return { kind: 'misfit', message: `${name}() ${words}` }
}

function missingWords(params: readonly Parameter[], named: ReadonlyMap<string, Value>): string | undefined {
  const missing = params.filter((param) => param.default === undefined && !named.has(param.name))
  const positional = missing.filter((param) => param.keywordOnly !== true)
  const list = positional.length > 0 ? positional : missing
  if (list.length === 0) return undefined
  const kind = positional.length > 0 ? 'positional' : 'keyword-only'
  const names = list.map((param) => `'${param.name}'`)
  return `missing ${list.length} required ${kind} argument${list.length === 1 ? '' : 's'}: ${enumerate(names)}`
}

/** `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`. */
function enumerate(names: readonly string[]): string {
  if (names.length < 3) return names.join(' and ')
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`
}

function tooMany(
  signature: Signature,
  byPlace: readonly Parameter[],
  given: number,
  named: ReadonlyMap<string, Value>,
): string {
  const required = byPlace.filter((param) => param.default === undefined).length
  const most = byPlace.length
  const takes = required === most ? `${most}` : `from ${required} to ${most}`
  const plural = required === most && most === 1 ? '' : 's'
  const byName = signature.params.filter((param) => param.keywordOnly === true && named.has(param.name)).length
  const extra =
    byName === 0
      ? ''
      : ` positional argument${given === 1 ? '' : 's'} (and ${byName} keyword-only argument${byName === 1 ? '' : 's'})`
  const were = given === 1 && byName === 0 ? 'was' : 'were'
  return `takes ${takes} positional argument${plural} but ${given}${extra} ${were} given`
}
