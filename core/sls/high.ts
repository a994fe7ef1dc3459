// High data: the reactions of a parsed SLS document, with `type.mod.fun` taken apart and verified as Salt does.
import { entries, isList, isMap, pythonStr, pythonTruth, type Value } from '../value/index.ts'

/** One ID of an SLS file and what stands under it: type → arguments and function, in Salt's order. */
export interface HighId {
  readonly id: Value
  readonly body: readonly (readonly [type: string, args: Value])[]
}

/** The reactions of a document, or why the file contributes none. */
export type High =
  | { readonly kind: 'high'; readonly ids: readonly HighId[] }
  | { readonly kind: 'broken'; readonly message: string }

/**
 * Takes a document apart as Salt's `pad_funcs` does: `type.mod.fun: […]` becomes `type` with the function at the end of
 * the list, keys with dots come sorted after those without, and of two with one type the first sorted one wins while the
 * other stays as written. An empty document has no reactions. Never changes the document, which may be shared.
 */
export function padFuncs(document: Value): High {
  if (!pythonTruth(document)) return { kind: 'high', ids: [] }
  if (!isMap(document)) return broken(`the document is ${shapeOf(document)}, not a map of reactions`)
  const ids: HighId[] = []
  for (const [id, body] of entries(document)) {
    const padded = padBody(body)
    if (typeof padded === 'string') return broken(`the body of '${pythonStr(id)}' ${padded}`)
    ids.push({ id, body: padded })
  }
  return { kind: 'high', ids }
}

function broken(what: string): High {
  return {
    kind: 'broken',
    message: `${what[0]?.toUpperCase()}${what.slice(1)}. Write \`<id>:\` and under it \`<type>.<module>.<function>:\` with a list.`,
  }
}

/** The padded body, or what is wrong with it. */
function padBody(body: Value): HighId['body'] | string {
  if (typeof body === 'string') {
    const dot = body.indexOf('.')
    if (dot < 0) return `is '${body}', which names no function`
    return [[body.slice(0, dot), [body.slice(dot + 1)]]]
  }
  if (!isMap(body)) return `is ${shapeOf(body)}, not a map`
  const pairs = entries(body)
  if (!pairs.every(isNamed)) return 'has a key that is not text'
  const [only] = pairs
  return pairs.length === 1 && only !== undefined ? [padPair(only)] : padMany(pairs)
}

function isNamed(pair: [Value, Value]): pair is [string, Value] {
  return typeof pair[0] === 'string'
}

/** A type that begins with `_`, one without a dot and one that holds no list stay as they are. */
function padPair(pair: readonly [string, Value]): readonly [string, Value] {
  const [type, args] = pair
  const dot = type.indexOf('.')
  if (dot < 0 || type.startsWith('_') || !isList(args)) return pair
  return [type.slice(0, dot), [...args, type.slice(dot + 1)]]
}

function padMany(pairs: readonly [string, Value][]): HighId['body'] {
  const body = new Map(pairs)
  const seen = new Set<string>()
  for (const pair of pairs.toSorted((a, b) => byCodePoint(a[0], b[0]))) {
    if (pair[0].startsWith('_') || !isList(pair[1])) continue
    const [type, args] = padPair(pair)
    if (type !== pair[0] && !seen.has(type)) {
      body.delete(pair[0])
      body.set(type, args)
    }
    seen.add(type)
  }
  return [...body]
}

/** Python's order of strings: by code point, which differs from JavaScript's beyond U+FFFF. */
export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return weight(left) - weight(right)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above every other unit. */
function weight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function shapeOf(value: Value): string {
  if (value === null) return 'empty'
  if (isList(value)) return 'a list'
  if (isMap(value)) return 'a map'
  return `'${pythonStr(value)}'`
}
