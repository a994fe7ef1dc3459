// Watching without an end: a stream that breaks is opened again where it was cut.
import { BrineError } from '../core/error.ts'
import type { Connection, WatchedEvent, WatchOptions } from './connection.ts'
import { Refused } from './transport.ts'

/** Milliseconds before a broken stream is opened again: at first, and at most. */
const firstPause = 100
const longestPause = 5_000

/**
 * Events as they come, each once and none left out while the log keeps them, until the signal ends. Subscribed when the
 * promise resolves. A master that is away is asked again and again; what it refuses is thrown.
 */
export async function follow(
  connection: Connection,
  options: WatchOptions,
  signal: AbortSignal,
): Promise<AsyncGenerator<WatchedEvent>> {
  let position = options.since ?? 'now'
  const watch = (): Promise<AsyncIterable<WatchedEvent>> =>
    connection.watch(
      {
        ...options,
        since: position,
        onPosition: (cursor) => {
          position = cursor
        },
      },
      signal,
    )
  return again(await watch(), watch, signal, (cursor) => {
    position = cursor
  })
}

async function* again(
  first: AsyncIterable<WatchedEvent>,
  watch: () => Promise<AsyncIterable<WatchedEvent>>,
  signal: AbortSignal,
  reached: (cursor: string) => void,
): AsyncGenerator<WatchedEvent> {
  let pause = firstPause
  for (let events: AsyncIterable<WatchedEvent> | undefined = first; !signal.aborted; ) {
    try {
      for await (const event of events ?? (await watch())) {
        pause = firstPause
        reached(event.cursor)
        yield event
      }
    } catch (error) {
      if (signal.aborted) return
      if (!isBroken(error)) throw error
    }
    events = undefined
    await wait(pause, signal)
    pause = Math.min(pause * 2, longestPause)
  }
}

/** Whether asking again may help: nobody answered, or the answer was cut off. */
function isBroken(error: unknown): boolean {
  if (error instanceof Refused) return error.status >= 500
  return !(error instanceof BrineError) || error.code === 'unreachable'
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done, { once: true })
  })
}
