// The HTTP app: every request passes one gate (protocol version, body size, principal) before its route runs.
import { Hono } from 'hono'
import { BrineError, messageOf } from '../../core/error.ts'
import { isServed, PROTOCOL_HEADER, PROTOCOL_VERSION } from '../../core/protocol/index.ts'
import type { Clock, KeyRing, TokenStore } from '../ports.ts'
import type { Principal } from '../principal.ts'
import { answer, refuse } from './answer.ts'
import { credentialOf, principalOf, type TokenHolderOf } from './principal-of.ts'
import type { AppContext, Audience, Refusal, Route, TransportBindings } from './route.ts'

/** What answers a request that no route takes. */
export type Fallback = (request: Request, principal: Principal, transport: TransportBindings) => Response | undefined

interface GateNeeds {
  readonly tokens: TokenStore
  readonly keys: KeyRing
  readonly clock: Clock
  /** Tells of an error nobody expected. */
  readonly report: (error: unknown, where: string) => void
  /** Who a user's token speaks for; without it there are no users. */
  readonly holderOf?: TokenHolderOf
  /** Who a ticket speaks for, once; without it there are no tickets. */
  readonly takeTicket?: TokenHolderOf
  /** Origins whose pages may use the session cookie besides the master's own. */
  readonly corsOrigins?: readonly string[]
  readonly fallback?: Fallback
  /** Asked before any route; undefined lets the request pass on to its route. */
  readonly front?: (request: Request) => Promise<Response> | undefined
}

/** Seconds after which who met a busy or throttled store may ask again; callers spread that out themselves. */
const retryAfter = 1

/** The app of the declared routes. Throws where a route lacks its audience, or two claim one path. */
export function buildApp(routes: readonly Route[], needs: GateNeeds): Hono<{ Bindings: TransportBindings }> {
  const app = new Hono<{ Bindings: TransportBindings }>({ strict: false })
  const { front } = needs
  if (front !== undefined) app.use('*', async (context, next) => (await front(context.req.raw)) ?? next())
  const seen = new Set<string>()
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    if (route.who.length === 0)
      throw new BrineError(`The route ${name} does not declare who may use it.`, { code: 'route' })
    if (seen.has(name)) throw new BrineError(`The route ${name} is declared twice.`, { code: 'route' })
    seen.add(name)
    app.on(route.method, route.path, (context) => pass(route, context, needs))
  }
  app.notFound(async (context) => {
    const own = context.req.path.startsWith('/v1/') || context.req.path.startsWith('/minion/')
    const other = own ? undefined : needs.fallback?.(context.req.raw, await principal(context, needs), context.env)
    return other ?? refuse(404, 'not-found', `There is no ${context.req.method} ${context.req.path} here.`, needs.clock)
  })
  app.onError((error, context) => {
    needs.report(error, `${context.req.method} ${context.req.path}`)
    const code = error instanceof BrineError ? error.code : 'internal'
    const passes = code === 'busy' || code === 'throttled'
    const response = refuse(passes ? 503 : 500, code, messageOf(error), needs.clock)
    if (passes) response.headers.set('retry-after', String(retryAfter))
    return response
  })
  return app
}

async function pass(route: Route, context: AppContext, needs: GateNeeds): Promise<Response> {
  const refused = (refusal: Refusal): Response =>
    route.refuse?.(refusal, context.req.raw, context.env) ??
    refuse(refusal.status, refusal.error, refusal.message, needs.clock)
  if (!isServed(context.req.header(PROTOCOL_HEADER))) {
    const message = `This master speaks Brine protocol ${PROTOCOL_VERSION} and ${PROTOCOL_VERSION - 1}; the request said ${context.req.header(PROTOCOL_HEADER)}. Update whichever is older.`
    return refused({ status: 426, error: 'protocol', message })
  }
  const who = await principal(context, needs, route)
  if (!isAdmitted(who, route)) {
    const known = who.kind !== 'anonymous'
    return refused({
      status: known ? 403 : 401,
      error: known ? 'forbidden' : 'token',
      message: admission(route, who),
    })
  }
  if (Number(context.req.header('content-length') ?? 0) > route.maxBody) return refused(tooLarge(route))
  const bytes = (): Promise<Uint8Array> => readBody(context.req.raw, route.maxBody)
  return route.handle({
    principal: who,
    query: new URL(context.req.url).searchParams,
    params: context.req.param(),
    signal: context.req.raw.signal,
    request: context.req.raw,
    transport: context.env,
    bytes,
    text: async () => Buffer.from(await bytes()).toString('utf8'),
  })
}

/** The body; reading stops where it passes the bound, whatever its length was said to be. */
async function readBody(request: Request, most: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  // The server holds a body to the length it was said to have, which the caller has checked.
  if (request.headers.has('content-length')) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > most)
      throw new BrineError(`The body is larger than ${most} bytes. Send less at a time.`, { code: 'too-large' })
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

function tooLarge(route: Route): Refusal {
  const message = `${route.path} takes at most ${route.maxBody} bytes. Send less at a time.`
  return { status: 413, error: 'too-large', message }
}

function principal(context: AppContext, needs: GateNeeds, route?: Route): Promise<Principal> {
  const shown = credentialOf(context.req.raw, { query: route?.queryToken === true, origins: needs.corsOrigins ?? [] })
  return principalOf(shown, context.env, needs, route?.queryToken === true)
}

function isAdmitted(principal: Principal, route: Route): boolean {
  return route.who.includes('anyone') || (principal.kind !== 'anonymous' && route.who.includes(principal.kind))
}

function admission(route: Route, principal: Principal): string {
  const needed = route.who.join(' or ')
  if (principal.kind === 'anonymous')
    return `${route.path} needs a ${needed} token; this one is missing, unknown, expired or revoked.`
  return `${route.path} is for ${needed}, not for ${principal.kind}.`
}

/** The route that lists the routes and who may use each. */
export function routesRoute(routes: () => readonly Route[]): Route {
  return {
    method: 'GET',
    path: '/v1/routes',
    who: ['local'],
    maxBody: 0,
    about: 'the routes there are, and who may use each',
    handle: () => describeRoutes(routes()),
  }
}

function describeRoutes(routes: readonly Route[]): Response {
  return answer(
    routes.map(({ method, path, who, about }) => ({ method, path, who: [...who] satisfies Audience[], about })),
  )
}
