// Settings as plain mappings: YAML's maps, whose keys are read as text.
import { type Dict, entries, isMap, type Mapping, pythonStr, type Value } from '../value/index.ts'

/** A map as a mapping, its keys as text; undefined for anything else. */
export function mappingOf(value: Value | Mapping | Dict | undefined): Mapping | undefined {
  if (value === undefined || value === null || !isMap(value)) return undefined
  return Object.fromEntries(entries(value).map(([key, item]) => [pythonStr(key), item]))
}
