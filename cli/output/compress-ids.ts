// `state_compress_ids`: states of one ID with the same result become one entry.
import {
  type Dict,
  entries,
  float,
  get,
  has,
  isMap,
  type Mapping,
  mapOf,
  numberOf,
  pythonStr,
  type Value,
} from '../../core/value/index.ts'

type Fields = Map<string, Value>

/**
 * Rolls up each minion's states by state module, ID, SLS and result: `(n)` after the ID says how many, durations are
 * summed, the earliest start is kept, changes are keyed by name. Data that is no such return comes back as it is.
 */
export function compressIds(data: Mapping | Dict): Mapping | Dict {
  const hosts: [Value, Value][] = []
  for (const [host, states] of entries(data)) {
    const compressed = isMap(states) ? compressHost(states) : undefined
    if (compressed === undefined) return data
    hosts.push([host, compressed])
  }
  return mapOf(hosts)
}

function compressHost(states: Mapping | Dict): Mapping | Dict | undefined {
  const counts = new Map<string, number>()
  const rows: { tag: string; info: Mapping | Dict; group: string }[] = []
  for (const [key, info] of entries(states)) {
    const needed = isMap(info) && ['__id__', '__sls__', 'result'].every((field) => has(info, field))
    if (!needed || !isMap(info)) return undefined
    const tag = pythonStr(key)
    const group = [tag.split('_|-')[0], get(info, '__id__'), get(info, '__sls__'), get(info, 'result')]
      .map((part) => pythonStr(part ?? null))
      .join('_')
    counts.set(group, (counts.get(group) ?? 0) + 1)
    rows.push({ tag, info, group })
  }
  const result = new Map<string, Value>()
  const rolled = new Map<string, Fields>()
  for (const { tag, info, group } of rows) {
    const count = counts.get(group) ?? 1
    if (count === 1) {
      result.set(tag, info)
      continue
    }
    const name = compressedTag(tag, info, count)
    const seen = rolled.get(name)
    if (seen === undefined) rolled.set(name, new Map(entries(info).map(([key, value]) => [pythonStr(key), value])))
    else merge(seen, info)
    result.set(name, null)
  }
  for (const [name, fields] of rolled) result.set(name, mapOf(fields))
  return mapOf(result)
}

function compressedTag(tag: string, info: Mapping | Dict, count: number): string {
  const parts = tag.split('_|-')
  const text = (field: string): string => pythonStr(get(info, field) ?? null)
  parts[1] = `${text('__id__')} (${count})`
  parts[2] = ['state_compressed', text('__sls__'), text('__id__'), text('result')].join('_')
  return parts.join('_|-')
}

function merge(fields: Fields, info: Mapping | Dict): void {
  const number = (value: Value | undefined): number => Number(numberOf(value ?? 0) ?? 0)
  const run = Math.min(number(fields.get('__run_num__')), number(get(info, '__run_num__')))
  fields.set('__run_num__', run)
  const total = number(fields.get('duration')) + number(get(info, 'duration'))
  fields.set('duration', float(Math.round(total * 1000) / 1000))
  const starts = [fields.get('start_time'), get(info, 'start_time')].map((start) => pythonStr(start ?? '')).sort()
  fields.set('start_time', starts[0] ?? '')
  const changes = get(info, 'changes') ?? null
  if (!isMap(changes) || entries(changes).length === 0) return
  const before = fields.get('changes') ?? null
  const own: [Value, Value] = [pythonStr(get(info, 'name') ?? null), changes]
  fields.set('changes', { 'compressed changes': mapOf([...earlierChanges(before, fields), own]) })
}

function earlierChanges(before: Value, fields: Fields): [Value, Value][] {
  if (!isMap(before) || entries(before).length === 0) return []
  const compressed = get(before, 'compressed changes')
  return compressed !== undefined && isMap(compressed) ? entries(compressed) : [[fields.get('name') ?? null, before]]
}
