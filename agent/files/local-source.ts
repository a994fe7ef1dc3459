// The files of a minion without a master: its own file roots.
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMapping, pythonStr, type Value } from '../../core/value/index.ts'
import { modeText } from '../filesystem/mode.ts'
import { isErrno } from '../filesystem/os-error.ts'
import { hashOfFile } from './hash.ts'
import { isInside } from './salt-path.ts'
import type { FileSource, SourceFile } from './source.ts'

/** The folders of each environment, as `file_roots` has them; the first that has a file wins. */
export function localFiles(fileRoots: Value): FileSource {
  const roots: Readonly<Record<string, Value>> = isMapping(fileRoots) ? fileRoots : {}
  const rootsOf = (saltenv: string): string[] => {
    const folders = Object.hasOwn(roots, saltenv) ? roots[saltenv] : []
    return Array.isArray(folders) ? folders.map(pythonStr) : []
  }
  const find = async (saltenv: string, path: string): Promise<string | undefined> => {
    if (!isInside(path)) return undefined
    for (const root of rootsOf(saltenv)) if (await isFile(join(root, path))) return join(root, path)
    return undefined
  }
  return {
    envs: async () => Object.keys(roots),
    async list(saltenv) {
      const files = new Map<string, SourceFile>()
      for (const root of rootsOf(saltenv))
        for (const file of await filesBelow(root)) if (!files.has(file.path)) files.set(file.path, file)
      return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
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

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true
}

/** Every file below a folder, by its path from there; none where there is no such folder. */
export async function filesBelow(root: string): Promise<SourceFile[]> {
  const names = await readdir(root, { recursive: true, encoding: 'utf8' }).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  })
  const files: SourceFile[] = []
  for (const path of names) {
    const found = await stat(join(root, path)).catch(() => undefined)
    if (found?.isFile() === true) files.push({ path, size: found.size, mode: modeText(found.mode) })
  }
  return files
}
