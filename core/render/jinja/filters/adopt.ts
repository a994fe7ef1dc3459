// Values that were read become the template's own, so that it may change them in every way.
import { Dict, Float, Tuple, type Value } from '../../../value/index.ts'
import type { Datum } from '../datum.ts'

/** The value with its maps as the kind that takes any key. The value has to be fresh: lists are kept. */
export function adopt(value: Value): Datum {
  if (typeof value !== 'object' || value === null || value instanceof Float) return value
  if (Array.isArray(value)) {
    const list = value instanceof Tuple ? [...value] : value
    for (let index = 0; index < list.length; index++) list[index] = adopt(list[index] ?? null) as Value
    return list as Datum[]
  }
  const dict = new Dict()
  for (const [key, item] of value instanceof Map ? value : Object.entries(value)) dict.set(key, adopt(item) as Value)
  return dict as Map<Datum, Datum>
}
