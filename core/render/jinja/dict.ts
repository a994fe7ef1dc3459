// Python's dict over both kinds of map: any hashable key, insertion order, equal numbers as one key.
import { Dict, dictKey, Float, needsDict, Tuple, type Value } from '../../value/index.ts'
import { checkItems } from './budget.ts'
import { type Datum, plain, repr, TemplateObject, typeName } from './datum.ts'
import { PythonError, typeError } from './python-error.ts'
import type { Run } from './run.ts'
import { Undefined } from './undefined.ts'

/** Either kind of map. */
export type DictDatum = { [key: string]: Datum } | Map<Datum, Datum>

/** A new dict; templates make the kind that takes any key. */
export function newDict(pairs: Iterable<readonly [Datum, Datum]> = []): Map<Datum, Datum> {
  const dict = new Dict() as Map<Datum, Datum>
  for (const [key, value] of pairs) put(dict, hashable(key), value)
  return dict
}

/** The key as the map holds it. Throws Python's error for lists, maps and what else has no hash. */
export function hashable(key: Datum): Datum {
  if (typeof key !== 'object' || key === null || key instanceof Float) return key
  if (key instanceof Undefined && key.strict) key.fail()
  if (key instanceof TemplateObject) return plain(key)
  if (Array.isArray(key) && key instanceof Tuple) {
    let same = true
    const items = Array.from(key as Datum[], (item) => {
      const kept = hashable(item)
      same &&= kept === item
      return kept
    })
    return same ? key : (Tuple.from(items as Value[]) as Datum[])
  }
  throw typeError(`unhashable type: '${typeName(key)}'`)
}

/** `dict[key]`, `undefined` where it has none. */
export function dictItem(dict: DictDatum, key: Datum): Datum | undefined {
  const known = typeof key === 'string' ? key : hashable(key)
  if (dict instanceof Map) {
    const found = dict.get(known)
    if (found !== undefined || typeof known === 'string') return found
    const held = findKey(dict, known)
    return held === undefined ? undefined : dict.get(held)
  }
  return typeof known === 'string' && Object.hasOwn(dict, known) ? dict[known] : undefined
}

/** True where the dict holds a key equal to this one by Python's `==`. */
export function dictHas(dict: DictDatum, key: Datum): boolean {
  return dictItem(dict, key) !== undefined
}

/** Dicts that have no floats and tuples for keys, so that what is not found at once is not there. */
const simple = new WeakSet<Map<Datum, Datum>>()

/** The key the dict holds that equals this one, `undefined` where it has none. */
function findKey(dict: Map<Datum, Datum>, key: Datum): Datum | undefined {
  if (dict.has(key)) return key
  if (typeof key === 'string' || key === null) return undefined
  if (typeof key === 'number' && Number.isInteger(key)) {
    if (!simple.has(dict)) {
      if (Array.from(dict.keys()).some((held) => typeof held === 'object' && held !== null)) return slowKey(dict, key)
      simple.add(dict)
    }
    if (key === 0 || key === 1) return dict.has(key === 1) ? key === 1 : undefined
    return undefined
  }
  return slowKey(dict, key)
}

function slowKey(dict: Map<Datum, Datum>, key: Datum): Datum | undefined {
  return dictKey(dict as Map<Value, Value>, key as Value) as Datum | undefined
}

function put(dict: Map<Datum, Datum>, key: Datum, value: Datum): void {
  const held = findKey(dict, key)
  if (held === undefined && typeof key === 'object' && key !== null) simple.delete(dict)
  dict.set(held === undefined ? key : held, value)
}

/** `dict[key] = value`, undone when the render ends. */
export function dictSet(dict: DictDatum, key: Datum, value: Datum, run: Run): void {
  run.changes(dict)
  const known = hashable(key)
  if (dict instanceof Map) {
    checkItems(dict.size)
    put(dict, known, value)
  } else if (typeof known !== 'string' || (needsDict(known) && known === '__proto__')) {
    throw typeError(`data from outside takes no key ${repr(known)}: copy it first, as in dict(data)`)
  } else dict[known] = value
}

/** `del dict[key]`; the value it held. */
export function dictDelete(dict: DictDatum, key: Datum, run: Run): Datum | undefined {
  const value = dictItem(dict, key)
  if (value === undefined) return undefined
  run.changes(dict)
  const known = hashable(key)
  if (dict instanceof Map) dict.delete(findKey(dict, known) as Datum)
  else delete dict[String(known)]
  return value
}

/** The keys, in order. */
export function dictKeys(dict: DictDatum): Datum[] {
  return dict instanceof Map ? [...dict.keys()] : Object.keys(dict)
}

/** The values, in order of their keys. */
export function dictValues(dict: DictDatum): Datum[] {
  return dict instanceof Map ? [...dict.values()] : Object.values(dict)
}

/** Keys and values, in order. */
export function dictPairs(dict: DictDatum): [Datum, Datum][] {
  return dict instanceof Map ? [...dict] : Object.entries(dict)
}

/** How many keys there are. */
export function dictSize(dict: DictDatum): number {
  return dict instanceof Map ? dict.size : Object.keys(dict).length
}

/** A shallow copy of the template's own kind. */
export function dictCopy(dict: DictDatum): Map<Datum, Datum> {
  return new Dict(dictPairs(dict) as [Value, Value][]) as Map<Datum, Datum>
}

/** The KeyError for a key that is not there, with its repr, as Python prints it. */
export function keyError(key: Datum): PythonError {
  return new PythonError('KeyError', repr(key))
}
