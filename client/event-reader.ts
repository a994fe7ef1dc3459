// One subscription read as Salt's event module reads it: `getEvent` in a loop, or `iterEvents`.
import { type TagMatch, tagMatcher } from '../core/event/tag.ts'
import type { Dict, Mapping } from '../core/value/index.ts'

/** An event of any bus. */
export interface BusEvent {
  readonly tag: string
  readonly data: Mapping | Dict
}

/** Which events. */
export interface MatchOptions {
  /** Empty matches all. */
  readonly tag?: string
  /** @default startswith */
  readonly matchType?: TagMatch
  readonly signal?: AbortSignal
}

/** Which event, and how many seconds to wait for it. */
export interface GetEventOptions extends MatchOptions {
  /** Seconds. @default 5 */
  readonly wait?: number
  /** The tag as well: `{tag, data}`. @default the data alone */
  readonly full?: boolean
}

/**
 * Reads a bus. The first call subscribes; from then on nothing is missed between two calls, however long one does
 * something else. Events that do not match are passed over for good, as in Salt. One call at a time.
 */
export class EventReader<Seen extends BusEvent = BusEvent> {
  readonly #open: (signal: AbortSignal) => Promise<AsyncIterable<Seen>>
  readonly #over = new AbortController()
  #events: Promise<AsyncIterator<Seen>> | undefined
  #next: Promise<IteratorResult<Seen>> | undefined

  constructor(open: (signal: AbortSignal) => Promise<AsyncIterable<Seen>>) {
    this.#open = open
  }

  /** Resolves once events are being kept for the calls to come. */
  async subscribe(): Promise<void> {
    await this.#iterator()
  }

  /** The next event that matches: its data, or `{tag, data}` with `full`; null where none came in time or the bus ended. */
  getEvent(options: GetEventOptions & { readonly full: true }): Promise<Seen | null>
  getEvent(options?: GetEventOptions & { readonly full?: false }): Promise<Mapping | Dict | null>
  async getEvent(options: GetEventOptions = {}): Promise<Seen | Mapping | Dict | null> {
    const { wait = 5, full = false } = options
    const patience = AbortSignal.timeout(wait * 1000)
    const signal = options.signal === undefined ? patience : AbortSignal.any([patience, options.signal])
    const found = await this.#matching(options, signal)
    if (found === undefined) return null
    return full ? found : found.data
  }

  /** Events that match, as they come, until the signal ends, the loop is left or the bus ends. */
  async *iterEvents(options: MatchOptions = {}): AsyncGenerator<Seen> {
    const signal = options.signal ?? this.#over.signal
    for (;;) {
      const event = await this.#matching(options, signal)
      if (event === undefined) return
      yield event
    }
  }

  /** Ends the subscription. */
  close(): void {
    this.#over.abort()
  }

  async #matching({ tag = '', matchType }: MatchOptions, signal: AbortSignal): Promise<Seen | undefined> {
    const wanted = tagMatcher(tag, matchType)
    while (!signal.aborted) {
      // What comes after the signal waits for the next call.
      this.#next ??= this.#iterator().then((events) => events.next())
      const result = await until(signal, this.#next)
      if (result === undefined) return undefined
      this.#next = undefined
      if (result.done === true) return undefined
      if (wanted(result.value.tag)) return result.value
    }
    return undefined
  }

  #iterator(): Promise<AsyncIterator<Seen>> {
    this.#events ??= this.#open(this.#over.signal).then((events) => events[Symbol.asyncIterator]())
    return this.#events
  }
}

/** What the work comes to, or undefined once the signal has ended. */
async function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  let stop: () => void = () => undefined
  const over = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, over])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
