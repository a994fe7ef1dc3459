// The console's pages: files of the build's folder, wherever that lies.
import { consoleHeaders } from './console-headers.ts'
import { fileAnswer, openPage, restOf } from './folder-file.ts'
import type { Route } from './route.ts'
import { below } from './salt/index.ts'

/** Where the console stands, below the API's prefix. */
export const consolePath = '/console'

/**
 * The console: every file of the folder below `/console/`, `index.html` for the folder itself, all with the console's
 * headers. The page may name its files relatively. A folder that is not there gives 404s, so it may appear later.
 */
export function consolePages(
  folder: string,
  settings: { readonly rootPrefix: string; readonly socketUrl?: string },
): readonly Route[] {
  const headers = consoleHeaders(settings.socketUrl)
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
        return fileAnswer(folder, 'index.html', context, headers)
      },
    },
    {
      ...openPage,
      path: `${path}/*`,
      about: "the console's files",
      handle: (context) => fileAnswer(folder, restOf(context, path), context, headers),
    },
  ]
}
