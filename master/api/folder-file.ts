// A file of a folder, as an answer over HTTP.
import { createHash } from 'node:crypto'
import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { contentType } from './content-type.ts'
import type { RouteContext } from './route.ts'

/** The largest file served, bytes. */
const largest = 32 * 1024 * 1024

/** A page that anybody may see. */
export const openPage = { method: 'GET', who: ['anyone'], maxBody: 0 } as const

/** What of the asked address stands below `path`. */
export function restOf({ request }: RouteContext, path: string): string {
  return new URL(request.url).pathname.slice(path.length).replace(/^\/+/, '')
}

/** A file of the folder, or 404. No name leaves the folder, neither by `..` nor by a link. */
export async function fileAnswer(
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
