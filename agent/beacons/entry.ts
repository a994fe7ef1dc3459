// One beacon as it was configured: a list of maps or one map, read into the engine's settings and the kind's options.
import { Float, isList, isMap, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'

/** What the engine itself reads of a beacon's configuration. */
export interface BeaconEntry {
  readonly enabled: boolean
  /** Which kind it is of; `beacon_module`, or its own name. */
  readonly kind: string
  /** Seconds between two looks; 0 for every turn. */
  readonly interval: number
  readonly disableDuringStateRun: boolean
  readonly runOnce: boolean
  /** What is left for the kind. */
  readonly options: Mapping
}

const own: ReadonlySet<string> = new Set([
  'enabled',
  'interval',
  'disable_during_state_run',
  'beacon_module',
  'run_once',
])

/** Reads a beacon's configuration in either form; undefined where it is neither a list nor a map. */
export function beaconEntry(name: string, written: Value): BeaconEntry | undefined {
  const all = mergedOptions(written)
  if (all === undefined) return undefined
  const kind = typeof all.beacon_module === 'string' && all.beacon_module !== '' ? all.beacon_module : name
  return {
    enabled: all.enabled !== false,
    kind,
    interval: numberOf(all.interval) ?? 0,
    disableDuringStateRun: all.disable_during_state_run === true,
    runOnce: all.run_once === true,
    options: Object.fromEntries(Object.entries(all).filter(([key]) => !own.has(key) && !key.startsWith('_'))),
  }
}

/** A list's maps as one map, the later over the earlier; a map as it is. */
export function mergedOptions(written: Value): Mapping | undefined {
  if (isList(written)) return Object.assign({}, ...written.map((item) => mapOf(item) ?? {})) as Mapping
  return mapOf(written)
}

/** The same configuration with `enabled` set, in the form it was written in. */
export function withEnabled(written: Value, enabled: boolean): Value {
  if (!isList(written)) return { ...mapOf(written), enabled }
  const at = written.findIndex((item) => isMap(item) && mapOf(item)?.enabled !== undefined)
  if (at < 0) return [...written, { enabled }]
  return written.map((item, index) => (index === at ? { ...mapOf(item), enabled } : item))
}

/** Any map as a plain one; undefined for what is none. */
export function mapOf(value: Value | undefined): Mapping | undefined {
  if (isMapping(value)) return value
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [pythonStr(key), item]))
  return undefined
}

/** A number, also where it was written as text, with `%` or not; undefined for anything else. */
export function numberOf(value: Value | undefined): number | undefined {
  if (value instanceof Float) return value.value
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value.replaceAll('%', ''))
  return Number.isNaN(number) ? undefined : number
}
