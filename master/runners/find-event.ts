// Finding the event that somebody means: by its id, by the jid of the job it led to, or by its tag.
import { derivedEventId } from '../../core/event/derived-id.ts'
import type { Event, EventId, Tag } from '../../core/event/event.ts'
import { isJid } from '../../core/event/jid.ts'
import type { EventLog, JobStore } from '../ports.ts'

/** Where an event is looked for. */
export interface EventPlaces {
  readonly log: EventLog
  readonly jobs: JobStore
}

/** Whether a text has the form of an event id. */
export function isEventId(text: string): text is EventId {
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}

/** The event, or `undefined` where the log has none such. A jid means the event whose reaction made the job or run. */
export async function findEvent({ log, jobs }: EventPlaces, wanted: string): Promise<Event | undefined> {
  if (isEventId(wanted)) return (await log.find(wanted))?.event
  if (isJid(wanted)) {
    const started = (await log.find(derivedEventId(wanted, 'new')))?.event
    const parent = started?.cause?.parent ?? (await jobs.get(wanted))?.origin?.split('/')[0]
    return (parent === undefined ? undefined : (await log.find(parent))?.event) ?? started
  }
  return newestWith(log, wanted)
}

/** Events of one read. Between two reads others get their turn. */
const STEP = 1000

/** Reads the log from a place to its end, step by step; ends early where `visit` answers false. */
export async function scanLog(
  log: EventLog,
  after: Parameters<EventLog['read']>[0],
  visit: (event: Event) => boolean,
): Promise<void> {
  let cursor = after
  for (;;) {
    const read = await log.read(cursor, STEP)
    for (const { event } of read.events) if (!visit(event)) return
    if (read.events.length < STEP) return
    cursor = read.cursor
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function newestWith(log: EventLog, tag: Tag): Promise<Event | undefined> {
  for await (const events of log.back()) {
    const found = events.find((event) => event.tag === tag)
    if (found !== undefined) return found
  }
  return undefined
}
