// The routes by which minions get `salt://` files: which there are, and their bytes, by hash and piece by piece.
import { PROTOCOL_HEADER, PROTOCOL_VERSION } from '../../core/protocol/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import type { Clock, FileStore, StoredFile } from '../ports.ts'
import { answer, refuse } from './answer.ts'
import type { Route, RouteContext } from './route.ts'

/** What the routes serve, and the most bytes of a file in one answer. */
export interface FileRoutesNeeds {
  readonly files: Pick<FileStore, 'envs' | 'list' | 'find' | 'read'>
  readonly clock: Clock
  /** A Lambda's answer may hold 6 MB at most, its base64 counted. @default 16 MiB */
  readonly piece?: number
}

const mib = 1024 * 1024

/**
 * `GET /minion/files` answers the environments; with `saltenv` the files of one; with `path` besides, the bytes from
 * `offset` on (`brine-hash` and `brine-size` tell of the whole file), or 304 where `have` is the file's hash; with `stat`
 * what the list says of the one file.
 */
export function fileRoutes({ files, clock, piece = 16 * mib }: FileRoutesNeeds): readonly Route[] {
  const bytesOf = async (saltenv: string, path: string, context: RouteContext): Promise<Response> => {
    const file = await files.find(saltenv, path)
    if (file === undefined) return refuse(404, 'no-file', `There is no ${path} in ${saltenv}.`, clock)
    if (context.query.get('have') === file.hash) return new Response(null, { status: 304, headers: headersOf(file) })
    if (context.query.has('stat')) return answer(aboutOf(file))
    const offset = Number(context.query.get('offset') ?? 0)
    if (!Number.isSafeInteger(offset) || offset < 0 || offset > file.size)
      return refuse(400, 'offset', `The offset must be from 0 to ${file.size}.`, clock)
    const length = Math.min(piece, file.size - offset)
    const bytes = length === 0 ? new Uint8Array() : await files.read(saltenv, path, { offset, length })
    if (bytes === undefined) return refuse(404, 'no-file', `There is no ${path} in ${saltenv}.`, clock)
    return new Response(new Uint8Array(bytes), { headers: headersOf(file) })
  }
  return [
    {
      method: 'GET',
      path: '/minion/files',
      who: ['minion'],
      maxBody: 0,
      about: 'a minion asks which files there are, and gets them',
      async handle(context) {
        const saltenv = context.query.get('saltenv')
        const path = context.query.get('path')
        if (saltenv === null) return answer({ envs: await files.envs() })
        if (path !== null) return bytesOf(saltenv, path, context)
        const found = await files.list(saltenv)
        return answer({
          files: found.map((file) => ({ path: file.path, ...aboutOf(file) })),
        })
      },
    },
  ]
}

const aboutOf = ({ hash, size, mode }: StoredFile): Mapping => ({
  hash,
  size,
  ...(mode === undefined ? {} : { mode }),
})

function headersOf({ hash, size }: StoredFile): Record<string, string> {
  return {
    'content-type': 'application/octet-stream',
    [PROTOCOL_HEADER]: String(PROTOCOL_VERSION),
    'brine-hash': hash,
    'brine-size': String(size),
  }
}
