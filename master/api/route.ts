// A route and who may use it, declared in one place; the app is built from declarations and nothing else.
import type { Context } from 'hono'
import type * as z from 'zod/mini'
import type { Principal } from '../principal.ts'

/** Who may use a route. `anyone` needs no proof: the route proves what it needs itself. */
export type Audience = 'anyone' | 'minion' | 'local' | 'user'

/** What the transport knows of a request before the app does. */
export interface TransportBindings {
  /** `socket`: the master's own Unix socket, whoever can open it is the local principal. */
  readonly transport: 'socket' | 'tcp'
  /** The name that stands in events for the local principal. */
  readonly localUser: string
  /** The address it came from; none on the socket. */
  readonly remote?: string | undefined
  /** It came over TLS. */
  readonly secure?: boolean
}

/** What the gate says to who does not pass. */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
}

/** One declared route. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly who: readonly Audience[]
  /** The largest body taken, bytes. */
  readonly maxBody: number
  /** What it is for; `/v1/routes` and `/openapi.json` show it. */
  readonly about: string
  /** What its body is like, for `/openapi.json`. */
  readonly body?: z.ZodMiniType
  /** Takes a user's token from `?token=` besides, and one of `/token`: the event stream alone. */
  readonly queryToken?: boolean
  /** How it says that somebody does not pass; Brine's JSON where it does not say. */
  refuse?(refusal: Refusal, request: Request, transport: TransportBindings): Response
  handle(context: RouteContext): Promise<Response> | Response
}

/** A request that passed the gate. */
export interface RouteContext {
  readonly principal: Principal
  readonly query: URLSearchParams
  readonly params: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly request: Request
  readonly transport: TransportBindings
  /** The body's text, at most `maxBody` bytes. */
  text(): Promise<string>
  /** The body as it came, at most `maxBody` bytes. */
  bytes(): Promise<Uint8Array>
}

/** Hono's context with our bindings. */
export type AppContext = Context<{ Bindings: TransportBindings }>
