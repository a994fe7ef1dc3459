// The limits that end loops: how deep, how often the same file on one causal path, how many in all, how many a minute.
import type { Event, EventId, MinionId } from '../core/event/event.ts'
import { stampOf } from '../core/event/stamp.ts'
import { get } from '../core/value/index.ts'
import type { Trip } from './breaker.ts'

/** Limits on what one event outside may lead to. */
export interface LoopLimits {
  /** Reactions between the root event and the last thing fired. */
  readonly depth: number
  /** Reactions planned for one root event, all levels together. */
  readonly total: number
  /** Times the same entry and file may stand on one causal path. */
  readonly repeats: number
  /** Reactions of one entry to one minion's events in a minute; 0 for any number. */
  readonly perMinute: number
}

/** The limits nobody changed. */
export const defaultLoopLimits: LoopLimits = { depth: 16, total: 1000, repeats: 3, perMinute: 600 }

/** Why a limit refuses something: `code` is stable, `reason` names the limit. */
export interface LoopRefusal {
  readonly code: 'loop-depth' | 'loop-repeat' | 'loop-total'
  readonly reason: string
}

/** Whether a file's error is a limit on loops. */
export function isLoopCode(code: string): boolean {
  return code.startsWith('loop-')
}

/** Whether a file's error is the breaker's. */
export function isThrottleCode(code: string): boolean {
  return code === 'throttled'
}

/** Whether a file's error says only that it is not its turn: nothing went wrong, and nobody is told. */
export function isOnceCode(code: string): boolean {
  return code === 'once-within'
}

/** The minion whose event it is: breakers look at those alone. */
export function minionOf({ source, data }: Event): MinionId | undefined {
  const id = source === 'minion' ? get(data, 'id') : undefined
  return typeof id === 'string' ? id : undefined
}

/** Why an open breaker refuses a file. */
export function throttleRefusal(glob: string, minion: MinionId, { at, until }: Trip, limits: LoopLimits) {
  return {
    code: 'throttled',
    message: `breaker: entry ${glob} reacted ${limits.perMinute} times to ${minion} in a minute (reactor_breaker); open from ${stampOf(at)} to ${stampOf(until)}`,
    trippedAt: at,
  }
}

/** Why `once_within` refuses a file. */
export function onceRefusal(within: string, holder: EventId, from: string, until: string) {
  return {
    code: 'once-within',
    message: `once_within ${within}: the entry reacted to ${holder} at ${from}, and reacts again after ${until}`,
  }
}

/** Whether reacting to this event by this entry and file would pass the depth or the repeats. */
export function loopRefusal(event: Event, glob: string, file: string, limits: LoopLimits): LoopRefusal | undefined {
  const { cause } = event
  if (cause === undefined) return undefined
  if (cause.depth >= limits.depth) {
    return {
      code: 'loop-depth',
      reason: `loop limit: the event lies ${cause.depth} reactions deep and ${limits.depth} is the most; break the chain or start it by an event from outside`,
    }
  }
  const step = `${glob}\n${file}`
  const times = cause.path.reduce((count, taken) => (taken === step ? count + 1 : count), 0)
  if (times < limits.repeats) return undefined
  return {
    code: 'loop-repeat',
    reason: `loop limit: ${file} (entry ${glob}) stands ${times} times among the event's causes and ${limits.repeats} is the most; make its condition end the loop`,
  }
}

/** Whether the reaction is one too many for its root event; `before` is what earlier plans of the root hold. */
export function totalRefusal(before: number, ordinal: number, limits: LoopLimits): LoopRefusal | undefined {
  const place = before + ordinal + 1
  if (place <= limits.total) return undefined
  return {
    code: 'loop-total',
    reason: `loop limit: it is reaction ${place} of its root event and ${limits.total} is the most; look for events that multiply`,
  }
}
