// Events as Salt's stream frames them: `tag:`, `data:`, and after them the `id:` to go on from.
import type { Event } from '../../../core/event/event.ts'
import { stringifyJson } from '../../../core/value/index.ts'
import type { LoggedEvent } from '../../ports.ts'

/** The first line: how many milliseconds a browser waits before it comes back. */
export const retryLine = 'retry: 400\n'

const known = new WeakMap<Event, string>()

/** `{"data": …, "tag": …}`, made once for all who read the event. */
export function eventJson(event: Event): string {
  const made = known.get(event)
  if (made !== undefined) return made
  const text = stringifyJson({ data: event.data, tag: event.tag }, { ascii: false })
  known.set(event, text)
  return text
}

/** A frame. A tag with a line break in it would end the line: it is shown without. */
export function eventFrame({ cursor, event }: LoggedEvent): string {
  return `tag: ${event.tag.replace(/[\r\n]/g, ' ')}\ndata: ${eventJson(event)}\nid: ${cursor}\n\n`
}

/** What keeps a quiet stream alive; a client sees nothing of it. */
export const keepAliveFrame = ': keep-alive\n\n'
