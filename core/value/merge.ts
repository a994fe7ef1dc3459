// Laying one map over another, deep where both hold maps, as Salt's dictupdate does.
import { Dict, entries, isMap, type Mapping, mapOf, type Value } from './index.ts'

/** A new map: `over` wins; maps are merged into one another, lists appended where `lists` says so. */
export function mergeDeep(base: Mapping | Dict, over: Mapping | Dict, lists = false): Mapping | Dict {
  const result = new Dict(entries(base))
  for (const [key, value] of entries(over)) {
    const old = result.get(key)
    if (old !== undefined && old !== null && isMap(old) && value !== null && isMap(value))
      result.set(key, mergeDeep(old, value, lists))
    else if (lists && Array.isArray(old) && Array.isArray(value))
      result.set(key, [...old, ...value.filter((item) => !old.includes(item))])
    else result.set(key, value)
  }
  return mapOf(result)
}

/** A copy that shares nothing with the original. */
export function deepCopy(value: Value): Value {
  if (Array.isArray(value)) return value.map(deepCopy)
  if (value !== null && isMap(value)) return mapOf(entries(value).map(([key, item]) => [key, deepCopy(item)] as const))
  return value
}
