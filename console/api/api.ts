// The console's way to the master: salt-api, with the rights of who logged in.

/** Any JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonMap
/** A JSON object. */
export type JsonMap = { readonly [key: string]: Json }

/** Who is logged in. */
export interface Session {
  readonly token: string
  readonly user: string
  readonly eauth: string
  /** When the token ends, seconds since 1970. */
  readonly expire: number
  /** Where to be told of news, where the event stream is one of windows: on AWS. */
  readonly socket?: string
}

/** What the master refused or could not do, in words for the user. `status` 0 where nothing answered. */
export class ApiError extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.name = 'ApiError'
    this.status = status
  }
}

/** One call of a lowstate. */
export interface Call {
  readonly client: 'local_async' | 'runner' | 'runner_async' | 'wheel'
  readonly fun: string
  readonly tgt?: string
  readonly tgt_type?: string
  readonly arg?: readonly Json[]
  readonly kwarg?: JsonMap
}

/** The master's API, as one session sees it. Everything rejects with {@link ApiError}. */
export interface Api {
  readonly session: Session
  /** What a runner function returned. */
  runner(fun: string, arg?: readonly Json[], kwarg?: JsonMap): Promise<Json>
  /** What a wheel function returned. */
  wheel(fun: string, kwarg?: JsonMap): Promise<Json>
  /** Starts a runner function and does not wait for it: its jid. */
  start(fun: string, arg: readonly Json[], kwarg: JsonMap): Promise<string>
  /** Publishes a job: its jid and the minions it is for. */
  publish(
    call: Omit<Call, 'client'>,
  ): Promise<{ readonly jid: string | undefined; readonly minions: readonly string[] }>
  /** Opens the event stream; from behind a cursor where one is given. */
  events(cursor: string | undefined, signal: AbortSignal): Promise<Response>
  /** An address that opens the session's socket, once. Only where it has one. */
  socketUrl(): Promise<string>
  /** Asks whether the session still holds; tells where it does not. */
  check(): Promise<void>
  logOut(): Promise<void>
}

const BASE = '../'

/** Begins a session. */
export async function logIn(username: string, password: string, eauth: string): Promise<Session> {
  const answer = await send('login', { method: 'POST', body: JSON.stringify({ username, password, eauth }) })
  if (answer.status === 401)
    throw new ApiError('Name, password or way to log in are not right. The master allows a few tries a minute.', 401)
  if (!answer.ok) throw await errorOf(answer)
  const body: unknown = await answer.json()
  const granted = asMap(asList(asMap(body as Json).return)[0])
  const token = text(granted.token)
  if (token === '') throw new ApiError('The master answered without a token.', answer.status)
  return {
    token,
    user: text(granted.user),
    eauth: text(granted.eauth),
    expire: Number(granted.expire ?? 0),
    ...(granted.socket === undefined ? {} : { socket: text(granted.socket) }),
  }
}

/** The API for a session; `ended` is called when the master knows the token no more. */
export function openApi(session: Session, ended: () => void): Api {
  const headers = { 'x-auth-token': session.token }
  const call = async (low: Call): Promise<Json> => {
    const answer = await send('', { method: 'POST', headers, body: JSON.stringify([low]) })
    if (answer.status === 401) {
      // A call that one has no right to is answered like a token that ended: the session tells which it was.
      if (await hasEnded(headers)) ended()
      throw new ApiError(
        `You may not call ${low.fun}. external_auth in the master's configuration says who may; see docs/api.md.`,
        401,
      )
    }
    if (!answer.ok) throw await errorOf(answer)
    const body = (await answer.json()) as Json
    return asList(asMap(body).return)[0] ?? null
  }
  return {
    session,
    async runner(fun, arg = [], kwarg = {}) {
      const result = await call({ client: 'runner', fun, arg, kwarg })
      if (typeof result === 'string' && result.startsWith('Exception occurred in runner'))
        throw new ApiError(result.replace(/^Exception occurred in runner [^:]*: /, ''), 500)
      return result
    },
    async wheel(fun, kwarg = {}) {
      const { success, return: result = null } = asMap(asMap(await call({ client: 'wheel', fun, kwarg })).data)
      if (success === false) throw new ApiError(text(result), 500)
      return result
    },
    async start(fun, arg, kwarg) {
      return text(asMap(await call({ client: 'runner_async', fun, arg, kwarg })).jid)
    },
    async publish(low) {
      const made = asMap(await call({ client: 'local_async', ...low }))
      return { jid: made.jid === undefined ? undefined : text(made.jid), minions: asList(made.minions).map(text) }
    },
    events: (cursor, signal) =>
      send('events', {
        signal,
        headers: {
          ...headers,
          accept: 'text/event-stream',
          ...(cursor === undefined ? {} : { 'last-event-id': cursor }),
        },
      }),
    async socketUrl() {
      const answer = await send('ticket', { method: 'POST', headers, body: '{}' })
      if (!answer.ok) throw await errorOf(answer)
      const { ticket, socket } = asMap(asList(asMap((await answer.json()) as Json).return)[0])
      return `${text(socket)}?ticket=${encodeURIComponent(text(ticket))}`
    },
    async check() {
      if (await hasEnded(headers)) ended()
    },
    async logOut() {
      await send('logout', { method: 'POST', headers, body: '{}' })
    },
  }
}

async function hasEnded(headers: Record<string, string>): Promise<boolean> {
  return (await send('stats', { headers })).status === 401
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${BASE}${path}`, {
      ...init,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...init.headers },
    })
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new ApiError('The master does not answer. Does it run, and does the network lead to it?', 0)
  }
}

async function errorOf(answer: Response): Promise<ApiError> {
  const body = await answer.text()
  if (answer.status === 429)
    return new ApiError(`Too many tries. Wait ${answer.headers.get('retry-after') ?? '60'} seconds.`, 429)
  const said = /<p>([^<]*)<\/p>/.exec(body)?.[1] ?? /"return": *"([^"]*)"/.exec(body)?.[1] ?? body.slice(0, 300)
  const hint = answer.status === 500 ? " The master's log says why." : ''
  return new ApiError(`The master answered ${answer.status}: ${said}.${hint}`.replace('..', '.'), answer.status)
}

/** A map, or an empty one. */
export function asMap(value: Json | undefined): JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMap) : {}
}

/** A list, or an empty one. */
export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

/** Text as it is, nothing as '', anything else as JSON. */
export function text(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What went wrong, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
