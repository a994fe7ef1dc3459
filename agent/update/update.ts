// A newer agent in the place of this one: checked, put there, and confirmed by its first start that reaches the master.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { BrineError, messageOf } from '../../core/error.ts'
import { isMapping, type Mapping, parseJson, stringifyJson } from '../../core/value/index.ts'
import { isErrno } from '../filesystem/os-error.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { saveConfig } from '../saved-config.ts'

/** What to install. */
export interface NewAgent {
  /** The file, which may be anybody's yet. */
  readonly path: string
  /** Its SHA-256, hex, from whoever may say so. */
  readonly hash: string
  /** Which version runs now. */
  readonly from: string
  /** Where the launcher looks: `BRINE_AGENT_DIR`. */
  readonly home: string
}

/** How an update ended, for the master. */
export interface UpdateOutcome {
  readonly tag: 'updated' | 'update-failed'
  readonly data: Mapping
}

/**
 * Puts the agent in its place for the next start, on trial. Answers its version. Throws a BrineError `update`, and changes
 * nothing, where the hash is another, it does not start, or one is on trial already.
 */
export async function installAgent({ path, hash, from, home }: NewAgent): Promise<string> {
  if (await readTextIfThere(join(home, 'trial.json')))
    throw refused('an update is on trial already: wait for it to reach the master, or to be taken back')
  const bytes = await readFile(path)
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== hash.toLowerCase()) throw refused(`its SHA-256 is ${found}, not ${hash}`)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const next = join(home, 'next.mjs')
  await writeProgram(next, bytes)
  const version = await versionOf(next)
  const current = join(home, 'current.mjs')
  await copyFile(current, join(home, 'previous.mjs')).catch(unlessAbsent)
  await rm(join(home, 'tries'), { force: true })
  // First that it is on trial, then that it is there: whatever a crash leaves is a whole agent that can be taken back.
  await saveConfig(join(home, 'trial.json'), stringifyJson({ from, to: version, hash: found }))
  await rename(next, current)
  return version
}

/** To be called once the master has been reached: ends a trial well, or tells of one that did not. Once an update. */
export async function updateOutcome(home: string): Promise<UpdateOutcome | undefined> {
  for (const [name, tag] of [
    ['trial.json', 'updated'],
    ['failed.json', 'update-failed'],
  ] as const) {
    const text = await readTextIfThere(join(home, name))
    if (text === undefined || text === '') continue
    for (const file of [name, 'tries', 'trial.pid']) await rm(join(home, file), { force: true })
    const data = parseJson(text)
    return { tag, data: isMapping(data) ? data : {} }
  }
  return undefined
}

async function writeProgram(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o700)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function versionOf(path: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [path, '--version'], { timeout: 30_000 })
    const version = /^brine-minion (\S+)\s*$/.exec(stdout)?.[1]
    if (version !== undefined) return version
    throw new Error(`it says ${JSON.stringify(stdout.slice(0, 100))} to --version`)
  } catch (error) {
    throw refused(`it does not start: ${messageOf(error)}`)
  }
}

function unlessAbsent(error: unknown): void {
  if (!isErrno(error, 'ENOENT')) throw error
}

function refused(why: string): BrineError {
  return new BrineError(`The agent is not installed: ${why}.`, { code: 'update' })
}
