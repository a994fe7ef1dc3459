// What is no route: a preflight of a browser, a method that a path does not take, a path that is not there.
import type { Principal } from '../../principal.ts'
import type { TransportBindings } from '../route.ts'
import { ApiError, noPermission } from './error-page.ts'
import { below, corsHeaders, errorAnswer, type Frame, newSession, type Page } from './page.ts'
import type { ApiSettings } from './settings.ts'

/** Milliseconds a browser may keep a preflight's answer, as salt-api says it. */
const preflightAge = '1400'

/** Answers what no route took. */
export function saltFallback(
  pages: readonly Page[],
  settings: ApiSettings,
  clock: { now(): number },
): (request: Request, principal: Principal, transport: TransportBindings) => Response {
  const paths = pages.map((page) => ({ page, takes: taker(below(settings.rootPrefix, page.path)) }))
  return (request, principal, transport) => {
    const path = new URL(request.url).pathname
    const here = paths.filter(({ takes }) => takes(path)).map(({ page }) => page)
    const [first] = here
    if (request.method === 'OPTIONS') return preflight(request, settings, first?.allow)
    const frame: Frame = { request, transport, settings, now: clock.now() }
    if (first === undefined) {
      const isApp = path === below(settings.rootPrefix, settings.appPath)
      const above = isApp ? undefined : pages.find((page) => isBelow(path, below(settings.rootPrefix, page.path)))
      if (above !== undefined) return nothingBelow(above, principal, frame)
      const around = isApp ? { ...frame, allow: 'GET, HEAD' } : frame
      return errorAnswer(new ApiError(404, `The path '${decoded(path)}' was not found.`), around)
    }
    const somebody = principal.kind === 'user' || principal.kind === 'local'
    const open = here.some(({ who }) => who.includes('anyone'))
    const own = { ...frame, allow: first.allow, isPrivate: !open && somebody && first.isPrivate !== false }
    if (!open && !somebody) return errorAnswer(new ApiError(401, noPermission), own)
    const session = principal.kind === 'user' && principal.by === 'token' ? { session: principal.token } : {}
    return errorAnswer(new ApiError(405, 'Specified method is invalid for this resource'), { ...own, ...session })
  }
}

/** A page takes what follows it for its argument, of which there is at most one. */
function nothingBelow(page: Page, principal: Principal, frame: Frame): Response {
  const open = page.who.includes('anyone')
  const somebody = principal.kind === 'user' || principal.kind === 'local'
  const own = principal.kind === 'user' && principal.by === 'token' ? principal.token : undefined
  const error = open || somebody ? new ApiError(404, 'Nothing matches the given URI') : new ApiError(401, noPermission)
  return errorAnswer(error, {
    ...frame,
    allow: page.allow,
    isPrivate: !open && somebody && page.isPrivate !== false,
    ...(page.session === false ? {} : { session: own ?? newSession() }),
  })
}

function isBelow(path: string, page: string): boolean {
  return page !== '/' && !page.includes(':') && !page.includes('*') && path.startsWith(`${page}/`)
}

function preflight(request: Request, settings: ApiSettings, allow: string | undefined): Response {
  const headers = new Headers(corsHeaders(request, settings).map(([name, value]): [string, string] => [name, value]))
  headers.set('content-type', 'text/html')
  headers.set('vary', 'Accept-Encoding')
  if (allow !== undefined) headers.set('allow', allow)
  if (['GET', 'POST'].includes(request.headers.get('access-control-request-method') ?? '')) {
    headers.set('access-control-allow-methods', 'GET, POST')
    headers.set('access-control-allow-headers', 'Content-Type, X-Auth-Token, X-Requested-With')
    headers.set('access-control-max-age', preflightAge)
    headers.set('connection', 'keep-alive')
  }
  return new Response('', { status: 200, headers })
}

/** Whether a declared path takes a requested one: `:name` a part, `*` the rest. */
function taker(path: string): (asked: string) => boolean {
  const source = path
    .split('/')
    .map((part) => (part === '*' ? '.+' : part.startsWith(':') ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('/')
  const regex = new RegExp(`^${source.replace(/\/$/, '')}/?$`)
  return (asked) => regex.test(asked)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Not UTF-8: shown as it was sent.
    return path
  }
}
