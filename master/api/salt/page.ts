// A salt-api route: the headers, cookies, forms and error pages that all of them share.
import { randomBytes } from 'node:crypto'
import type * as z from 'zod/mini'
import { BrineError } from '../../../core/error.ts'
import { stringifyJson, type Value } from '../../../core/value/index.ts'
import { sessionCookie } from '../principal-of.ts'
import type { Audience, Route, RouteContext, TransportBindings } from '../route.ts'
import { chosenForm, written } from './accept.ts'
import { type Body, readBody } from './body.ts'
import { ApiError, errorPage, noPermission } from './error-page.ts'
import type { ApiSettings } from './settings.ts'

/** A call of a page that passed the gate. */
export interface PageCall extends RouteContext {
  /** Reads the body, once. Throws what becomes a page. */
  body(): Promise<Body>
}

/** What a page answers: a value in the form asked for, or a response of its own. */
export interface PageAnswer {
  readonly value?: Value
  readonly response?: Response
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The session that begins with this answer, or `ended`. */
  readonly session?: string
}

/** A page as it is declared. */
export interface Page {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly who: readonly Audience[]
  readonly about: string
  readonly body?: z.ZodMiniType
  /** What its path allows: the Allow header. */
  readonly allow: string
  /** It has a session: its answers carry the cookie. @default true */
  readonly session?: boolean
  /** Who gets through the gate gets an answer that no cache may share. @default true */
  readonly isPrivate?: boolean
  /** What who does not get through is told, where it is not the usual. */
  readonly refusal?: (request: Request) => ApiError
  readonly queryToken?: boolean
  /** Its answers have a form of their own, whatever is asked for. */
  readonly ownForm?: boolean
  /** The largest body, where it is not the API's. */
  readonly maxBody?: number
  answer(call: PageCall): Promise<PageAnswer>
}

/** What pages need. */
export interface PageNeeds {
  readonly settings: ApiSettings
  readonly clock: { now(): number }
  readonly report: (error: unknown, where: string) => void
  /** Counts what was answered, for `/stats` and `/metrics`. */
  readonly count: (path: string, status: number, seconds: number) => void
}

/** Makes a page a route. */
export function pageRoute(page: Page, needs: PageNeeds): Route {
  const path = below(needs.settings.rootPrefix, page.path)
  const session = page.session !== false
  return {
    method: page.method,
    path,
    who: page.who,
    maxBody: page.maxBody ?? needs.settings.maxBody,
    about: page.about,
    ...(page.body === undefined ? {} : { body: page.body }),
    ...(page.queryToken === true ? { queryToken: true } : {}),
    refuse({ status, message }, request, transport) {
      // Who has a token of another kind is, to a client of this API, somebody without one.
      const stranger = status === 401 || status === 403
      const error = stranger
        ? (page.refusal?.(request) ?? new ApiError(401, noPermission))
        : new ApiError(status, message)
      needs.count(page.path, error.status, 0)
      return errorAnswer(error, {
        request,
        transport,
        settings: needs.settings,
        allow: page.allow,
        ...(session ? { session: newSession() } : {}),
        now: needs.clock.now(),
      })
    },
    async handle(context) {
      const began = performance.now()
      const response = await run(page, session, context, needs)
      needs.count(page.path, response.status, (performance.now() - began) / 1000)
      return response
    },
  }
}

async function run(page: Page, session: boolean, context: RouteContext, needs: PageNeeds): Promise<Response> {
  const { request, transport, principal } = context
  const own = principal.kind === 'user' && principal.by === 'token' ? principal.token : undefined
  const frame: Frame = {
    request,
    transport,
    settings: needs.settings,
    allow: page.allow,
    ...(session ? { session: own ?? newSession() } : {}),
    isPrivate: page.isPrivate !== false && (principal.kind === 'user' || principal.kind === 'local') && !isOpen(page),
    now: needs.clock.now(),
  }
  try {
    checkAddress(transport, needs.settings)
    const call: PageCall = { ...context, body: () => bodyOf(context) }
    // Before anything happens: what cannot be answered is not begun.
    const form = page.ownForm === true ? 'application/json' : chosenForm(request.headers.get('accept'))
    const answer = await page.answer(call)
    const headers = framed(answer.session === undefined ? frame : { ...frame, session: answer.session })
    for (const [name, value] of Object.entries(answer.headers ?? {})) headers.set(name, value)
    if (answer.response !== undefined) {
      for (const [name, value] of answer.response.headers) headers.set(name, value)
      return new Response(answer.response.body, { status: answer.response.status, headers })
    }
    headers.set('content-type', form)
    return new Response(await written(answer.value ?? null, form), { status: answer.status ?? 200, headers })
  } catch (error) {
    if (error instanceof ApiError) return errorAnswer(error, frame)
    if (error instanceof BrineError && error.code === 'too-large')
      return errorAnswer(new ApiError(413, error.message), frame)
    if (error instanceof BrineError && error.code === 'busy')
      return errorAnswer(new ApiError(503, error.message), frame)
    needs.report(error, `${page.method} ${page.path}`)
    return unexpected(frame)
  }
}

async function bodyOf(context: RouteContext): Promise<Body> {
  return readBody(context.request.headers.get('content-type'), await context.text())
}

function checkAddress({ transport, remote }: TransportBindings, { authorizedIps }: ApiSettings): void {
  if (authorizedIps.length === 0 || transport === 'socket') return
  if (remote === undefined || !authorizedIps.includes(remote)) throw new ApiError(403, 'Bad IP')
}

/** Nobody has to prove anything. */
function isOpen(page: Page): boolean {
  return page.who.length === 1 && page.who[0] === 'anyone'
}

/** What surrounds every answer of a path. */
export interface Frame {
  readonly request: Request
  readonly transport: TransportBindings
  readonly settings: ApiSettings
  readonly allow?: string
  /** The session whose cookie goes along; `ended` takes it away. */
  readonly session?: string
  readonly isPrivate?: boolean
  readonly now: number
}

/** The headers of a frame. */
function framed(frame: Frame): Headers {
  const headers = new Headers()
  if (frame.allow !== undefined) headers.set('allow', frame.allow)
  for (const [name, value] of corsHeaders(frame.request, frame.settings)) headers.set(name, value)
  headers.set('vary', 'Accept-Encoding')
  if (frame.isPrivate === true) headers.set('cache-control', 'private')
  if (frame.session !== undefined) headers.set('set-cookie', cookieOf(frame.session, frame))
  return headers
}

/** An error as its page. */
export function errorAnswer(error: ApiError, frame: Frame): Response {
  const headers = framed(frame)
  for (const [name, value] of Object.entries(error.headers)) headers.set(name, value)
  headers.set('content-type', 'text/html;charset=utf-8')
  // Where salt-api falls over it says nothing of encodings.
  if (error.status === 500) headers.delete('vary')
  const page = errorPage(error.status, error.message)
  return new Response(error.streamed ? new Blob([page]).stream() : page, { status: error.status, headers })
}

/** What nobody expected is told in the log, never to who asked. */
function unexpected(frame: Frame): Response {
  const headers = framed(frame)
  headers.set('content-type', 'application/json')
  const body = stringifyJson({ status: 500, return: 'An unexpected error occurred' })
  return new Response(body, { status: 500, headers })
}

/** Who may read an answer from a page elsewhere: anybody's as in Salt, or those of `cors_origin` where it is set. */
export function corsHeaders(request: Request, { corsOrigins }: ApiSettings): readonly (readonly [string, string])[] {
  const origin = request.headers.get('origin')
  if (corsOrigins.length > 0 && origin !== null && !corsOrigins.includes(origin)) return []
  return [
    ['access-control-allow-origin', origin ?? '*'],
    ['access-control-expose-headers', 'GET, POST'],
    ['access-control-allow-credentials', 'true'],
  ]
}

/** A session's id that stands for nothing, as CherryPy hands out one to whoever has none. */
export function newSession(): string {
  return randomBytes(20).toString('hex')
}

/** Seconds a browser keeps the cookie. */
const cookieAge = 36_000
/** The session that ends with its answer. */
export const ended = 'ended'

function cookieOf(session: string, { now, transport }: Frame): string {
  const at = (seconds: number): string => new Date(now / 1000 + seconds * 1000).toUTCString()
  // Over TLS no script and no other site needs it; over plain HTTP it is as Salt's.
  const guard = transport.secure === true ? '; Secure; HttpOnly; SameSite=Lax' : ''
  if (session === ended) return `${sessionCookie}=${newSession()}; expires=${at(-365 * 86_400)}; Path=/${guard}`
  return `${sessionCookie}=${session}; expires=${at(cookieAge)}; Max-Age=${cookieAge}; Path=/${guard}`
}

/** A path below the API's prefix. */
export function below(prefix: string, path: string): string {
  const base = prefix.replace(/\/+$/, '')
  return path === '/' && base !== '' ? base : `${base}${path}`
}
