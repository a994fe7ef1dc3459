// The mark of an event that was fired again: what it repeats, when that happened, and by which replay.
import { type Dict, get, isMap, type Mapping, pythonStr, type Value } from '../value/index.ts'
import type { Event, EventId } from './event.ts'

/** The key of the mark in an event's data; templates may ask `data._replay is defined`. A minion cannot set it. */
export const REPLAY_MARK = '_replay'

/** What the mark says. */
export interface Replay {
  /** The event that is repeated. */
  readonly event: EventId
  /** Its `_stamp`. */
  readonly stamp: Value
  /** Names the call of `event.replay`: its copies are counted among themselves. */
  readonly run: string
}

/** The mark for a copy of an event. */
export function replayMark(event: Event, run: string): Mapping {
  return { event: event.id, stamp: get(event.data, '_stamp') ?? null, run }
}

/** What the data's mark says; `undefined` for an event that was not replayed. */
export function replayOf(data: Mapping | Dict): Replay | undefined {
  const mark: Value | undefined = get(data, REPLAY_MARK)
  if (mark === undefined || !isMap(mark)) return undefined
  const event = get(mark, 'event')
  if (typeof event !== 'string') return undefined
  return { event, stamp: get(mark, 'stamp') ?? null, run: pythonStr(get(mark, 'run') ?? '') }
}
