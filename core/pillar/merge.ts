// How pillars of several files become one.
import { entries, get, has, isMap, type Mapping, mapOf, type Value } from '../value/index.ts'
import { mergeDeep } from '../value/merge.ts'
import type { Dict } from '../value/value.ts'

/** Salt's `pillar_source_merging_strategy`, and whether lists are joined. */
export interface Merging {
  /** `smart` and `recurse`: maps into one another; `overwrite`: top keys as a whole; `list`: both in a list; any other as `recurse`. */
  readonly strategy: string
  readonly lists: boolean
}

type AnyMap = Mapping | Dict

/** A new map; neither of the two is changed. */
export function mergePillars(base: AnyMap, over: AnyMap, { strategy, lists }: Merging): AnyMap {
  if (strategy === 'overwrite') return mapOf([...entries(base), ...entries(over)])
  if (strategy === 'list') return listed(base, over)
  return mergeDeep(base, over, lists)
}

/** What both have stands in a list; what only the later one has is lost, as in Salt. */
function listed(base: AnyMap, over: AnyMap): AnyMap {
  const pairs = entries(base).map(([key, value]): [Value, Value] => {
    const isShared = over instanceof Map ? over.has(key) : typeof key === 'string' && has(over, key)
    const other = over instanceof Map ? over.get(key) : typeof key === 'string' ? get(over, key) : undefined
    return [key, isShared ? [value, other ?? null] : value]
  })
  return mapOf(pairs)
}

/** `{a: {b: pillar}}` for the key `a:b`. */
export function below(key: string, pillar: AnyMap): AnyMap {
  return key.split(':').reduceRight<AnyMap>((inner, part) => mapOf([[part, inner]]), pillar)
}

/** A map, or none at all. */
export function mapOrNone(value: Value | undefined): AnyMap | undefined {
  return value !== undefined && isMap(value) ? value : undefined
}
