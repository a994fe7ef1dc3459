// What is no route: a preflight of a browser, a method that a path does not take, a path that is not there.
import { escapeRegex } from '../../../core/value/escape-regex.ts'
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
    const token = principal.kind === 'user' && principal.by === 'token' ? principal.token : undefined
    if (first === undefined) {
      const isApp = path === below(settings.rootPrefix, settings.appPath)
      const above = isApp ? undefined : pages.find((page) => isBelow(path, below(settings.rootPrefix, page.path)))
      if (above !== undefined) {
        // A page takes what follows it for its argument, of which there is at most one.
        const session = above.session === false ? {} : { session: token ?? newSession() }
        const nothing = new ApiError(404, 'Nothing matches the given URI')
        return refused(nothing, above, [above], principal, { ...frame, ...session })
      }
      const around = isApp ? { ...frame, allow: 'GET, HEAD' } : frame
      return errorAnswer(new ApiError(404, `The path '${decoded(path)}' was not found.`), around)
    }
    const invalid = new ApiError(405, 'Specified method is invalid for this resource')
    // /run, which takes no session, gives none.
    const session = first.path === '/run' ? {} : { session: token ?? newSession() }
    return refused(invalid, first, here, principal, { ...frame, ...session })
  }
}

/** Tells who may call one of the pages of a path what is wrong, and everybody else that he may not; framed as `page`. */
function refused(error: ApiError, page: Page, pages: readonly Page[], principal: Principal, frame: Frame): Response {
  const open = pages.some(({ who }) => who.includes('anyone'))
  const somebody = principal.kind === 'user' || principal.kind === 'local'
  return errorAnswer(open || somebody ? error : new ApiError(401, noPermission), {
    ...frame,
    allow: page.allow,
    isPrivate: !open && somebody && page.isPrivate !== false,
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
    .map((part) => (part === '*' ? '.+' : part.startsWith(':') ? '[^/]+' : escapeRegex(part)))
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
