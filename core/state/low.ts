// Low chunks: one state to run each, with its arguments and what the engine has to know.

import {
  Dict,
  dictKey,
  entries,
  get,
  isList,
  isMap,
  type Mapping,
  needsDict,
  pythonEquals,
  pythonStr,
  type Value,
} from '../value/index.ts'
import { deepCopy } from '../value/merge.ts'
import { bodyOf, type High, statesOf } from './high.ts'

/**
 * One state to run: `state`, `fun`, `name`, `__id__`, `__sls__`, `__env__`, `order`, its requisites and its arguments, as
 * `state.show_lowstate` prints it.
 */
export type Low = Mapping | Dict

/** A field of a chunk as Python prints it, empty where it has none. */
export function lowText(low: Low, key: string): string {
  const value = get(low, key)
  return value === undefined ? '' : pythonStr(value)
}

/** The key of a chunk's result: `state_|-id_|-name_|-function`. */
export function lowTag(low: Low): string {
  return ['state', '__id__', 'name', 'fun'].map((key) => pythonStr(get(low, key) ?? null)).join('_|-')
}

/** Sets a key in place; answers another map where a plain object cannot hold the key. */
export function putLow(low: Low, key: Value, value: Value): Low {
  if (low instanceof Map) {
    low.set(dictKey(low, key) ?? key, value)
    return low
  }
  if (typeof key === 'string' && !needsDict(key)) {
    low[key] = value
    return low
  }
  return new Dict(Object.entries(low)).set(key, value)
}

/** A chunk before it is ordered. */
export interface DraftLow {
  low: Low
  /** Its place among the `names` of its state, from 1; 0 where it has none. */
  nameOrder: number
}

/** The chunks of verified high data, in its order. Nothing is shared with the high data. */
export function draftLows(high: High, orchestrationJid: string | undefined): DraftLow[] {
  const drafts: DraftLow[] = []
  for (const id of high.keys()) {
    const body = bodyOf(high, id)
    if (body === undefined || typeof id !== 'string' || id.startsWith('__')) continue
    for (const [state, args] of statesOf(body)) {
      let low: Low = { state, name: id }
      if (orchestrationJid !== undefined) low = putLow(low, '__orchestration_jid__', orchestrationJid)
      for (const key of ['__sls__', '__env__', '__sls_included_from__']) {
        const value = body.get(key)
        if (value !== undefined) low = putLow(low, key, value)
      }
      drafts.push(...draftState(putLow(low, '__id__', id), isList(args) ? args : [], id))
    }
  }
  return drafts
}

function draftState(base: Low, args: readonly Value[], id: string): DraftLow[] {
  let low = base
  let fun: string | undefined
  const names: Value[] = []
  for (const argument of args) {
    if (typeof argument === 'string') fun ??= argument
    else if (isMap(argument)) low = putArguments(low, argument, names, id)
  }
  if (fun === undefined) return []
  if (names.length === 0) return [{ low: putLow(copyOf(low), 'fun', fun), nameOrder: 0 }]
  return names.map((name, index) => ({ low: putLow(named(copyOf(low), name), 'fun', fun), nameOrder: index + 1 }))
}

/** `names` are gathered without repeats, `state` is never taken, and a `name` that is no text stays the ID. */
function putArguments(low: Low, argument: Mapping | Dict, names: Value[], id: string): Low {
  let result = low
  for (const [key, value] of entries(argument)) {
    if (key === 'names') {
      for (const name of iterated(value)) if (!names.some((known) => pythonEquals(known, name))) names.push(name)
    } else if (key !== 'state') {
      result = putLow(result, key, key === 'name' && typeof value !== 'string' ? id : value)
    }
  }
  return result
}

/** What Python iterates over in a list, a map or a text. */
function iterated(value: Value): readonly Value[] {
  if (isList(value)) return value
  if (isMap(value)) return entries(value).map(([key]) => key)
  return typeof value === 'string' ? [...value] : []
}

/** A name may be a map of one name to arguments that hold for it alone. */
function named(low: Low, name: Value): Low {
  const [only] = isMap(name) ? entries(name) : []
  if (only === undefined) return putLow(low, 'name', name)
  let result = putLow(low, 'name', only[0])
  for (const override of iterated(only[1])) {
    if (isMap(override)) for (const [key, value] of entries(override)) result = putLow(result, key, deepCopy(value))
  }
  return result
}

function copyOf(low: Low): Low {
  const copy = deepCopy(low)
  return isMap(copy) ? copy : {}
}
