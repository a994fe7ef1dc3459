// A route and who may use it, declared in one place; the app is built from declarations and nothing else.
import type { Context } from 'hono'
import type { Principal } from '../principal.ts'

/** Who may use a route. `anyone` needs no proof: the route proves what it needs itself. */
export type Audience = 'anyone' | 'minion' | 'local'

/** What the transport knows of a request before the app does. */
export interface TransportBindings {
  /** `socket`: the master's own Unix socket, whoever can open it is the local principal. */
  readonly transport: 'socket' | 'tcp'
  /** The name that stands in events for the local principal. */
  readonly localUser: string
}

/** One declared route. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly who: readonly Audience[]
  /** The largest body taken, bytes. */
  readonly maxBody: number
  /** What it is for; `/v1/routes` shows it. */
  readonly about: string
  handle(context: RouteContext): Promise<Response> | Response
}

/** A request that passed the gate. */
export interface RouteContext {
  readonly principal: Principal
  readonly query: URLSearchParams
  readonly params: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** The body's text, at most `maxBody` bytes. */
  text(): Promise<string>
}

/** Hono's context with our bindings. */
export type AppContext = Context<{ Bindings: TransportBindings }>
