// Fills a function's signature from a chunk's flat keys, as Salt does for runner and wheel reactions without `args`.
import type { Signature } from '../arguments/signature.ts'
import { type Dict, entries, get, type Mapping, pythonStr, type Value } from '../value/index.ts'
import { put } from './chunk.ts'

/** The signature of a master-side function, `undefined` where there is no such function. */
export type Signatures = (client: 'runner' | 'wheel', fun: string) => Signature | undefined

/** Keys of a chunk that are never taken for an argument beyond the signature. */
const INTERNAL: ReadonlySet<string> = new Set(['__id__', '__sls__', 'name', 'order', 'fun', 'key', 'state'])

/** The arguments, or Salt's sentence on why the chunk does not fit. */
export type Filled =
  | { readonly kind: 'filled'; readonly arg: readonly Value[]; readonly kwarg: Mapping | Dict }
  | { readonly kind: 'misfit'; readonly message: string }

/**
 * Required parameters become positional, the others keywords with their defaults. A parameter named `fun`, `name` or
 * `state` takes the chunk's own field. What is left over is passed on where the function takes it, and refused otherwise.
 */
export function fillSignature(fun: string, signature: Signature, low: Mapping | Dict): Filled {
  const arg: Value[] = []
  let kwarg: Mapping | Dict = {}
  let missing = 0
  const known = new Set<Value>()
  for (const parameter of signature.params) {
    known.add(parameter.name)
    const given = get(low, parameter.name)
    if (parameter.default !== undefined) kwarg = put(kwarg, parameter.name, given ?? parameter.default)
    else if (given !== undefined) arg.push(given)
    else missing++
  }
  if (missing > 0) return { kind: 'misfit', message: tooFew(fun, arg.length, missing) }
  const extra = entries(low).filter(([key]) => !known.has(key) && !(typeof key === 'string' && INTERNAL.has(key)))
  if (extra.length > 0 && signature.varKwargs !== true) {
    return {
      kind: 'misfit',
      message: invalidKeywords(
        fun,
        extra.map(([key]) => pythonStr(key)),
      ),
    }
  }
  for (const [key, value] of extra) kwarg = put(kwarg, key, value)
  return { kind: 'filled', arg, kwarg }
}

/** Salt's sentence for missing arguments; it counts what was given, not what may be. */
export function tooFew(fun: string, given: number, missing: number): string {
  const needed = given + missing
  return `${fun.slice(fun.lastIndexOf('.') + 1)} takes at least ${needed} argument${needed > 1 ? 's' : ''} (${given} given)`
}

function invalidKeywords(fun: string, keys: readonly string[]): string {
  if (keys.length === 1) return `'${keys[0]}' is an invalid keyword argument for '${fun}'`
  const quoted = keys.map((key) => `'${key}'`)
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)} are invalid keyword arguments for '${fun}'`
}
