// The HTTP app: every request passes one gate (protocol version, body size, principal) before its route runs.
import { Hono } from 'hono'
import { BrineError, messageOf } from '../../core/error.ts'
import { isServed, PROTOCOL_HEADER, PROTOCOL_VERSION } from '../../core/protocol/index.ts'
import type { Clock, KeyRing, TokenStore } from '../ports.ts'
import type { Principal } from '../principal.ts'
import { answer, refuse } from './answer.ts'
import type { AppContext, Audience, Route, TransportBindings } from './route.ts'

interface GateNeeds {
  readonly tokens: TokenStore
  readonly keys: KeyRing
  readonly clock: Clock
  /** Tells of an error nobody expected. */
  readonly report: (error: unknown, where: string) => void
}

/** The app of the declared routes. Throws where a route lacks its audience, or two claim one path. */
export function buildApp(routes: readonly Route[], needs: GateNeeds): Hono<{ Bindings: TransportBindings }> {
  const app = new Hono<{ Bindings: TransportBindings }>()
  const seen = new Set<string>()
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    if (route.who.length === 0)
      throw new BrineError(`The route ${name} does not declare who may use it.`, { code: 'route' })
    if (seen.has(name)) throw new BrineError(`The route ${name} is declared twice.`, { code: 'route' })
    seen.add(name)
    app.on(route.method, route.path, (context) => pass(route, context, needs))
  }
  app.notFound((context) =>
    refuse(404, 'not-found', `There is no ${context.req.method} ${context.req.path} here.`, needs.clock),
  )
  app.onError((error, context) => {
    needs.report(error, `${context.req.method} ${context.req.path}`)
    const busy = error instanceof BrineError && error.code === 'busy'
    return refuse(
      busy ? 503 : 500,
      error instanceof BrineError ? error.code : 'internal',
      messageOf(error),
      needs.clock,
    )
  })
  return app
}

async function pass(route: Route, context: AppContext, needs: GateNeeds): Promise<Response> {
  if (!isServed(context.req.header(PROTOCOL_HEADER))) {
    const message = `This master speaks Brine protocol ${PROTOCOL_VERSION} and ${PROTOCOL_VERSION - 1}; the request said ${context.req.header(PROTOCOL_HEADER)}. Update whichever is older.`
    return refuse(426, 'protocol', message, needs.clock)
  }
  const principal = await principalOf(context, needs)
  if (!isAdmitted(principal, route.who)) {
    const known = principal.kind !== 'anonymous'
    return refuse(known ? 403 : 401, known ? 'forbidden' : 'token', admission(route, principal), needs.clock)
  }
  if (Number(context.req.header('content-length') ?? 0) > route.maxBody) return tooLarge(route, needs.clock)
  const text = (): Promise<string> => readBody(context.req.raw, route.maxBody)
  return route.handle({
    principal,
    query: new URL(context.req.url).searchParams,
    params: context.req.param(),
    signal: context.req.raw.signal,
    text,
  })
}

/** The body's text; reading stops where it passes the bound, whatever its length was said to be. */
async function readBody(request: Request, most: number): Promise<string> {
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > most)
      throw new BrineError(`The body is larger than ${most} bytes. Send less at a time.`, { code: 'too-large' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooLarge(route: Route, clock: Clock): Response {
  return refuse(413, 'too-large', `${route.path} takes at most ${route.maxBody} bytes. Send less at a time.`, clock)
}

/** The token decides over the socket's right: a minion's token stays a minion's. */
async function principalOf(context: AppContext, needs: GateNeeds): Promise<Principal> {
  const bearer = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
  if (bearer === undefined) {
    return context.env.transport === 'socket' ? { kind: 'local', user: context.env.localUser } : { kind: 'anonymous' }
  }
  const record = await needs.tokens.verify(bearer)
  if (record === undefined || record.kind !== 'minion' || record.expires <= needs.clock.now())
    return { kind: 'anonymous' }
  const key = await needs.keys.get(record.name)
  // The epoch ends with a deletion, and a rejected key keeps none of its tokens.
  if (key?.current?.state !== 'accepted' || key.epoch !== record.epoch) return { kind: 'anonymous' }
  return { kind: 'minion', id: record.name, epoch: record.epoch }
}

function isAdmitted(principal: Principal, who: readonly Audience[]): boolean {
  return who.includes('anyone') || (principal.kind !== 'anonymous' && who.includes(principal.kind))
}

function admission(route: Route, principal: Principal): string {
  const needed = route.who.join(' or ')
  if (principal.kind === 'anonymous')
    return `${route.path} needs a ${needed} token; this one is missing, unknown, expired or revoked.`
  return `${route.path} is for ${needed}, not for ${principal.kind}.`
}

/** A list of the routes and who may use each, for `/v1/routes` and for the test that reads them all. */
export function describeRoutes(routes: readonly Route[]): Response {
  return answer(routes.map(({ method, path, who, about }) => ({ method, path, who: [...who], about })))
}
