// Paths and what is at them, as Python's os.path answers.
import { access, lstat, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { posix } from 'node:path'
import { tagGlob } from '../../core/event/tag-glob.ts'
import { accountByName } from '../modules/users.ts'
import { isErrno } from './os-error.ts'

/** The home of who runs this; undefined where neither HOME nor an account tells. */
export function ownHome(): string | undefined {
  try {
    return process.env.HOME ?? homedir()
  } catch {
    return undefined
  }
}

/** `~` and `~user` at the beginning become home directories; an unknown user stays as it is written. */
export async function expandUser(path: string): Promise<string> {
  const [, user, rest = ''] = /^~([^/]*)(\/.*)?$/s.exec(path) ?? []
  if (user === undefined) return path
  const home = user === '' ? ownHome() : (await accountByName(user))?.home
  return home === undefined ? path : `${home.replace(/\/+$/, '')}${rest}` || '/'
}

/** `$NAME` and `${NAME}` where the environment has them. */
export function expandVariables(path: string): string {
  return path.replace(/\$(?:(\w+)|\{([^}]*)\})/g, (all, bare?: string, braced?: string) => {
    return process.env[bare ?? braced ?? ''] ?? all
  })
}

/** Something is there, behind links. */
export async function exists(path: string): Promise<boolean> {
  return (await statOf(path)) !== undefined
}

/** Something is there, be it a link to nothing. */
export async function lexists(path: string): Promise<boolean> {
  return (await lstatOf(path)) !== undefined
}

/** A directory is there, behind links. */
export async function isDirectory(path: string): Promise<boolean> {
  return (await statOf(path))?.isDirectory() ?? false
}

/** A regular file is there, behind links. */
export async function isRegularFile(path: string): Promise<boolean> {
  return (await statOf(path))?.isFile() ?? false
}

/** A symbolic link is there. */
export async function isLink(path: string): Promise<boolean> {
  return (await lstatOf(path))?.isSymbolicLink() ?? false
}

/** Python's `os.access`: this process may do what the mode (`constants.R_OK` …) says with what is there. */
export function mayAccess(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}

/** What is at a path; undefined where nothing is, or nothing that may be seen. */
export async function statOf(path: string) {
  return quiet(stat(path))
}

/** The same without following a last link. */
export async function lstatOf(path: string) {
  return quiet(lstat(path))
}

async function quiet<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG')) return undefined
    throw error
  }
}

/** `os.path.realpath`: links followed as far as there is something, the rest kept. */
export async function realPath(path: string): Promise<string> {
  const absolute = posix.resolve(path)
  try {
    return await realpath(absolute)
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) throw error
  }
  if (absolute === '/') return absolute
  const parent = await realPath(posix.dirname(absolute))
  const here = joinPath(parent, posix.basename(absolute))
  const target = (await isLink(here)) ? await readlink(here) : undefined
  return target === undefined || isErrnoLoop(target, here) ? here : realPath(joinPath(parent, target))
}

/** A link to itself ends there. */
const isErrnoLoop = (target: string, here: string): boolean => posix.resolve(posix.dirname(here), target) === here

/** `os.path.join`: an absolute part begins anew. */
export function joinPath(first: string, ...parts: readonly string[]): string {
  return parts.reduce((path, part) => {
    if (part.startsWith('/')) return part
    return path === '' || path.endsWith('/') ? path + part : `${path}/${part}`
  }, first)
}

/** `os.path.normpath`. */
export function normalPath(path: string): string {
  if (path === '') return '.'
  const plain = posix.normalize(path)
  const trimmed = plain.length > 1 ? plain.replace(/\/$/, '') : plain
  return /^\/\/(?!\/)/.test(path) ? `/${trimmed}` : trimmed
}

/** `os.path.split`: what is before the last slash, without slashes at its end, and what is after it. */
export function splitPath(path: string): [head: string, tail: string] {
  const at = path.lastIndexOf('/') + 1
  const head = path.slice(0, at)
  return [/^\/*$/.test(head) ? head : head.replace(/\/+$/, ''), path.slice(at)]
}

/** `os.path.dirname`. */
export const directoryName = (path: string): string => splitPath(path)[0]

/** `os.path.basename`: empty after a slash. */
export const baseName = (path: string): string => splitPath(path)[1]

/** Python's `glob.glob` without `**`: names that begin with a dot need a pattern that does. Sorted. */
export async function globPaths(pattern: string): Promise<string[]> {
  if (!/[*?[]/.test(pattern)) return (await lexists(pattern)) ? [pattern] : []
  const [head, tail] = splitPath(pattern)
  const directories = head === '' ? ['.'] : /[*?[]/.test(head) ? await globPaths(head) : [head]
  const found: string[] = []
  const matches = tagGlob(tail)
  for (const directory of directories) {
    for (const name of await namesIn(directory)) {
      if (name.startsWith('.') && !tail.startsWith('.')) continue
      if (matches(name)) found.push(head === '' ? name : joinPath(directory, name))
    }
  }
  return found.sort()
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return []
    throw error
  }
}

/** One directory of a walk: its path, the names of its directories and of everything else. */
export interface WalkStep {
  readonly root: string
  readonly dirs: readonly string[]
  readonly files: readonly string[]
}

/** `os.walk` without following links: a directory before what is in it, names sorted. What may not be read is left out. */
export async function walk(top: string, maxDepth = Number.POSITIVE_INFINITY): Promise<WalkStep[]> {
  if (maxDepth <= 0) return []
  const dirs: string[] = []
  const files: string[] = []
  for (const name of (await namesIn(top)).sort()) {
    if (await isDirectory(joinPath(top, name))) dirs.push(name)
    else files.push(name)
  }
  const steps: WalkStep[] = [{ root: top, dirs, files }]
  for (const name of dirs) {
    const path = joinPath(top, name)
    if (!(await isLink(path))) steps.push(...(await walk(path, maxDepth - 1)))
  }
  return steps
}
