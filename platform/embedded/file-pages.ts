// Pages of the user's own, served from folders: Salt's `app` and `static`.
import { sep } from 'node:path'
import { consolePath } from '../../master/api/console-pages.ts'
import { fileAnswer, openPage, restOf } from '../../master/api/folder-file.ts'
import type { Route, RouteContext } from '../../master/api/route.ts'
import { type ApiSettings, below } from '../../master/api/salt/index.ts'

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
