// The user's own code: `_modules`, `_states`, `_grains` and `_beacons` of the master's files, copied to where it is loaded from.
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FileClient } from './client.ts'
import { hashOfFile } from './hash.ts'

/** The kinds of code that a user can write. */
export const customKinds = ['modules', 'states', 'grains', 'beacons'] as const

/** One of {@link customKinds}. */
export type CustomKind = (typeof customKinds)[number]

/** What to sync. */
export interface SyncRequest {
  readonly kinds: readonly CustomKind[]
  /** The later one wins where two have the same file. */
  readonly saltenvs: readonly string[]
  /** Whether a name of a kind is wanted. */
  readonly wants: (kind: CustomKind, name: string) => boolean
}

/** What came of it: `modules.name` of what is new or changed, and the Python files nothing stands beside. */
export interface Synced {
  readonly changed: readonly string[]
  readonly refused: readonly string[]
  /** Something is new, changed or gone. */
  readonly touched: boolean
}

/** Copies what is new or changed and removes what is no longer there. */
export async function syncModules(files: FileClient, folder: string, request: SyncRequest): Promise<Synced> {
  const changed: string[] = []
  const refused: string[] = []
  let touched = false
  const lists = await Promise.all(request.saltenvs.map(async (env) => ({ env, paths: await pathsOf(files, env) })))
  for (const kind of request.kinds) {
    const wanted = new Map<string, string>()
    const python = new Set<string>()
    for (const { env, paths } of lists) {
      for (const path of paths) {
        const file = new RegExp(`^_${kind}/([^/]+)$`).exec(path)?.[1] ?? ''
        if (file.endsWith('.py') && !file.startsWith('_')) python.add(file.slice(0, -3))
        if (file.endsWith('.mjs') && request.wants(kind, file.slice(0, -4))) wanted.set(file, env)
      }
    }
    for (const name of python) if (!wanted.has(`${name}.mjs`)) refused.push(refusal(kind, name))
    const target = join(folder, kind)
    await mkdir(target, { recursive: true, mode: 0o700 })
    for (const [file, env] of wanted) {
      if (await replace(files, `salt://_${kind}/${file}`, env, join(target, file)))
        changed.push(`${kind}.${basename(file, '.mjs')}`)
    }
    for (const file of await readdir(target)) {
      if (wanted.has(file)) continue
      await rm(join(target, file), { recursive: true, force: true })
      touched = true
    }
  }
  return { changed, refused, touched: touched || changed.length > 0 }
}

async function pathsOf(files: FileClient, env: string): Promise<string[]> {
  return (await files.list(env)).map(({ path }) => path)
}

/** True where the copy was another one, or none. */
async function replace(files: FileClient, url: string, env: string, to: string): Promise<boolean> {
  const local = await files.cache(url, env)
  if (local === undefined) return false
  const there = await hashOfFile(to, 'sha256').catch(() => undefined)
  if (there === (await hashOfFile(local, 'sha256'))) return false
  const temporary = `${to}.new`
  await copyFile(local, temporary)
  await rename(temporary, to)
  return true
}

/** What a file of each kind exports. */
const shapes: Readonly<Record<CustomKind, string>> = {
  modules: 'export function my_function({ salt, grains, pillar, opts }, …args)',
  states: 'export function my_state({ salt, grains, pillar, opts, test }, { name, …args })',
  grains: 'export function my_grains()',
  beacons: 'export function beacon({ salt, context, grains, pillar, opts }, config)',
}

function refusal(kind: CustomKind, name: string): string {
  return `salt://_${kind}/${name}.py is Python, which this minion does not run. Write it in JavaScript as _${kind}/${name}.mjs: ${shapes[kind]}.`
}
