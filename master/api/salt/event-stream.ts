// A stream over the log that goes at its reader's pace: what is not read yet stays in the log.
import type { Cursor, EventLog, LoggedEvent } from '../../ports.ts'

/** How to stream. */
export interface StreamOptions {
  readonly log: EventLog
  readonly after: Cursor | 'now'
  /** What to send of a batch; empty for nothing. */
  readonly frames: (batch: readonly LoggedEvent[]) => string
  /** Sent before anything. */
  readonly first: string
  /** Sent after so many milliseconds without an event. */
  readonly keepAlive: { readonly text: string; readonly milliseconds: number }
  /** Asked again and again; false ends the stream. */
  readonly mayGoOn: () => Promise<boolean>
  /** Milliseconds after which it ends, or earlier, with the first batch of which something was sent. @default never */
  readonly longest?: number
}

/** The stream's bytes. It ends where its reader leaves, or may not go on. */
export function eventStream(options: StreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const stop = new AbortController()
  const ended =
    options.longest === undefined ? stop.signal : AbortSignal.any([stop.signal, AbortSignal.timeout(options.longest)])
  let isLast = false
  let iterator: AsyncIterator<readonly LoggedEvent[]> | undefined
  let pending: Promise<IteratorResult<readonly LoggedEvent[]>> | undefined
  let begun = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        iterator ??= options.log.follow(options.after, ended)[Symbol.asyncIterator]()
        if (isLast) {
          stop.abort()
          return controller.close()
        }
        if (!begun) {
          begun = true
          // From here on nothing is missed, which the first line tells.
          pending = iterator.next()
          return controller.enqueue(encoder.encode(options.first))
        }
        for (;;) {
          pending ??= iterator.next()
          const next = await orQuiet(pending, options.keepAlive.milliseconds)
          if (!(await options.mayGoOn())) {
            stop.abort()
            return controller.close()
          }
          if (next === 'quiet') return controller.enqueue(encoder.encode(options.keepAlive.text))
          pending = undefined
          if (next.done === true) return controller.close()
          const text = options.frames(next.value)
          isLast = options.longest !== undefined && text !== ''
          if (text !== '') return controller.enqueue(encoder.encode(text))
        }
      },
      cancel() {
        stop.abort()
        // What was being waited for ends with the signal.
        pending?.catch(() => undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

async function orQuiet<T>(work: Promise<T>, milliseconds: number): Promise<T | 'quiet'> {
  let timer: NodeJS.Timeout | undefined
  const quiet = new Promise<'quiet'>((resolve) => {
    timer = setTimeout(resolve, milliseconds, 'quiet')
  })
  try {
    return await Promise.race([work, quiet])
  } finally {
    clearTimeout(timer)
  }
}
