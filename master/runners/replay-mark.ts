// The mark of an event that was fired again: what it repeats, and when that happened.
import type { Event, EventId } from '../../core/event/event.ts'
import { type Dict, get, isMap, type Mapping, type Value } from '../../core/value/index.ts'

/** The key of the mark in an event's data; templates may ask `data._replay is defined`. */
export const REPLAY_MARK = '_replay'

/** The mark for a copy of an event. */
export function replayMark(event: Event): Mapping {
  return { event: event.id, stamp: get(event.data, '_stamp') ?? null }
}

/** The id of the event that the data's is a copy of; `undefined` for one that was not replayed. */
export function replayedFrom(data: Mapping | Dict): EventId | undefined {
  const mark: Value | undefined = get(data, REPLAY_MARK)
  const event = mark !== undefined && isMap(mark) ? get(mark, 'event') : undefined
  return typeof event === 'string' ? event : undefined
}
