// Writing a file below a root, wherever its links lead.
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** What may be made of a file that was not there. */
const usual = 0o644

/**
 * Writes a whole file, making the directories above it; `path` is of names alone. False where a link above it leads out of
 * the root, or where it or something above it is of another kind. A link in the file's own place is replaced, never written
 * through. The file changes at once, and keeps its mode.
 */
export async function writeBelow(root: string, path: string, bytes: Uint8Array): Promise<boolean> {
  await mkdir(root, { recursive: true })
  const base = await realpath(root)
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  let folder = base
  for (const part of parts) {
    const next = join(folder, part)
    if ((await kindOf(next)) === undefined) await mkdir(next)
    if (!(await isFolder(next))) return false
    folder = await realpath(next)
    if (folder !== base && !folder.startsWith(base.endsWith(sep) ? base : base + sep)) return false
  }
  const target = join(folder, name)
  const there = await kindOf(target)
  if (there !== undefined && !there.isFile() && !there.isSymbolicLink()) return false
  const mode = there?.isFile() === true ? Number(there.mode) & 0o7777 : usual
  const beside = join(folder, `.${randomUUID()}.brine`)
  try {
    const file = await open(beside, 'wx', mode)
    try {
      await file.writeFile(bytes)
      await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, target)
  } finally {
    await rm(beside, { force: true })
  }
  return true
}

/** What stands there, without following it; undefined where nothing does. */
async function kindOf(path: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A link that leads nowhere is none. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ELOOP'].includes(String(error.code))) return false
    throw error
  }
}
