// Files of requirements: fetched from the master, and copied where another user is to read them.
import { chown, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pythonStr, type Value } from '../../../core/value/index.ts'
import { CommandExecutionError, PythonError } from '../errors.ts'
import type { Call } from '../module.ts'
import { accountByName } from '../users.ts'
import type { Place } from './run.ts'

/** Files that pip can read, or the one that is not there. */
export type Requirements =
  | {
      readonly kind: 'found'
      readonly paths: readonly string[]
      readonly cwd: string | undefined
      remove(): Promise<void>
    }
  | { readonly kind: 'missing'; readonly name: string }

/** Makes them ready. @param given a path or several, in a list or between commas */
export async function requirementsOf(given: Value, saltenv: Value, place: Place, call: Call): Promise<Requirements> {
  const names = namesOf(given)
  const paths: string[] = []
  for (const name of names) {
    const path = name.startsWith('salt://') ? await call.salt('cp.cache_file', [name, saltenv]) : name
    if (typeof path !== 'string' || path === '') return { kind: 'missing', name }
    paths.push(path)
  }
  if (place.user === undefined || paths.length === 0)
    return { kind: 'found', paths, cwd: place.cwd, remove: async () => undefined }
  const folder = await mkdtemp(join(tmpdir(), 'brine-pip-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const base = place.cwd ?? dirname(resolve(paths[0] ?? ''))
    const copies = []
    for (const path of paths) copies.push(await copied(resolve(base, path), folder, place.user))
    return { kind: 'found', paths: copies, cwd: base, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

function namesOf(given: Value): string[] {
  if (given === null || given === '') return []
  if (Array.isArray(given)) return given.map(pythonStr)
  if (typeof given !== 'string') throw new PythonError('TypeError', 'requirements must be a string or list')
  return given.split(',').map((name) => name.trim())
}

/** Copies a file and those it names (`-r other.txt`) into a folder of the user's. Returns where the copy is. */
async function copied(file: string, folder: string, user: string): Promise<string> {
  const account = await accountByName(user)
  if (account === undefined) throw new CommandExecutionError(`User '${user}' is not available`)
  const base = dirname(file)
  const own = (path: string) => chown(path, account.uid, account.gid)
  await own(folder)
  for (const path of await chainOf(file)) {
    const inside = relative(base, path)
    const target = join(folder, inside.startsWith('..') ? basename(path) : inside)
    await mkdir(dirname(target), { recursive: true })
    if (dirname(target) !== folder) await own(dirname(target))
    await copyFile(path, target)
    await own(target)
  }
  return join(folder, basename(file))
}

async function chainOf(file: string, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(file)) return []
  seen.add(file)
  const text = (await readFile(file, 'utf8')).replace(/(?:^|\s+)#.*$/gm, '')
  const chain = [file]
  for (const [, name = ''] of text.matchAll(/(?:^|\s)(?:-r\s+|--requirement[=\s])(\S+)/gm))
    chain.push(...(await chainOf(resolve(dirname(file), name), seen)))
  return chain
}
