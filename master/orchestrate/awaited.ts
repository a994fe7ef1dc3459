// What an orchestration waits for, as the tags of events tell it.
import type { Jid, Tag } from '../../core/event/event.ts'
import { matchTag } from '../../core/event/tag-glob.ts'

/** What may let an orchestration go on. */
export interface Awaited {
  /** Jobs and runs whose returns are waited for. */
  readonly jids: readonly Jid[]
  /** Globs over tags. */
  readonly events: readonly Tag[]
}

const ended = /^salt\/(?:job\/(\d{20})\/ret\/|(?:run|wheel)\/(\d{20})\/ret$)/

/** The job or run whose return an event with this tag is; undefined for any other event. */
export function endedJid(tag: Tag): Jid | undefined {
  const found = ended.exec(tag)
  return found?.[1] ?? found?.[2]
}

/** Whether an event with this tag may be what is waited for. */
export function isAwaited(tag: Tag, { jids, events }: Awaited): boolean {
  const jid = endedJid(tag)
  return (jid !== undefined && jids.includes(jid)) || events.some((glob) => matchTag(glob, tag))
}
