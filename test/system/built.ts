// Sees to it that dist/ holds the programs built from the sources as they are.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitFor } from './wait.ts'

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const LOCK = join(ROOT, 'node_modules/.brine-build')

function newest(folder: string): number {
  let time = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || ['node_modules', 'dist', 'cdk.out', 'test', 'bench', 'docs'].includes(entry.name))
      continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) time = Math.max(time, newest(path))
    else if (/(?<!\.test)\.(ts|tsx)$|^build\.mjs$|^package\.json$/.test(entry.name))
      time = Math.max(time, statSync(path).mtimeMs)
  }
  return time
}

/** True where dist/ is as new as every source. */
function isCurrent(): boolean {
  const built = join(ROOT, 'dist/brine-master.mjs')
  return existsSync(built) && statSync(built).mtimeMs >= newest(ROOT)
}

/** Builds dist/ where a source is newer. Test files that run at once take turns; one builds. */
export async function ensureBuilt(): Promise<void> {
  if (isCurrent()) return
  await waitFor(`the build that holds ${LOCK}`, () => takeLock(), 120_000)
  try {
    if (isCurrent()) return
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs'), '--no-types'], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`the build failed:\n${stderr}`)
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
}

/** True where the lock is ours now. One older than two minutes was left behind by a process that died. */
function takeLock(): true | undefined {
  try {
    mkdirSync(LOCK)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const made = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs
    if (made !== undefined && Date.now() - made > 120_000) rmSync(LOCK, { recursive: true, force: true })
    return undefined
  }
}

/** The path of one of our programs. */
export function programPath(name: string): string {
  return join(ROOT, 'dist', `${name}.mjs`)
}
