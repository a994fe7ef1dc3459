// Reads files that need not be there.
import { readFile } from 'node:fs/promises'
import { isErrno } from './os-error.ts'

/** A file's bytes; undefined where there is none. Rejects with the file system's error otherwise. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** {@link readIfThere} as text. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  return (await readIfThere(path))?.toString('utf8')
}
