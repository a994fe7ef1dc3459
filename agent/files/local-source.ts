// The files of a minion without a master: its own file roots.
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type IgnoresFile, ignoresNothing } from '../../core/config/ignored-files.ts'
import { isMapping, pythonStr, type Value } from '../../core/value/index.ts'
import { modeText } from '../filesystem/mode.ts'
import { isErrno } from '../filesystem/os-error.ts'
import { hashOfFile } from './hash.ts'
import { isInside } from './salt-path.ts'
import type { FileSource, FileStat, SourceFile } from './source.ts'

/** The folders of each environment, as `file_roots` has them; the first that has a file which is not ignored wins. */
export function localFiles(fileRoots: Value, ignores: IgnoresFile = ignoresNothing): FileSource {
  const roots: Readonly<Record<string, Value>> = isMapping(fileRoots) ? fileRoots : {}
  const rootsOf = (saltenv: string): string[] => {
    const folders = Object.hasOwn(roots, saltenv) ? roots[saltenv] : []
    return Array.isArray(folders) ? folders.map(pythonStr) : []
  }
  const look = async (saltenv: string, path: string): Promise<(FileStat & { readonly place: string }) | undefined> => {
    if (!isInside(path)) return undefined
    for (const root of rootsOf(saltenv)) {
      if (ignores(root, path)) continue
      const place = join(root, path)
      const found = await fileAt(place)
      if (found !== undefined) return { place, ...found }
    }
    return undefined
  }
  const find = async (saltenv: string, path: string) => (await look(saltenv, path))?.place
  return {
    envs: async () => Object.keys(roots),
    async list(saltenv) {
      const files = new Map<string, SourceFile>()
      for (const root of rootsOf(saltenv))
        for (const file of await filesBelow(root))
          if (!files.has(file.path) && !ignores(root, file.path)) files.set(file.path, file)
      return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    async stat(saltenv, path) {
      const found = await look(saltenv, path)
      return found === undefined ? undefined : { size: found.size, mode: found.mode }
    },
    async find(saltenv, path, have) {
      const found = await find(saltenv, path)
      if (found === undefined) return { kind: 'missing' }
      const hash = await hashOfFile(found, 'sha256')
      return hash === have ? { kind: 'same' } : { kind: 'bytes', hash, pieces: createReadStream(found) }
    },
    async hash(saltenv, path) {
      const found = await find(saltenv, path)
      return found === undefined ? undefined : hashOfFile(found, 'sha256')
    },
  }
}

async function fileAt(path: string): Promise<FileStat | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true ? { size: found.size, mode: modeText(found.mode) } : undefined
}

/** Every file below a folder, by its path from there; none where there is no such folder. */
export async function filesBelow(root: string): Promise<SourceFile[]> {
  const names = await readdir(root, { recursive: true, encoding: 'utf8' }).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  })
  const files: SourceFile[] = []
  for (const path of names) {
    const found = await fileAt(join(root, path))
    if (found !== undefined) files.push({ path, ...found })
  }
  return files
}
