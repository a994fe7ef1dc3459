// Reading small files of /proc, /sys and /etc, where absence is an answer.
import { readdir, readFile } from 'node:fs/promises'

/** The file's text; empty where it is absent or not ours to read. */
export async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return ''
  }
}

/** The names in a directory; empty where it is absent or not ours to read. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch {
    return []
  }
}
