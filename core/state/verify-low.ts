// Whether a chunk may be called, and with which arguments, in Salt's words.
import {
  entries,
  get,
  has,
  isFloat,
  isInteger,
  isList,
  isMap,
  type Mapping,
  mapOf,
  pythonStr,
  pythonTruth,
  type Value,
} from '../value/index.ts'
import { type Low, lowText } from './low.ts'
import { ENGINE_KEYWORDS } from './requisite-words.ts'
import type { StateFunction, StateFunctions } from './state-function.ts'
import { lowUmask } from './umask.ts'

/** What is wrong with a chunk; empty where it may be called. `why` says why a function is missing. */
export function verifyLow(low: Low, states: StateFunctions, why: (fun: string) => string = unavailable): string[] {
  const errors = ['state', 'fun', 'name'].filter((key) => !has(low, key)).map((key) => `Missing "${key}" data`)
  const name = get(low, 'name') ?? null
  if (pythonTruth(name) && typeof name !== 'string') {
    const where = has(low, '__sls__') ? `in SLS '${lowText(low, '__sls__')}' ` : ''
    errors.push(`ID '${pythonStr(name)}' ${where}is not formed as a string, but is a ${typeName(name)}`)
  }
  if (lowUmask(low) === 'invalid') errors.push(`Invalid umask: ${lowText(low, 'umask')}`)
  if (errors.length > 0) return errors
  const full = `${lowText(low, 'state')}.${lowText(low, 'fun')}`
  const state = states(full)
  if (state === undefined) {
    if (!has(low, '__sls__')) return [`Specified state '${full}' was not found`]
    return [`State '${full}' was not found in SLS '${lowText(low, '__sls__')}'`, `Reason: ${why(full)}`]
  }
  const missing = state.signature.params.filter(({ name, default: value }) => value === undefined && !has(low, name))
  return missing.map(({ name }) => `Missing parameter ${name} for state ${full}`)
}

/** Salt's words for a function that no module has. */
function unavailable(fun: string): string {
  return `'${fun}' is not available.`
}

/** The arguments of a chunk's function, or which of them it does not know. */
export type BoundLow =
  | { readonly kind: 'bound'; readonly args: Mapping }
  | { readonly kind: 'unknown'; readonly message: string }

/** Takes the arguments out of a verified chunk: parameters by name, the engine's own words left out. */
export function bindLow(low: Low, { signature }: Pick<StateFunction, 'signature'>): BoundLow {
  const named = new Set(signature.params.map(({ name }) => name))
  const bound: [string, Value][] = []
  for (const { name, default: value } of signature.params) bound.push([name, get(low, name) ?? value ?? null])
  const rest = entries(low).filter(
    ([key]) => !(typeof key === 'string' && (named.has(key) || ENGINE_KEYWORDS.has(key))),
  )
  if (signature.varKwargs === true) {
    return {
      kind: 'bound',
      args: mapOf([...bound, ...rest.map(([key, value]) => [pythonStr(key), value] as const)]) as Mapping,
    }
  }
  if (rest.length === 0) return { kind: 'bound', args: mapOf(bound) as Mapping }
  return {
    kind: 'unknown',
    message: unknownWords(
      rest.map(([key]) => pythonStr(key)),
      low,
    ),
  }
}

function unknownWords(words: readonly string[], low: Low): string {
  const full = `${lowText(low, 'state')}.${lowText(low, 'fun')}`
  const last = words.at(-1) ?? ''
  if (words.length === 1) return `'${last}' is an invalid keyword argument for '${full}'`
  const first = words.slice(0, -1).map((word) => `'${word}'`)
  return `${first.join(', ')} and '${last}' are invalid keyword arguments for '${full}'`
}

function typeName(value: Value): string {
  if (value === true) return 'bool'
  if (isInteger(value)) return 'int'
  if (isFloat(value)) return 'float'
  return isList(value) ? 'list' : isMap(value) ? 'dict' : 'str'
}
