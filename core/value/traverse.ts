// Follows a path like `pkg:apache:0` through maps and lists, as Salt's traverse_dict_and_list does.
import { yamlifyArg } from '../arguments/index.ts'
import { Dict, dictGet, get, isMap, type Mapping, type Value } from './index.ts'

/** The value at a path; undefined where it leads nowhere. Numbers index lists; maps inside a list are looked into. */
export function traverse(data: Value, path: Value, delimiter = ':'): Value | undefined {
  const steps = typeof path === 'string' ? path.split(delimiter) : Array.isArray(path) ? path : [path]
  let place: Value | undefined = data
  for (const step of steps) {
    if (Array.isArray(place)) place = inList(place, step)
    else if (place !== undefined && place !== null && isMap(place)) place = inMap(place, step)
    else return undefined
    if (place === undefined) return undefined
  }
  return place
}

function inList(list: readonly Value[], step: Value): Value | undefined {
  const index = typeof step === 'number' ? step : /^\s*[-+]?\d+\s*$/.test(String(step)) ? Number(step) : undefined
  const key = index ?? step
  for (const item of list) {
    const found = isMap(item) ? exactly(item, key) : undefined
    if (found !== undefined) return found
  }
  return index === undefined ? undefined : list.at(index)
}

function inMap(map: Mapping | Dict, step: Value): Value | undefined {
  const found = exactly(map, step)
  if (found !== undefined || typeof step !== 'string') return found
  const loaded = yamlifyArg(step)
  return loaded === step ? undefined : exactly(map, loaded)
}

function exactly(map: Mapping | Dict, key: Value): Value | undefined {
  if (typeof key === 'string') return get(map, key)
  return map instanceof Dict ? dictGet(map, key) : undefined
}
