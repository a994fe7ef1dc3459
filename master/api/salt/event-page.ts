// /events: the bus as server-sent events, resumable from any `id:`.
import { tagGlob } from '../../../core/event/tag-glob.ts'
import type { Authenticator } from '../../auth/index.ts'
import type { EventLog } from '../../ports.ts'
import { ApiError, noPermission } from './error-page.ts'
import { eventFrame, keepAliveFrame, retryLine } from './event-frames.ts'
import { eventStream } from './event-stream.ts'
import type { Page, PageCall } from './page.ts'
import { stillStands } from './still-stands.ts'

/** Milliseconds without an event after which a comment is sent. */
const quiet = 15_000
/** Milliseconds for which a token that was looked at is good. */
const trusted = 2_000

/** What a token in the query is told where it opens nothing: Salt's words, which name the better ways. */
const noQuery =
  "The /events endpoint takes no query parameters; in particular, tokens must not be passed via the query string -- they end up in access logs and the Referer header. Use the 'X-Auth-Token' header (for non-browser clients) or the session cookie set by /login (for browser EventSource clients) instead."

/** `tag` filters by glob, once or more; `token` and `ticket` are taken here alone. */
const parameters = new Set(['token', 'ticket', 'tag'])

/**
 * The page. A slow reader holds up nobody: what it has not read stays in the log. Where the platform ends answers after
 * `longest` milliseconds, it is a window: it ends as soon as something was told, and the reader's `Last-Event-ID`, which
 * it gets at the beginning, joins the next to it without a gap.
 */
export function eventPage(log: EventLog, auth: Authenticator, longest?: number): Page {
  return {
    method: 'GET',
    path: '/events',
    who: ['user', 'local'],
    queryToken: true,
    ownForm: true,
    isPrivate: false,
    // A token in the query that opens nothing is told what Salt tells every query.
    refusal: (request) =>
      new URL(request.url).search === '' ? new ApiError(401, noPermission, {}, true) : new ApiError(400, noQuery),
    about: 'the bus as server-sent events; ?tag=GLOB filters, Last-Event-ID resumes',
    allow: 'GET, HEAD',
    async answer(call) {
      const { query, request } = call
      if ([...query.keys()].some((name) => !parameters.has(name))) throw new ApiError(400, noQuery)
      const headers = {
        'content-type': 'text/event-stream;charset=utf-8',
        'cache-control': 'no-cache',
        connection: 'keep-alive',
      }
      if (request.method === 'HEAD') return { response: new Response(null, { headers }) }
      return { response: new Response(await streamOf(call, log, auth, longest), { headers }) }
    },
  }
}

async function streamOf(
  { principal, query, request }: PageCall,
  log: EventLog,
  auth: Authenticator,
  longest: number | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const globs = query.getAll('tag').map((glob) => tagGlob(glob))
  const wants = (tag: string): boolean => globs.length === 0 || globs.some((glob) => glob(tag))
  let checked = performance.now()
  const last = request.headers.get('last-event-id')
  const after = last ?? (longest === undefined ? 'now' : await log.end())
  return eventStream({
    log,
    after,
    // Whoever gets nothing else in this window still knows where the next begins.
    first: longest === undefined ? retryLine : `${retryLine}id: ${after}\n\n`,
    ...(longest === undefined ? {} : { longest }),
    keepAlive: { text: keepAliveFrame, milliseconds: quiet },
    frames: (batch) =>
      batch
        .filter(({ event }) => wants(event.tag))
        .map(eventFrame)
        .join(''),
    async mayGoOn() {
      if (performance.now() - checked < trusted) return true
      checked = performance.now()
      return stillStands(auth, principal)
    },
  })
}
