// An event: what travels on the bus, and the cause it carries.
import type { Dict, Mapping } from '../value/value.ts'

/** A ULID. Derived events (a job's `/new`, a run's `/ret`) have one computed from their jid, so that a retry repeats it. */
export type EventId = string
/** A Salt event tag: `salt/job/<jid>/new`. Never empty. */
export type Tag = string
/** A minion's name, as it stands in its tags. */
export type MinionId = string
/** A job's or run's id: 20 digits, UTC, `%Y%m%d%H%M%S%f`. */
export type Jid = string

/** Who put the event on the bus. Only the gateway and the master decide it; nobody can claim it. */
export type EventSource = 'master' | 'minion' | 'custom'

/**
 * What led to this event, from the ledger and the job's record, never from a minion's body.
 * An event without a cause is a root: somebody outside fired it.
 */
export interface Cause {
  /** The event at the beginning of the chain. */
  readonly root: EventId
  /** The event whose reaction led here. */
  readonly parent: EventId
  /** How many reactions lie between the root and here; 1 for what a reaction to the root fired. */
  readonly depth: number
  /** `glob\nfile` of each reaction on the way, oldest first. */
  readonly path: readonly string[]
  /** The job or run that fired it. */
  readonly jid?: Jid
}

/** An event as it is stored and delivered. `data` has `_stamp`, naive UTC ISO-8601 with microseconds. */
export interface Event {
  readonly id: EventId
  readonly tag: Tag
  readonly data: Mapping | Dict
  readonly source: EventSource
  readonly cause?: Cause
  /** The key epoch of the minion that sent or caused it; acceptance by a reactor is bound to this key. */
  readonly key?: string
}

/** The cause of whatever a reaction to `event` by (`glob`, `file`) brings about. */
export function causeOf(event: Event, glob: string, file: string, jid?: Jid): Cause {
  return {
    root: event.cause?.root ?? event.id,
    parent: event.id,
    depth: (event.cause?.depth ?? 0) + 1,
    path: [...(event.cause?.path ?? []), `${glob}\n${file}`],
    ...(jid === undefined ? {} : { jid }),
  }
}
