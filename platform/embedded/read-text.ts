// A file's text, where there is one.
import { readFile } from 'node:fs/promises'

/** Undefined where nothing lies there; throws what else hinders it. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
