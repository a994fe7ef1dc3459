// Low chunks: one reaction each, with Salt's fields, out of verified high data.
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
import type { HighId } from './high.ts'
import type { Requisite } from './requisite.ts'

/** One reaction of an event. Chunks are in the order in which they start. */
export interface Chunk {
  /**
   * Salt's fields in Salt's order: `state`, `name`, `__sls__`, `__id__`, the arguments, `fun`, `order`. The type is in
   * `state`, with `cmd` already rewritten to `local`. Holds values of the document: do not change it.
   */
  readonly low: Mapping | Dict
  /** Index into the files that were compiled. */
  readonly file: number
  readonly id: string
  readonly name: string
  /** The type as written: `cmd` stays `cmd`. */
  readonly type: string
  readonly fun: string
  /** What it waits for. The indexes are those of the chunks, and always smaller than its own. */
  readonly requisites: readonly Requisite[]
}

/** A chunk before it is ordered. */
export interface Draft {
  readonly low: Mapping | Dict
  readonly file: number
  /** Its place among the `names` of its reaction, from 1; 0 where it has none. */
  readonly nameOrder: number
}

/** A field of a draft as Python prints it. */
export function draftText(draft: Draft, key: string): string {
  return pythonStr(get(draft.low, key) ?? null)
}

/**
 * The chunks of one file's reactions, one for each of their `names`. Throws a `TypeError` where the arguments are not of
 * a shape that Salt can compile either; the message says which.
 */
export function draftChunks(ids: readonly HighId[], sls: string, file: number): Draft[] {
  const drafts: Draft[] = []
  for (const { id, body } of ids) {
    if (typeof id !== 'string' || id.startsWith('__')) continue
    for (const [state, args] of body) {
      if (state.startsWith('__') || !isList(args)) continue
      const base = { state, name: id, __sls__: sls, __id__: id }
      drafts.push(...draftState(base, args, id).map((draft) => ({ ...draft, file })))
    }
  }
  return drafts
}

/** The chunks of one reaction: one, or one for each of its `names`; none where it names no function. */
function draftState(base: Mapping, args: readonly Value[], id: string): Omit<Draft, 'file'>[] {
  let low: Mapping | Dict = base
  let fun: string | undefined
  const names: Value[] = []
  for (const arg of args) {
    if (typeof arg === 'string') fun = arg
    else if (isMap(arg)) low = mergeArgument(low, arg, names, id)
  }
  if (fun === undefined) return []
  if (names.length === 0) return [{ low: put(low, 'fun', fun), nameOrder: 0 }]
  return names.map((name, index) => ({
    low: put(named(copy(low), name, id), 'fun', fun),
    nameOrder: index + 1,
  }))
}

/** Every key but a lone `names` goes into the chunk, later ones winning; `names` are gathered without repeats. */
function mergeArgument(low: Mapping | Dict, arg: Mapping | Dict, names: Value[], id: string): Mapping | Dict {
  const pairs = entries(arg)
  const given = get(arg, 'names')
  if (given !== undefined) {
    for (const name of nameList(given, id)) if (!names.some((known) => pythonEquals(known, name))) names.push(name)
    if (pairs.length === 1) return low
  }
  let merged = low
  for (const [key, value] of pairs) merged = put(merged, key, value)
  return merged
}

/** What Python iterates over: the items of a list, the keys of a map, the characters of a text. */
function nameList(names: Value, id: string): Value[] {
  if (isList(names)) return names
  if (isMap(names)) return entries(names).map(([key]) => key)
  if (typeof names === 'string') return [...names]
  throw new TypeError(`The 'names' of '${id}' are ${pythonStr(names)}, not a list.`)
}

/** A name may be a map of one name to a list of arguments that hold for it alone. */
function named(low: Mapping | Dict, name: Value, id: string): Mapping | Dict {
  if (!isMap(name)) return put(low, 'name', name)
  const [first] = entries(name)
  if (first === undefined) throw new TypeError(`The 'names' of '${id}' hold an empty map.`)
  let result = put(low, 'name', first[0])
  const overrides = first[1]
  if (!isList(overrides)) {
    throw new TypeError(
      `The name '${pythonStr(first[0])}' of '${id}' needs a list of arguments, not ${pythonStr(overrides)}.`,
    )
  }
  for (const override of overrides) {
    if (!isMap(override))
      throw new TypeError(`The name '${pythonStr(first[0])}' of '${id}' lists ${pythonStr(override)}, not a map.`)
    for (const [key, value] of entries(override)) result = put(result, key, value)
  }
  return result
}

/** Sets a key in place; answers another map where a plain object cannot hold the key. */
export function put(map: Mapping | Dict, key: Value, value: Value): Mapping | Dict {
  if (map instanceof Map) {
    map.set(dictKey(map, key) ?? key, value)
    return map
  }
  if (typeof key === 'string' && !needsDict(key)) {
    map[key] = value
    return map
  }
  return new Dict(Object.entries(map)).set(key, value)
}

function copy(map: Mapping | Dict): Mapping | Dict {
  return map instanceof Map ? new Dict(map) : { ...map }
}
