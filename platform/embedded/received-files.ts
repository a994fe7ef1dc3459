// What minions push, below `cachedir`: `minions/<id>/files/…`, as Salt has it.
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilePiece, PieceKept, ReceivedFiles } from '../../master/receive-file.ts'
import { writeBelow } from './store/write-below.ts'

/** Files below a folder; what is not whole yet lies beside them, in `minions/<id>/receiving`. */
export function receivedFiles(folder: string): ReceivedFiles {
  return {
    async keep(minion, path, piece): Promise<PieceKept> {
      const own = join(folder, 'minions', minion)
      const isWhole = piece.offset === 0 && piece.bytes.byteLength === piece.size
      if (isWhole) return placed(own, path, piece.bytes)
      const begun = join(own, 'receiving', createHash('sha256').update(path).digest('hex'))
      if (!(await added(begun, piece))) return { kind: 'out-of-order' }
      if (piece.offset + piece.bytes.byteLength < piece.size) return { kind: 'kept' }
      const kept = await placed(own, path, await readFile(begun))
      await rm(begun, { force: true })
      return kept
    },
  }
}

async function placed(own: string, path: string, bytes: Uint8Array): Promise<PieceKept> {
  return (await writeBelow(join(own, 'files'), path, bytes)) ? { kind: 'kept' } : { kind: 'outside' }
}

/** Writes behind what is there, or anew at 0; false where it does not follow. */
async function added(path: string, { offset, bytes }: FilePiece): Promise<boolean> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  const file = await open(path, offset === 0 ? 'w' : 'a', 0o600)
  try {
    if ((await file.stat()).size !== offset) return false
    await file.writeFile(bytes)
    return true
  } finally {
    await file.close()
  }
}
