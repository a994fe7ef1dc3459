// Finds the value at a path of keys in grains or pillar, as Salt's traverse_dict_and_list does.
import { yamlifyArg } from '../arguments/yamlify.ts'
import { dictGet, get, isList, isMap, isMapping, type Value } from '../value/index.ts'

/**
 * The value at `keys`, `undefined` where there is none. In a list a key is first looked for in the maps the list holds,
 * then taken as an index (negative ones count from the end). A key that is missing as text is looked for as what YAML
 * makes of it, so `1000` finds the integer.
 */
export function lookup(data: Value, keys: readonly string[]): Value | undefined {
  let value: Value | undefined = data
  for (const key of keys) {
    if (value === undefined) return undefined
    value = isList(value) ? inList(value, key) : inMap(value, key)
  }
  return value
}

function inMap(value: Value, key: string): Value | undefined {
  if (!isMap(value)) return undefined
  const found = get(value, key)
  if (found !== undefined || isMapping(value)) return found
  const other = yamlifyArg(key)
  return typeof other === 'string' ? undefined : dictGet(value, other)
}

function inList(list: readonly Value[], key: string): Value | undefined {
  const isIndex = /^\s*[-+]?\d+(?:_\d+)*\s*$/.test(key)
  const index = Number(key.replaceAll('_', ''))
  for (const item of list) {
    if (!isMap(item)) continue
    const found = isIndex ? (isMapping(item) ? undefined : dictGet(item, index)) : get(item, key)
    if (found !== undefined) return found
  }
  return isIndex ? list.at(index) : undefined
}
