// Events where an answer cannot be streamed: what there is, as soon as there is something, and where to ask on.
import { stringifyJson } from '../../core/value/index.ts'
import type { EventLog, LoggedEvent } from '../ports.ts'

/** What to answer with. */
export interface WindowOptions {
  /** A cursor; `now` is answered at once, with the cursor that it is. */
  readonly since: string
  readonly wants: (tag: string) => boolean
  /** After which there is an answer even where nothing happened. */
  readonly milliseconds: number
}

/** What one answer may hold: a function's is at most 6 MB. */
const mostBytes = 4 * 1024 * 1024

/** Of an answer that consists of such lines. */
export const lineHeaders = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }

/** An event as a line of the stream. */
export function lineOf({ cursor, event }: LoggedEvent): string {
  return `${stringifyJson({ cursor, id: event.id, tag: event.tag, data: event.data }, { ascii: false, separators: [',', ':'] })}\n`
}

/** The events of one window as lines; the last line is the cursor to ask on from, which misses and repeats nothing. */
export async function eventWindow(
  log: Pick<EventLog, 'end' | 'follow'>,
  { since, wants, milliseconds }: WindowOptions,
): Promise<Response> {
  if (since === 'now') return windowOf([], await log.end())
  let cursor = since
  const lines: string[] = []
  let bytes = 0
  for await (const batch of log.follow(since, AbortSignal.timeout(milliseconds))) {
    for (const logged of batch) {
      const line = wants(logged.event.tag) ? lineOf(logged) : ''
      bytes += Buffer.byteLength(line)
      if (lines.length > 0 && bytes > mostBytes) return windowOf(lines, cursor)
      if (line !== '') lines.push(line)
      cursor = logged.cursor
    }
    if (lines.length > 0) break
  }
  return windowOf(lines, cursor)
}

function windowOf(lines: readonly string[], cursor: string): Response {
  return new Response(`${lines.join('')}${JSON.stringify({ cursor })}\n`, { headers: lineHeaders })
}
