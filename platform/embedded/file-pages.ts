// Files of pages, served from folders: the console, and Salt's `app` and `static`.
import { createHash } from 'node:crypto'
import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { consoleHeaders } from '../../master/api/console-headers.ts'
import { contentType } from '../../master/api/content-type.ts'
import type { Route, RouteContext } from '../../master/api/route.ts'
import { type ApiSettings, below } from '../../master/api/salt/index.ts'

/** Where the console stands, below the API's prefix. */
const consolePath = '/console'
/** The largest file served, bytes. */
const largest = 32 * 1024 * 1024

/**
 * The console: every file of the folder below `/console/`, `index.html` for the folder itself, all with the console's
 * headers. The page may name its files relatively. A folder that is not there gives 404s, so it may appear later.
 */
export function consolePages(folder: string, settings: ApiSettings): readonly Route[] {
  const path = below(settings.rootPrefix, consolePath)
  return [
    {
      ...openPage,
      path,
      about: 'the console',
      async handle(context) {
        const asked = new URL(context.request.url).pathname
        // Relative names in the page stand below the folder, not beside it.
        if (!asked.endsWith('/')) return new Response(null, { status: 302, headers: { location: `${asked}/` } })
        return fileAnswer(folder, 'index.html', context, consoleHeaders)
      },
    },
    {
      ...openPage,
      path: `${path}/*`,
      about: "the console's files",
      handle: (context) => fileAnswer(folder, restOf(context, path), context, consoleHeaders),
    },
  ]
}

/** Salt's `static` below `static_path` and `app` at `app_path`, whatever stands behind that. None where none is set. */
export function appPages(settings: ApiSettings): readonly Route[] {
  const { app, static: folder } = settings
  const routes: Route[] = []
  if (folder !== null) {
    const path = below(settings.rootPrefix, settings.staticPath)
    const handle = (context: RouteContext): Promise<Response> => fileAnswer(folder, restOf(context, path), context, {})
    routes.push({ ...openPage, path: `${path}/*`, about: "files of a page of the user's", handle })
  }
  if (app !== null) {
    const path = below(settings.rootPrefix, settings.appPath)
    const handle = (context: RouteContext): Promise<Response> => appAnswer(app, context)
    for (const each of [path, `${path}/*`])
      routes.push({ ...openPage, path: each, about: "a page of the user's", handle })
  }
  return routes
}

/**
 * Where `app` is set, whoever asks for HTML gets that page under any address, as in Salt, but for the page's own paths, the
 * console and what is not asked with GET.
 */
export function appFront(settings: ApiSettings): ((request: Request) => Promise<Response> | undefined) | undefined {
  const { app, appPath, staticPath } = settings
  if (app === null) return undefined
  const own = [appPath, staticPath, consolePath].map((path) => below(settings.rootPrefix, path))
  return (request) => {
    if (request.method !== 'GET' || !wantsHtml(request.headers.get('accept'))) return undefined
    const { pathname } = new URL(request.url)
    return own.some((path) => pathname.startsWith(path)) ? undefined : appAnswer(app, { request })
  }
}

/** A browser that goes to a page names HTML; scripts and programs do not. */
function wantsHtml(accept: string | null): boolean {
  return accept !== null && /(^|,)\s*text\/html\s*(;|,|$)/i.test(accept)
}

function appAnswer(app: string, context: { readonly request: Request }): Promise<Response> {
  const at = app.lastIndexOf(sep)
  return fileAnswer(app.slice(0, Math.max(at, 1)), app.slice(at + 1), context, {})
}

const openPage = { method: 'GET', who: ['anyone'], maxBody: 0 } as const

function restOf({ request }: RouteContext, path: string): string {
  return new URL(request.url).pathname.slice(path.length).replace(/^\/+/, '')
}

/** A file of the folder, or 404. No name leaves the folder, neither by `..` nor by a link. */
async function fileAnswer(
  folder: string,
  name: string,
  { request }: { readonly request: Request },
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const bytes = await fileIn(folder, name)
  if (bytes === undefined)
    return new Response('Not found\n', { status: 404, headers: { ...headers, 'content-type': 'text/plain' } })
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const about = { ...headers, etag: tag, 'cache-control': 'no-cache' }
  if (request.headers.get('if-none-match') === tag) return new Response(null, { status: 304, headers: about })
  return new Response(new Uint8Array(bytes), { headers: { ...about, 'content-type': contentType(name) } })
}

async function fileIn(folder: string, name: string): Promise<Buffer | undefined> {
  try {
    const root = await realpath(folder)
    const path = await realpath(join(root, decodeURIComponent(name)))
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
    const file = await open(path)
    try {
      const about = await file.stat()
      return about.isFile() && about.size <= largest ? await file.readFile() : undefined
    } finally {
      await file.close()
    }
  } catch (error) {
    // No such file, no such folder, a name that is none: not here, whatever the reason.
    if (error instanceof URIError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}
