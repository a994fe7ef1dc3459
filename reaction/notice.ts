// What the engine fires about itself: reactions that did not run, and loops that were ended.
import { derivedEventId } from '../core/event/derived-id.ts'
import { type Cause, causeOf, type Event, type EventId, type Tag } from '../core/event/event.ts'
import { jidOf } from '../core/event/jid.ts'
import type { Mapping } from '../core/value/value.ts'
import { minionOf } from './limits.ts'
import type { Ending, Plan, PlannedFile, Reaction } from './plan.ts'

/** An event to fire. The same occurrence has the same id each time it is told, so that the log keeps one. */
export interface Notice {
  readonly id: EventId
  readonly tag: Tag
  readonly data: Mapping
  readonly cause: Cause
}

/** Fires events of the master's; resolves when they are durable. Those whose id was fired before are dropped. */
export type FireNotices = (...notices: readonly Notice[]) => Promise<unknown>

/** `brine/reactor/error` for a file that contributes nothing. */
export function fileNotice(event: Event, plan: Plan, index: number, file: PlannedFile): Notice {
  const { error } = file
  return notice(event, 'brine/reactor/error', `file/${index}`, file, {
    ...about(event, file),
    error: error?.message ?? '',
    code: error?.code ?? '',
    ...(error?.place === undefined ? {} : { place: error.place }),
    version: plan.version,
  })
}

/** `brine/reactor/error` for a reaction that failed, was refused or was interrupted. */
export function reactionNotice(event: Event, plan: Plan, reaction: Reaction, ending: Ending): Notice {
  const file = plan.files[reaction.file]
  return notice(event, 'brine/reactor/error', `reaction/${reaction.ordinal}`, file, {
    ...about(event, file),
    id: reaction.id,
    fun: `${reaction.type}.${reaction.fun}`,
    state: ending.state,
    error: ending.reason ?? ending.state,
    version: plan.version,
  })
}

/** `brine/reactor/throttled`, once each time that a breaker opens: whichever event tells of it has the same id. */
export function throttledNotice(event: Event, plan: Plan, file: PlannedFile): Notice {
  const minion = minionOf(event) ?? ''
  const at = file.error?.trippedAt ?? plan.at
  return {
    ...notice(event, 'brine/reactor/throttled', '', file, {
      ...about(event, file),
      minion,
      error: file.error?.message ?? '',
      version: plan.version,
    }),
    id: derivedEventId(jidOf(at), `brine/reactor/throttled\n${file.glob}\n${minion}`),
  }
}

/** `brine/reactor/loop`, once an event: what was refused and by which limits. */
export function loopNotice(
  event: Event,
  refused: readonly { readonly file: PlannedFile | undefined; readonly id?: string; readonly reason: string }[],
): Notice {
  const [first] = refused
  return notice(event, 'brine/reactor/loop', 'loop', first?.file, {
    event: event.id,
    tag: event.tag,
    root: event.cause?.root ?? event.id,
    depth: event.cause?.depth ?? 0,
    refused: refused.map(({ file, id, reason }) => ({
      glob: file?.glob ?? '',
      file: file?.name ?? '',
      ...(id === undefined ? {} : { id }),
      reason,
    })),
  })
}

function about(event: Event, file: PlannedFile | undefined): Mapping {
  return { event: event.id, tag: event.tag, glob: file?.glob ?? '', file: file?.name ?? '' }
}

function notice(event: Event, tag: Tag, part: string, file: PlannedFile | undefined, data: Mapping): Notice {
  const random = derivedEventId(event.id, `${tag}/${part}`).slice(10)
  return {
    id: event.id.slice(0, 10).padEnd(10, '0') + random,
    tag,
    data,
    cause: causeOf(event, file?.glob ?? '', file?.name ?? ''),
  }
}
