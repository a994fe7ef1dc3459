// Copies, moves, removes and links what is at a path.
import {
  chmod,
  copyFile,
  cp,
  link,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  utimes,
} from 'node:fs/promises'
import { CommandExecutionError, SaltInvocationError } from '../modules/errors.ts'
import { isErrno, osErrorText, strerror } from './os-error.ts'
import { baseName, exists, isDirectory, isLink, joinPath, lexists, lstatOf, normalPath, statOf, walk } from './paths.ts'
import { checkPermissions } from './permissions.ts'
import { fileStats } from './stats.ts'
import { ownUmask } from './umask.ts'
import { besidePath, copyWhole } from './write.ts'

/** Makes an empty file where nothing is, and sets its times: seconds since 1970, both now where neither is given. */
export async function touch(name: string, atime: number | undefined, mtime: number | undefined): Promise<boolean> {
  const now = Date.now() / 1000
  try {
    if (!(await exists(name))) await makeEmpty(name)
    await utimes(name, atime ?? now, mtime ?? now)
  } catch (error) {
    throw new CommandExecutionError(strerror(error), error)
  }
  return exists(name)
}

async function makeEmpty(name: string): Promise<void> {
  const file = await open(name, 'a')
  const mask = ownUmask()
  if (mask !== undefined) await file.chmod(0o666 & ~mask)
  await file.close()
}

/** Removes a file, a link or a whole directory; false where nothing is. */
export async function remove(path: string): Promise<boolean> {
  const found = await lstatOf(path)
  if (found === undefined) return false
  try {
    await (found.isDirectory() ? rm(path, { recursive: true }) : unlink(path))
    return true
  } catch (error) {
    throw new CommandExecutionError(`Could not remove '${path}': ${osErrorText(error)}`, error)
  }
}

/** Which empty directories to remove. */
export interface EmptyDirectories {
  /** Those below it too. */
  readonly recurse: boolean
  /** Only those not changed for so many days. */
  readonly olderThan: number | undefined
}

/** Removes a directory that is empty, or becomes so: what was removed, what could not be, and whether all went well. */
export async function removeEmpty(
  path: string,
  { recurse, olderThan }: EmptyDirectories,
): Promise<{ deleted: string[]; errors: [string, string][]; result: boolean }> {
  const below = recurse ? (await walk(path)).flatMap(({ root, dirs }) => dirs.map((name) => joinPath(root, name))) : []
  const before = olderThan === undefined ? Number.POSITIVE_INFINITY : Date.now() - olderThan * 86_400_000
  const deleted: string[] = []
  const errors: [string, string][] = []
  for (const each of [...below.reverse(), path]) {
    if (((await statOf(each))?.mtimeMs ?? 0) >= before) continue
    try {
      await rmdir(each)
      deleted.push(each)
    } catch (error) {
      errors.push([each, osErrorText(error)])
    }
  }
  return { deleted, errors, result: errors.length === 0 && (recurse || deleted.includes(path)) }
}

/** How to make a link. */
export interface LinkOptions {
  /** Take the place of what is there. */
  readonly force: boolean
  /** Take it in one step. */
  readonly atomic: boolean
  /** A link to nothing counts as nothing. */
  readonly follow: boolean
}

/** Makes a symbolic link to `target`. Throws CommandExecutionError where something else is there. */
export async function makeLink(target: string, path: string, { force, atomic, follow }: LinkOptions): Promise<true> {
  if (!path.startsWith('/')) throw new SaltInvocationError(`Link path must be absolute: ${path}`)
  const there = await (follow ? exists : lexists)(path)
  const isSymlink = await isLink(path)
  if (isSymlink && normalPath(await readlink(path)) === normalPath(target)) return true
  if (!force && !atomic) {
    if (isSymlink) throw new CommandExecutionError(`Found existing symlink: ${path}`)
    if (there) throw new CommandExecutionError(`Existing path is not a symlink: ${path}`)
  }
  try {
    if (atomic) {
      const temporary = besidePath(path)
      await symlink(target, temporary)
      await rename(temporary, path).catch(async (error: unknown) => {
        await rm(temporary, { force: true })
        throw error
      })
      return true
    }
    if (there || isSymlink) await unlink(path)
    await symlink(target, path)
    return true
  } catch (error) {
    throw new CommandExecutionError(`Could not create '${path}'`, error)
  }
}

/** Makes another name for a file. */
export async function makeHardLink(source: string, path: string): Promise<true> {
  if (!source.startsWith('/')) throw new SaltInvocationError('File path must be absolute.')
  try {
    await link(source, path)
    return true
  } catch (error) {
    throw new CommandExecutionError(`Could not create '${path}': ${osErrorText(error)}`, error)
  }
}

/** Renames within a file system. */
export async function renamePath(source: string, target: string): Promise<true> {
  if (!source.startsWith('/')) throw new SaltInvocationError('File path must be absolute.')
  try {
    await rename(source, target)
    return true
  } catch (error) {
    throw new CommandExecutionError(`Could not rename '${source}' to '${target}'`, error)
  }
}

/** Python's `shutil.move`: into a directory that is there; across file systems by a copy. Throws the system's error. */
export async function movePath(source: string, target: string): Promise<void> {
  const to = (await isDirectory(target)) ? joinPath(target, baseName(source.replace(/\/+$/, ''))) : target
  try {
    await rename(source, to)
  } catch (error) {
    if (!isErrno(error, 'EXDEV')) throw error
    await cp(source, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    await rm(source, { recursive: true })
  }
}

/** How to copy. */
export interface CopyOptions {
  /** Directories may be copied. */
  readonly recurse: boolean
  /** What is at the target goes first. */
  readonly removeExisting: boolean
}

/** Copies a file or a directory's contents; the target gets the source's owner and mode. */
export async function copyPath(source: string, target: string, options: CopyOptions): Promise<true> {
  if (!source.startsWith('/')) throw new SaltInvocationError('File path must be absolute.')
  if (!(await exists(source))) throw new CommandExecutionError(`No such file or directory '${source}'`)
  const before = await fileStats(source)
  try {
    if ((await isDirectory(target)) || (await isDirectory(source))) {
      if (!options.recurse) {
        throw new SaltInvocationError('Cannot copy overwriting a directory without recurse flag set to true!')
      }
      if (options.removeExisting) await rm(target, { recursive: true, force: true })
      await copyInto(source, target)
    } else await copyWhole(source, target)
  } catch (error) {
    if (error instanceof SaltInvocationError) throw error
    throw new CommandExecutionError(`Could not copy '${source}' to '${target}'`, error)
  }
  const { user, group, mode } = before
  await checkPermissions(target, { user, group, mode, test: false })
  return true
}

/** A directory's contents beside what is there already. */
async function copyInto(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [joinPath(source, entry.name), joinPath(target, entry.name)]
    if (await isDirectory(from)) await copyInto(from, to)
    else {
      await copyFile(from, to)
      const found = await statOf(from)
      if (found !== undefined) await chmod(to, found.mode & 0o7777)
    }
  }
}
