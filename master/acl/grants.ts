// What external_auth grants a user: its entries as YAML gives them, and as the checks read them.
import { entries, isList, isMap, pythonRepr, size, type Value } from '../../core/value/index.ts'

/** The arguments a call must have: patterns by place and by name. More arguments than are named do no harm. */
export interface ArgumentRule {
  readonly args: readonly Value[]
  readonly kwargs: readonly (readonly [string, Value])[]
}

/** Functions that may be called; with rules, only with arguments that one of them allows. */
export interface FunctionRule {
  /** A pattern over the function's name. */
  readonly fun: Value
  /** Absent: any arguments. */
  readonly rules?: readonly ArgumentRule[]
}

/** One entry of a user's list. */
export type Grant =
  /** Functions on every minion. */
  | { readonly kind: 'everywhere'; readonly fun: string }
  /** Functions on the minions of a compound target. */
  | { readonly kind: 'target'; readonly target: string; readonly functions: readonly FunctionRule[] }
  /** `@runner`, `@wheel`, `@jobs`: without functions, all of them. */
  | { readonly kind: 'special'; readonly name: string; readonly functions?: readonly FunctionRule[] }

/** Reads a user's list. What is malformed grants nothing. */
export function readGrants(list: readonly Value[]): readonly Grant[] {
  return list.flatMap((entry) => grantOf(entry) ?? [])
}

function grantOf(entry: Value): Grant | undefined {
  if (typeof entry === 'string') {
    return entry.startsWith('@') ? { kind: 'special', name: entry.slice(1) } : { kind: 'everywhere', fun: entry }
  }
  if (!isMap(entry) || size(entry) !== 1) return undefined
  for (const [key, value] of entries(entry)) {
    if (typeof key !== 'string') return undefined
    const functions = functionsOf(value)
    return key.startsWith('@')
      ? { kind: 'special', name: key.slice(1), functions }
      : { kind: 'target', target: key, functions }
  }
  return undefined
}

function functionsOf(value: Value): FunctionRule[] {
  return (isList(value) ? value : [value]).flatMap((one): FunctionRule[] => {
    if (typeof one === 'string') return [{ fun: one }]
    if (!isMap(one) || size(one) !== 1) return []
    return entries(one).map(([fun, rules]) => ({ fun, rules: rulesOf(rules) }))
  })
}

function rulesOf(value: Value): ArgumentRule[] {
  return (isList(value) ? value : [value]).flatMap((one): ArgumentRule[] => {
    if (!isMap(one)) return []
    const parts = new Map(entries(one).map(([key, part]) => [String(key), part]))
    const args = parts.get('args') ?? []
    const kwargs = parts.get('kwargs') ?? {}
    // A rule that cannot be read as one must not become a rule that asks for nothing.
    if (!isList(args) || !isMap(kwargs)) return []
    return [{ args, kwargs: entries(kwargs).map(([name, pattern]) => [String(name), pattern] as const) }]
  })
}

/** What in a user's list grants nothing because it cannot be read, in words. */
export function checkGrants(list: readonly Value[]): string[] {
  return list
    .filter((entry) => grantOf(entry) === undefined)
    .map((entry) => `${pythonRepr(entry)} grants nothing: an entry is a text, or a map with one key`)
}
