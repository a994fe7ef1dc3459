// High data: the IDs of all SLS files of a run, each with its states and where it comes from.

import { Dict, entries, isList, isMap, type Value } from '../value/index.ts'
import { deepCopy } from '../value/merge.ts'

/**
 * ID → {@link HighBody}, as Salt's `state.show_highstate` prints it. Before it is compiled it may also hold `__extend__`
 * and `__exclude__`. What is no map was written so in a file; verifying refuses it.
 */
export type High = Dict

/** State module → its arguments and function; besides `__sls__`, `__env__` and `__sls_included_from__`. */
export type HighBody = Dict

/** A copy of a document whose IDs and bodies are {@link Dict}s; nothing is shared with the original. */
export function thawed(document: ReadonlyMap<Value, Value> | Value): High {
  const high = new Dict()
  if (!isMap(document)) return high
  for (const [id, body] of entries(document)) high.set(id, isMap(body) ? thawedBody(body) : deepCopy(body))
  return high
}

/** A copy of an ID's body. */
export function thawedBody(body: Value): HighBody {
  const copy = new Dict()
  if (isMap(body)) for (const [key, value] of entries(body)) copy.set(key, deepCopy(value))
  return copy
}

/** The body of an ID, `undefined` where there is none or what is there is no map. */
export function bodyOf(high: High, id: Value): HighBody | undefined {
  const body = high.get(id)
  return body instanceof Dict ? body : undefined
}

/** The states of a body: every pair whose key does not begin with `__`. */
export function statesOf(body: HighBody): [state: string, args: Value][] {
  const states: [string, Value][] = []
  for (const [state, args] of body) if (typeof state === 'string' && !state.startsWith('__')) states.push([state, args])
  return states
}

/** What is listed at a key of a map, an empty list where it is something else. */
export function listAt(map: Dict, key: string): Value[] {
  const value = map.get(key)
  return isList(value) ? value : []
}

/** The list at a key, made where it is missing. */
export function listMadeAt(map: Dict, key: string): Value[] {
  const value = map.get(key)
  if (isList(value)) return value
  const made: Value[] = []
  map.set(key, made)
  return made
}

/** The first key and value of an argument that is a map, `undefined` for anything else. */
export function firstPair(argument: Value): [key: Value, value: Value] | undefined {
  return isMap(argument) ? entries(argument)[0] : undefined
}
