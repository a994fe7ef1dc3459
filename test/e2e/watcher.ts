// Reads a master's log from a cursor on, through whatever cuts the stream, and remembers what it saw.
import type { Connection } from '../../client/index.ts'
import { messageOf } from '../../core/error.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import { waitFor } from '../system/wait.ts'
import type { SeenEvent, Wanted } from './world.ts'

/** A watcher; `stop` ends its stream. */
export interface Watcher {
  readonly events: readonly SeenEvent[]
  waitForEvent(wanted: Wanted, patience?: number): Promise<SeenEvent>
  stop(): Promise<void>
}

/** Starts watching from now on. A stream that ends is taken up again where it was. */
export async function watchFrom(connection: Connection): Promise<Watcher> {
  const seen: SeenEvent[] = []
  const stop = new AbortController()
  let cursor = 'now'
  let trouble = ''
  // Known before the first event comes: a stream that is cut until then is not begun again at another now.
  const onPosition = (position: string): void => {
    cursor = position
  }
  const watch = () => connection.watch({ since: cursor, onPosition }, stop.signal)
  const first = await watch()
  const running = (async () => {
    let events = first
    while (!stop.signal.aborted) {
      try {
        for await (const event of events) {
          cursor = event.cursor
          const data = event.data instanceof Map ? Object.fromEntries(event.data) : event.data
          seen.push({ index: seen.length, id: event.id, tag: event.tag, data })
        }
        events = await watch()
      } catch (error) {
        if (stop.signal.aborted) return
        trouble = `; the stream was cut: ${messageOf(error)}`
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }
  })()
  return {
    events: seen,
    waitForEvent: (wanted, patience) =>
      waitFor(
        () =>
          `${wanted.tag} ${JSON.stringify(wanted.has ?? {})}; seen: ${seen
            .map(({ tag }) => tag)
            .slice(-25)
            .join(', ')}${trouble}`,
        () => seen.find((event) => event.index >= (wanted.from ?? 0) && isWanted(event, wanted)),
        patience,
      ),
    async stop() {
      stop.abort()
      await running
    },
  }
}

function isWanted({ tag, data }: SeenEvent, wanted: Wanted): boolean {
  if (!matchTag(wanted.tag, tag)) return false
  return Object.entries(wanted.has ?? {}).every(([key, value]) => JSON.stringify(data[key]) === JSON.stringify(value))
}
