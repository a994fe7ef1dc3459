// The master's files.
import type { Connection, FilePiece } from '../connection/connection.ts'
import type { FileSource } from './source.ts'

type FileRequests = Pick<Connection, 'fileEnvs' | 'fileList' | 'filePiece' | 'fileStat'>

/** Asks the master each time; nothing is remembered but by who caches. */
export function masterFiles(connection: FileRequests): FileSource {
  return {
    envs: () => connection.fileEnvs(),
    list: (saltenv) => connection.fileList(saltenv),
    stat: (saltenv, path) => connection.fileStat(saltenv, path),
    async hash(saltenv, path) {
      return (await connection.fileStat(saltenv, path))?.hash
    },
    async find(saltenv, path, have) {
      const first = await connection.filePiece(saltenv, path, 0, have)
      if (first.kind !== 'piece') return first
      return { kind: 'bytes', hash: first.hash, pieces: pieces(connection, saltenv, path, first) }
    },
  }
}

/** Ends early where the file changes meanwhile: its hash then does not fit, and who reads starts again. */
async function* pieces(
  connection: FileRequests,
  saltenv: string,
  path: string,
  first: Extract<FilePiece, { kind: 'piece' }>,
): AsyncGenerator<Uint8Array> {
  let got = first.bytes.byteLength
  yield first.bytes
  while (got < first.size) {
    const next = await connection.filePiece(saltenv, path, got)
    if (next.kind !== 'piece' || next.hash !== first.hash || next.bytes.byteLength === 0) return
    got += next.bytes.byteLength
    yield next.bytes
  }
}
