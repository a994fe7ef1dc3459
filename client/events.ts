// Watching the bus from a program: `getEvent` and `iterEvents`, as Salt's event module has them.
import { type TagMatch, tagMatcher } from '../core/event/tag.ts'
import type { Dict, Mapping } from '../core/value/index.ts'
import type { Connection, WatchedEvent } from './connection.ts'

/** Which events, and how many seconds to wait for one. */
export interface EventOptions {
  /** Seconds; `getEvent` only. @default 5 */
  readonly wait?: number
  /** Empty matches all. */
  readonly tag?: string
  /** @default startswith */
  readonly matchType?: TagMatch
  /** Go on from this cursor instead of from now. */
  readonly since?: string
  readonly signal?: AbortSignal
}

/** Events as they come, until the signal ends or the loop is left. */
export async function* iterEvents(connection: Connection, options: EventOptions = {}): AsyncGenerator<WatchedEvent> {
  const stop = new AbortController()
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal])
  const since = options.since === undefined ? {} : { since: options.since }
  const wanted = tagMatcher(options.tag ?? '', options.matchType ?? 'startswith')
  try {
    for await (const event of await connection.watch(since, signal)) {
      if (wanted(event.tag)) yield event
    }
  } finally {
    stop.abort()
  }
}

/** The next event's data, or null where none came in time. */
export async function getEvent(connection: Connection, options: EventOptions = {}): Promise<Mapping | Dict | null> {
  const patience = AbortSignal.timeout((options.wait ?? 5) * 1000)
  const signal = options.signal === undefined ? patience : AbortSignal.any([patience, options.signal])
  for await (const event of iterEvents(connection, { ...options, signal })) return event.data
  return null
}
