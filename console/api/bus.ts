// The bus as the console sees it: the event stream, kept open, and its latest events.
import type { Api, Json, JsonMap } from './api.ts'
import { asMap, messageOf, text } from './api.ts'
import { Bell } from './bell.ts'

/** An event that the page knows of. */
export interface SeenEvent {
  /** Rises with each event; a key for lists. */
  readonly number: number
  readonly tag: string
  /** Absent for what was on the bus before the page was opened. */
  readonly data: JsonMap | undefined
  /** Milliseconds since 1970. */
  readonly at: number
  /** The stamp as the event has it, UTC. */
  readonly stamp: string
  /** The id in the log, where it is known. */
  readonly id?: string
}

/** How the stream stands. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'broken'; readonly reason: string }

/** Events that are kept. */
const MOST = 3000

/**
 * Follows the bus for as long as it is open. A stream that breaks is opened again behind the last event that came, so
 * that none is missed; where the session names a socket, the stream is one of windows, and each is opened when the socket
 * says that there is something for it. Listeners are called after each change, at most once a frame.
 */
export class Bus {
  /** Newest last. */
  events: readonly SeenEvent[] = []
  state: StreamState = { kind: 'connecting' }
  readonly #api: Api
  readonly #listeners = new Set<() => void>()
  readonly #taps = new Set<(event: SeenEvent) => void>()
  readonly #stop = new AbortController()
  readonly #bell: Bell | undefined
  #cursor: string | undefined
  #number = 0
  #scheduled = false

  constructor(api: Api) {
    this.#api = api
    this.#bell = api.session.socket === undefined ? undefined : new Bell(() => api.socketUrl())
    void this.#follow()
    void this.#remember()
  }

  /** Calls `changed` after changes; returns what ends that. */
  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed)
    return () => void this.#listeners.delete(changed)
  }

  /** Calls `came` with each event from now on; returns what ends that. */
  tap(came: (event: SeenEvent) => void): () => void {
    this.#taps.add(came)
    return () => void this.#taps.delete(came)
  }

  close(): void {
    this.#stop.abort()
    this.#bell?.close()
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop
    let wait = 500
    while (!signal.aborted) {
      try {
        const answer = await this.#api.events(this.#cursor, signal)
        if (!answer.ok || answer.body === null) {
          if (answer.status === 401) await this.#api.check()
          const reason =
            answer.status === 401
              ? 'You may not read events, or the session has ended.'
              : `It answered ${answer.status}.`
          this.#become({ kind: 'broken', reason })
        } else {
          this.#become({ kind: 'live' })
          wait = 500
          await this.#read(answer.body)
          if (this.#cursor !== undefined) await this.#bell?.rings(this.#cursor, signal)
        }
      } catch (error) {
        if (signal.aborted) return
        this.#become({ kind: 'broken', reason: messageOf(error) })
      }
      await new Promise((resolve) => setTimeout(resolve, wait))
      wait = Math.min(wait * 2, 10_000)
    }
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    let left = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const frames = (left + decoder.decode(value, { stream: true })).split('\n\n')
      left = frames.pop() ?? ''
      for (const frame of frames) this.#take(frame)
    }
  }

  #take(frame: string): void {
    const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1]
    const data = line('data')
    this.#cursor = line('id') ?? this.#cursor
    if (data === undefined) return
    const parsed = asMap(JSON.parse(data) as Json)
    const body = asMap(parsed.data)
    const event = this.#made(text(parsed.tag), body, text(body._stamp))
    this.events = [...this.events.slice(-MOST + 1), event]
    for (const came of this.#taps) came(event)
    this.#changed()
  }

  /** What was on the bus before, without its data; who may not ask for it begins empty. */
  async #remember(): Promise<void> {
    const list = await this.#api.runner('event.list', [], { since: '15m', limit: 300 }).catch(() => [])
    const first = this.events[0]?.at ?? Number.POSITIVE_INFINITY
    const earlier = (Array.isArray(list) ? list : [])
      .map((item) => ({
        ...this.#made(text(asMap(item).tag), undefined, text(asMap(item).at)),
        id: text(asMap(item).event),
      }))
      .filter(({ at, tag }) => at < first && !tag.startsWith('salt/run/'))
    this.events = [...earlier, ...this.events]
    this.#changed()
  }

  #made(tag: string, data: JsonMap | undefined, stamp: string): SeenEvent {
    const at = Date.parse(`${stamp.slice(0, 23)}Z`)
    return { number: this.#number++, tag, data, stamp, at: Number.isNaN(at) ? Date.now() : at }
  }

  #become(state: StreamState): void {
    this.state = state
    this.#changed()
  }

  #changed(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setTimeout(() => {
      this.#scheduled = false
      for (const changed of this.#listeners) changed()
    }, 50)
  }
}
