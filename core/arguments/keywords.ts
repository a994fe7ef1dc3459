// The map of keywords that rides at the end of a job's `arg`.
import { type Dict, entries, isMap, type Mapping, type Value } from '../value/index.ts'

/** The key that marks the map of keywords in a job's `arg`. */
export const KWARG = '__kwarg__'

/** True for a map of keywords: its {@link KWARG} is `true`, nothing else will do. */
export function isMarked(value: Value): value is Mapping | Dict {
  return isMap(value) && (value instanceof Map ? value.get(KWARG) : value[KWARG]) === true
}

/** The pairs of a map of keywords, without its mark. */
export function withoutMark(map: Mapping | Dict): [Value, Value][] {
  return entries(map).filter(([key]) => key !== KWARG)
}

/** Keywords by name, later ones winning. A plain object, even for names like `__proto__`. */
export function keywords(pairs: readonly (readonly [Value, Value])[]): Mapping {
  const result: Mapping = {}
  for (const [key, value] of pairs) {
    Object.defineProperty(result, String(key), { value, writable: true, enumerable: true, configurable: true })
  }
  return result
}
