// Picks from a table by what a grain or pillar value is: the work of grains.filter_by and pillar.filter_by.
import { matchTag } from '../../core/event/tag-glob.ts'
import { type Dict, entries, isMap, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { deepCopy, mergeDeep } from '../../core/value/merge.ts'
import { traverse } from '../../core/value/traverse.ts'
import { PythonError } from './errors.ts'

/** How to pick. */
export interface Choice {
  readonly table: Mapping | Dict
  /** The path of the value that decides. */
  readonly path: Value
  readonly merge: Value
  readonly default: Value
  readonly base: Value
}

/** The table's value under the first key that equals or matches (as a shell pattern) the value in `data`. */
export function filterBy(data: Mapping, choice: Choice): Value {
  const { table, merge, base } = choice
  const value = traverse(data, choice.path) ?? []
  let result = pick(table, Array.isArray(value) ? value : [value])
  if (result === null) result = at(table, choice.default) ?? null
  const under = pythonTruth(base) ? at(table, base) : undefined
  if (under !== undefined) result = layOver(under, result)
  if (!pythonTruth(merge)) return result
  if (!isMap(merge)) throw new PythonError('SaltException', 'filter_by merge argument must be a dictionary.')
  return result === null ? merge : isMap(result) ? mergeDeep(result, merge) : result
}

function pick(table: Mapping | Dict, values: readonly Value[]): Value {
  for (const value of values) {
    for (const [key, item] of entries(table)) {
      const text = pythonStr(value)
      const pattern = pythonStr(key)
      if (item !== null && (text === pattern || matchTag(pattern, text))) return deepCopy(item)
    }
  }
  return null
}

function at(table: Mapping | Dict, key: Value): Value | undefined {
  for (const [name, item] of entries(table)) if (name === key) return deepCopy(item)
  return undefined
}

function layOver(under: Value, over: Value): Value {
  if (over === null) return under
  if (!isMap(under)) return over
  if (!isMap(over))
    throw new PythonError('SaltException', 'filter_by default and look-up values must both be dictionaries.')
  return mergeDeep(under, over)
}
