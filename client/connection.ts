// A connection to a master: its transport and the few calls everything else is made of.
import type { KeyRequest, Published, PublishRequest, RunAnswer, RunRequest } from '../core/protocol/user.ts'
import {
  type Dict,
  get,
  isMap,
  isMapping,
  type Mapping,
  parseJson,
  pythonStr,
  type Value,
} from '../core/value/index.ts'
import { type Address, createTransport, type Transport } from './transport.ts'

/** An event as a client sees it, with the cursor to read on from. */
export interface WatchedEvent {
  readonly cursor: string
  readonly id: string
  readonly tag: string
  readonly data: Mapping | Dict
}

/** What a run says on its way: how far it is, or a line that Salt's function prints. */
export type Said =
  | { readonly kind: 'progress'; readonly suffix: string; readonly event: Mapping | Dict }
  | { readonly kind: 'printed'; readonly text: string }

/** Which events to watch: by glob, from a cursor or from now on. */
export interface WatchOptions {
  readonly tag?: string
  readonly since?: string
  /** Told a cursor to go on from before the first event came. */
  readonly onPosition?: (cursor: string) => void
}

/** What a program can ask a master. Every call rejects with a BrineError that says what to do. */
export interface Connection {
  fire(tag: string, data: Mapping | Dict): Promise<void>
  publish(request: PublishRequest): Promise<Published>
  /** What `hear` was told is not in the answer again. */
  run(request: RunRequest, hear?: (said: Said) => void): Promise<RunAnswer>
  keys(request: KeyRequest): Promise<Mapping>
  /** Subscribed when the promise resolves: what happens afterwards is seen. Ends with the signal. */
  watch(options: WatchOptions, signal: AbortSignal): Promise<AsyncIterable<WatchedEvent>>
  job(jid: string): Promise<Mapping>
  status(): Promise<Mapping>
  close(): void
}

/** A connection to the master at the address. Nothing is sent before the first call. */
export function connect(address: Address): Connection {
  return connectOver(createTransport(address))
}

/** A connection over another way to a master than {@link Address} knows. */
export function connectOver(transport: Transport): Connection {
  return {
    async fire(tag, data) {
      await transport.post('/v1/fire', { events: [{ tag, data }] })
    },
    async publish(request) {
      const { tgt, kwarg, metadata, jid, ...rest } = request
      const body = {
        ...rest,
        tgt,
        ...(kwarg === undefined ? {} : { kwarg }),
        ...(metadata === undefined ? {} : { metadata }),
        ...(jid === undefined ? {} : { jid }),
      }
      const answer = mapping(await transport.post('/v1/publish', body as Mapping))
      return {
        jid: pythonStr(answer.jid ?? ''),
        minions: names(answer.minions),
        missing: names(answer.missing),
        connected: names(answer.connected),
        cursor: pythonStr(answer.cursor ?? ''),
      }
    },
    async run(request, hear) {
      const listen = hear === undefined ? undefined : (line: Value) => saidIn(line).forEach(hear)
      return mapping(await transport.post('/v1/run', { ...request } as Mapping, listen)) as unknown as RunAnswer
    },
    keys: async (request) => mapping(await transport.post('/v1/keys', { ...request } as Mapping)),
    async watch({ tag, since, onPosition }, signal) {
      const ask = (from: string) => {
        const query = new URLSearchParams({ ...(tag === undefined ? {} : { tag }), since: from })
        return transport.lines(`/v1/events?${query}`, signal)
      }
      // From a cursor on nothing can be missed, whenever it is asked.
      if (since !== undefined && since !== 'now') return eventsOf(() => ask(since), ask, signal, onPosition)
      const lines = await ask('now')
      return eventsOf(async () => lines, ask, signal, onPosition)
    },
    job: async (jid) => mapping(await transport.get(`/v1/job/${encodeURIComponent(jid)}`)),
    status: async () => mapping(await transport.get('/v1/status')),
    close: () => transport.close(),
  }
}

/** Events of the lines; where an answer ends with the place to ask on from, of the lines from there. */
async function* eventsOf(
  first: () => Promise<AsyncIterable<string>>,
  ask: (from: string) => Promise<AsyncIterable<string>>,
  signal: AbortSignal,
  onPosition: (cursor: string) => void = () => undefined,
): AsyncIterable<WatchedEvent> {
  for (let next: (() => Promise<AsyncIterable<string>>) | undefined = first; next !== undefined; ) {
    const lines = await unlessOver(next, signal)
    next = undefined
    for await (const line of lines ?? []) {
      const value = parseJson(line)
      if (!isMapping(value)) continue
      if (value.start !== undefined) {
        onPosition(pythonStr(value.start))
        continue
      }
      const cursor = pythonStr(value.cursor ?? '')
      const { data = {}, tag } = value
      if (tag === undefined) onPosition(cursor)
      if (tag === undefined) next = signal.aborted ? undefined : () => ask(cursor)
      else yield { cursor, id: pythonStr(value.id ?? ''), tag: pythonStr(tag), data: isMap(data) ? data : {} }
    }
  }
}

/** What came of asking; undefined where nobody waits for it any more. */
async function unlessOver<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

function saidIn(line: Value): Said[] {
  const said = isMap(line) ? (get(line, 'said') ?? null) : null
  if (!isMap(said)) return []
  const event = get(said, 'event') ?? null
  if (isMap(event)) return [{ kind: 'progress', suffix: pythonStr(get(said, 'suffix') ?? ''), event }]
  return [{ kind: 'printed', text: pythonStr(get(said, 'text') ?? '') }]
}

function mapping(value: Value): Mapping {
  if (isMapping(value)) return value
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [pythonStr(key), item]))
  return {}
}

function names(value: Value | undefined): string[] {
  return Array.isArray(value) ? value.map(pythonStr) : []
}

/** A return's load as `cmdIter` yields it, from the `/ret` event. */
export function loadOf(event: WatchedEvent): Mapping {
  return isMapping(event.data) ? event.data : { return: get(event.data, 'return') ?? null }
}
