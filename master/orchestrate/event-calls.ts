// Waiting for events: read from the log on from a cursor, so that none is missed while the master is away.
import { matchTag } from '../../core/event/tag-glob.ts'
import { type Dict, get, isList, isMap, type Mapping, pythonEquals, type Value } from '../../core/value/index.ts'
import type { EventLog } from '../ports.ts'
import type { StepCall } from './record.ts'

type EventsCall = Extract<StepCall, { readonly kind: 'events' }>

const batchSize = 500

/** Reads what was logged since; the call with what is left. */
export async function pollEvents(call: EventsCall, log: EventLog): Promise<EventsCall> {
  let { cursor, left, seen } = call
  for (;;) {
    const read = await log.read(cursor, batchSize)
    for (const { event } of read.events) {
      if (left.length === 0) break
      if (!matchTag(call.request.tag, event.tag)) continue
      const found = idsIn(event.data, call.request.key).filter((id) => left.some((wanted) => pythonEquals(wanted, id)))
      left = left.filter((wanted) => !found.some((id) => pythonEquals(wanted, id)))
      seen = [...seen, ...found]
    }
    const isEnd = read.events.length < batchSize || left.length === 0
    cursor = read.cursor
    if (isEnd) return { ...call, cursor, left, seen }
  }
}

/** The ids that an event names: under the key, else under the same key of its own `data`; a list names several. */
function idsIn(data: Mapping | Dict, key: string): readonly Value[] {
  const inner = get(data, 'data') ?? null
  const value = get(data, key) ?? (isMap(inner) ? get(inner, key) : undefined)
  if (value === undefined || value === null) return []
  return isList(value) ? value : [value]
}
