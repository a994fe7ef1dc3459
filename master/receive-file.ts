// A file that a minion pushes (`cp.push`): whether it is taken, and where it goes.
import type { MinionId } from '../core/event/event.ts'
import type { PushRequest } from '../core/protocol/index.ts'
import { isFilePath } from './file-path.ts'

/** A piece of a file, at its place. */
export interface FilePiece {
  readonly offset: number
  /** Of the whole file. */
  readonly size: number
  readonly bytes: Uint8Array
}

/** What became of a piece. */
export type PieceKept =
  | { readonly kind: 'kept' }
  /** It does not follow what is there: the file has to be sent from its beginning. */
  | { readonly kind: 'out-of-order' }
  /** The path is that of a folder, or leads below a file. */
  | { readonly kind: 'outside' }
  /** No file may be larger than this, in bytes. */
  | { readonly kind: 'too-large'; readonly most: number }

/**
 * Files of minions, each below its own folder. A piece at 0 begins a file anew; one that ends it puts it in its place at once,
 * whole, and until then whoever reads has the one before. Pieces come in order; two files of one path are not mixed.
 */
export interface ReceivedFiles {
  /** `path` is of names alone. */
  keep(minion: MinionId, path: string, piece: FilePiece): Promise<PieceKept>
}

/** `file_recv` and `file_recv_max_size`. */
export interface ReceiveSettings {
  readonly files: ReceivedFiles
  /** Bytes of a file. */
  readonly most: number
}

/** How a push ended. */
export type Received =
  | { readonly kind: 'kept' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** Takes pieces of files; `undefined` settings take none. */
export function createReceiveFile(
  settings: ReceiveSettings | undefined,
): (minion: MinionId, request: PushRequest) => Promise<Received> {
  return async (minion, { path: names, offset, size, data }) => {
    if (settings === undefined)
      return refused('file-recv', 'This master takes no files of minions: file_recv is not True.')
    const path = names.join('/')
    if (names.some((name) => name.includes('/')) || !isFilePath(path) || Buffer.byteLength(path) > longestPath)
      return refused('path', `${JSON.stringify(path)} is no path of a file below the minion's folder.`)
    const bytes = Buffer.from(data, 'base64')
    if (offset + bytes.byteLength > size || (bytes.byteLength === 0 && size > 0))
      return refused('size', `A file of ${size} bytes has no piece of ${bytes.byteLength} at ${offset}.`)
    if (size > settings.most) return tooLarge(path, settings.most)
    const kept = await settings.files.keep(minion, path, { offset, size, bytes })
    switch (kept.kind) {
      case 'kept':
        return kept
      case 'out-of-order':
        return refused('offset', `What there is of ${path} does not end at ${offset}: send it from its beginning.`)
      case 'outside':
        return refused('path', `${path} cannot be written: a folder or a file is in its way.`)
      case 'too-large':
        return tooLarge(path, kept.most)
    }
  }
}

/** Bytes: S3 takes keys of 1,024. */
const longestPath = 800

function tooLarge(path: string, most: number): Received {
  return refused('too-large', `${path} is larger than ${most} bytes, which is the most (file_recv_max_size, in MB).`)
}

function refused(code: string, message: string): Received {
  return { kind: 'refused', code, message }
}
