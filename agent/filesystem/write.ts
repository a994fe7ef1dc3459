// Writes files whole: a reader sees the old contents or the new, and after a crash one of them is there.
import { randomBytes } from 'node:crypto'
import { constants, copyFile, open, rename, rm, stat } from 'node:fs/promises'
import { defaultFileMode, modeNumber } from './mode.ts'
import { asPython, isErrno } from './os-error.ts'
import { directoryName, joinPath, splitPath } from './paths.ts'

/** Who may do what with the file. */
export interface WriteOptions {
  /** Four octal digits for a file that is not there yet; one that is keeps its own. @default what the umask leaves */
  readonly mode?: string
}

/**
 * Puts `bytes` at `path` in one step: a temporary file beside it, synced, then renamed over it, then the directory synced.
 * A file that was there passes on its mode and owner. A link is replaced, not followed. Throws the system's error as Python
 * words it; the temporary file is gone then.
 */
export async function writeWhole(path: string, bytes: Uint8Array | string, options: WriteOptions = {}): Promise<void> {
  await placeWhole(path, options, async (file) => {
    await file.writeFile(bytes)
  })
}

/** {@link writeWhole} with another file's bytes. */
export async function copyWhole(source: string, path: string, options: WriteOptions = {}): Promise<void> {
  await placeWhole(path, options, async (file, temporary) => {
    await copyFile(source, temporary, constants.COPYFILE_FICLONE)
    await file.sync()
  })
}

type Filler = (file: Awaited<ReturnType<typeof open>>, temporary: string) => Promise<void>

async function placeWhole(path: string, options: WriteOptions, fill: Filler): Promise<void> {
  const temporary = besidePath(path)
  try {
    const before = await statIfThere(path)
    const file = await open(temporary, 'wx', 0o600)
    try {
      await fill(file, temporary)
      if (before !== undefined) await file.chown(before.uid, before.gid)
      await file.chmod(
        before === undefined ? (modeNumber(options.mode ?? defaultFileMode()) ?? 0o600) : before.mode & 0o7777,
      )
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    await syncDirectory(directoryName(path) || '.')
  } catch (error) {
    await rm(temporary, { force: true })
    throw asPython(error, path)
  }
}

/** A name nobody has, in the directory of `path`, hidden. */
export function besidePath(path: string): string {
  const [head, tail] = splitPath(path)
  return joinPath(head, `.${tail.slice(0, 200)}.${randomBytes(6).toString('hex')}`)
}

async function statIfThere(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Makes a rename in the directory outlast a crash. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } catch (error) {
    // Some file systems have nothing to sync of a directory.
    if (!isErrno(error, 'EINVAL', 'ENOTSUP', 'EBADF')) throw error
  } finally {
    await directory.close()
  }
}
