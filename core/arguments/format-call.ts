// Fills a signature from the flat keys of a low chunk: how a runner in the legacy reactor form gets its arguments.
import { entries, get, has, type Mapping, type Value } from '../value/index.ts'
import { keywords } from './keywords.ts'
import type { Signature } from './signature.ts'

/** Keys of a low chunk that are no arguments and excused from the check. */
export const CLIENT_INTERNAL_KEYWORDS: readonly string[] = [
  'client',
  'cmd',
  'eauth',
  'fun',
  'kwarg',
  'match',
  'token',
  '__jid__',
  '__tag__',
  '__user__',
  'username',
  'password',
  'full_return',
  'print_event',
]

/** Arguments ready for the call: required parameters in order, the rest by name with defaults filled in. */
export interface FormattedCall {
  readonly kind: 'call'
  readonly args: Value[]
  readonly kwargs: Mapping
}

/** The chunk's keys do not fit; `message` is Salt's. */
export interface RefusedCall {
  readonly kind: 'refused'
  readonly message: string
}

/**
 * Salt's `format_call`. `fun` names the function in the message as Python does (`echo`, or `module.echo` for a wrong
 * keyword); keys in `excused` are dropped silently unless the function has a parameter of that name.
 */
export function formatCall(
  signature: Signature,
  data: Mapping,
  fun: { readonly name: string; readonly full: string },
  excused: readonly string[],
): FormattedCall | RefusedCall {
  const required = signature.params.filter((param) => param.default === undefined)
  const missing = required.filter((param) => !has(data, param.name))
  if (missing.length > 0) {
    const given = required.length - missing.length
    const plural = required.length > 1 ? 's' : ''
    return {
      kind: 'refused',
      message: `${fun.name} takes at least ${required.length} argument${plural} (${given} given)`,
    }
  }
  const taken = new Set(signature.params.map((param) => param.name))
  const kwargs: [Value, Value][] = []
  for (const param of signature.params) {
    if (param.default !== undefined) kwargs.push([param.name, valueAt(data, param.name, param.default)])
  }
  const others = entries(data).filter(([key]) => !taken.has(String(key)) && !excused.includes(String(key)))
  if (signature.varKwargs === true) kwargs.push(...others)
  else if (others.length > 0)
    return {
      kind: 'refused',
      message: invalidWords(
        others.map(([key]) => String(key)),
        fun.full,
      ),
    }
  return { kind: 'call', args: required.map((param) => valueAt(data, param.name, null)), kwargs: keywords(kwargs) }
}

function invalidWords(names: readonly string[], fun: string): string {
  const quoted = names.map((name) => `'${name}'`)
  if (quoted.length === 1) return `${quoted[0]} is an invalid keyword argument for '${fun}'`
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)} are invalid keyword arguments for '${fun}'`
}

/** A key that holds null is given: only an absent one takes the default. */
function valueAt(data: Mapping, key: string, absent: Value): Value {
  const value = get(data, key)
  return value === undefined ? absent : value
}
