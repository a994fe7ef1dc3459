// Firing: an event gets its id and stamp, and goes on the bus.
import type { Cause, Event, EventId, EventSource, Tag } from '../core/event/event.ts'
import { stampOf } from '../core/event/stamp.ts'
import { type Dict, type Mapping, withEntry, withoutEntry } from '../core/value/value.ts'
import type { Clock, EventBus } from './ports.ts'

/** An event before it has an id and a stamp. */
export interface Draft {
  readonly tag: Tag
  readonly data: Mapping | Dict
  readonly source?: EventSource
  readonly cause?: Cause | undefined
  readonly key?: string
  /** An id known beforehand: a minion's, or a derived one. */
  readonly id?: EventId
}

/** Puts events on the bus; resolves when they are durable there. */
export type Fire = (...drafts: readonly Draft[]) => Promise<readonly Event[]>

/** Stamps overwrite whatever `_stamp` the data brought: the time is the master's. */
export function createFire(bus: EventBus, clock: Clock): Fire {
  return async (...drafts) => {
    const events = drafts.map((draft): Event => {
      return {
        id: draft.id ?? clock.eventId(),
        tag: draft.tag,
        data: withEntry(withoutEntry(draft.data, '_stamp'), '_stamp', stampOf(clock.now())),
        source: draft.source ?? 'master',
        ...(draft.cause === undefined ? {} : { cause: draft.cause }),
        ...(draft.key === undefined ? {} : { key: draft.key }),
      }
    })
    if (events.length > 0) await bus.publish(events)
    return events
  }
}
