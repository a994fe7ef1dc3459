// Events as JSON lines: a stream that goes on, or, where the platform ends answers, a window that the next one goes on from.
import { stringifyJson, type Value } from '../../core/value/index.ts'
import type { Cursor, EventLog, LoggedEvent } from '../ports.ts'

/** Which events. */
export interface LineOptions {
  readonly log: EventLog
  readonly after: Cursor
  readonly wants: (tag: string) => boolean
  readonly signal: AbortSignal
}

/** The header of a window: where the next one begins. */
const CURSOR_HEADER = 'brine-cursor'

const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }
/** Milliseconds between blank lines that keep a quiet stream alive. */
const keepAlive = 15_000
/** Characters of one window, and of a line that is told whole: a Lambda function answers with 6 MB at most. */
const windowSize = 4_000_000

/** A stream. A slow reader is waited for, since the log keeps what it has not read. */
export function eventLines({ log, after, wants, signal }: LineOptions): Response {
  const encoder = new TextEncoder()
  const iterator = log.follow(after, signal)[Symbol.asyncIterator]()
  let pending: Promise<IteratorResult<readonly LoggedEvent[]>> | undefined
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      // Something at once, so that the reader knows it is subscribed before it acts, and from where on.
      controller.enqueue(encoder.encode(`${stringifyJson({ start: after })}\n`))
    },
    async pull(controller) {
      for (;;) {
        pending ??= iterator.next()
        const quiet = Symbol('quiet')
        let timer: NodeJS.Timeout | undefined
        const next = await Promise.race([
          pending,
          new Promise<typeof quiet>((resolve) => {
            timer = setTimeout(resolve, keepAlive, quiet)
          }),
        ])
        clearTimeout(timer)
        if (next === quiet) return controller.enqueue(encoder.encode('\n'))
        pending = undefined
        if (next.done === true) return controller.close()
        const lines = next.value.filter(({ event }) => wants(event.tag)).map(lineOf)
        if (lines.length > 0) return controller.enqueue(encoder.encode(lines.join('')))
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
  return new Response(stream, { headers })
}

/**
 * One window: answered as soon as there is something that is wanted, at the latest after so many milliseconds. Its header
 * `brine-cursor` is where the next one begins, so that a chain of them misses nothing and repeats nothing, also where
 * they are empty.
 */
export async function eventWindow({ log, after, wants, signal }: LineOptions, longest: number): Promise<Response> {
  let cursor = after
  let text = ''
  // A signal made of others may be collected before it fires; this one is held by its timer.
  const stop = new AbortController()
  const end = (): void => stop.abort()
  const timer = setTimeout(end, longest)
  signal.addEventListener('abort', end, { once: true })
  try {
    for await (const batch of log.follow(cursor, stop.signal)) {
      for (const logged of batch) {
        const line = wants(logged.event.tag) ? lineOf(logged) : ''
        if (text !== '' && text.length + line.length > windowSize) break
        text += line.length > windowSize ? lineOf(shortened(logged, line.length)) : line
        cursor = logged.cursor
      }
      if (text !== '') break
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  return windowOf(text, cursor)
}

/** A window that only tells where the next one begins. */
export function emptyWindow(cursor: Cursor): Response {
  return windowOf('', cursor)
}

function windowOf(text: string, cursor: Cursor): Response {
  return new Response(text, { headers: { ...headers, [CURSOR_HEADER]: cursor } })
}

function lineOf({ cursor, event }: LoggedEvent): string {
  return `${stringifyJson({ cursor, id: event.id, tag: event.tag, data: event.data }, { ascii: false, separators: [',', ':'] })}\n`
}

/** An event that no window holds, without what is large in it; `_too_large` tells how many characters it has. */
function shortened({ cursor, event }: LoggedEvent, length: number): LoggedEvent {
  const pairs = event.data instanceof Map ? [...event.data] : Object.entries(event.data)
  const small = pairs.filter(([, value]) => isSmall(value)).map(([key, value]) => [String(key), value] as const)
  return { cursor, event: { ...event, data: { ...Object.fromEntries(small), _too_large: length } } }
}

function isSmall(value: Value): boolean {
  return typeof value !== 'object' || value === null ? String(value).length < 1000 : false
}
