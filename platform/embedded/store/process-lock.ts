// One process a data directory: a lock file that names its holder and is taken over when the holder is dead.
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BrineError } from '../../../core/error.ts'

interface Holder {
  readonly pid: number
  /** What tells this process from a later one with the same pid: the machine's boot and the process's start. */
  readonly born: string
  readonly nonce: string
}

/** A lock that is held; `release` lets go of it, and does nothing where somebody took it over. */
export interface ProcessLock {
  release(): void
}

const SETTLE = 50

/**
 * Takes the directory's lock, or refuses with a BrineError `store-locked` that names the holder's pid. A lock whose holder
 * is dead (by pid, start time and boot of the machine) is taken over. Works within one pid namespace: two containers
 * on one volume do not see each other's processes.
 */
export async function lockDirectory(directory: string): Promise<ProcessLock> {
  const path = join(directory, 'brine.lock')
  const mine: Holder = { pid: process.pid, born: birthOf(process.pid) ?? '', nonce: randomUUID() }
  const text = JSON.stringify(mine)
  if (!create(path, text)) {
    refuseIfAlive(path, directory)
    const draft = `${path}.${mine.nonce}`
    writeFileSync(draft, text, { mode: 0o600 })
    refuseIfAlive(path, directory, draft)
    renameSync(draft, path)
    // Who takes over at the same moment renames too; after a while only the last one finds its own name.
    await sleep(SETTLE)
    if (read(path)?.nonce !== mine.nonce) throw locked(directory, read(path)?.pid)
  }
  return {
    release: () => {
      if (read(path)?.nonce === mine.nonce) rmSync(path, { force: true })
    },
  }
}

function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function refuseIfAlive(path: string, directory: string, draft?: string): void {
  const holder = read(path)
  if (holder === undefined || !isAlive(holder)) return
  if (draft !== undefined) rmSync(draft, { force: true })
  throw locked(directory, holder.pid)
}

/** Undefined where there is no lock, or one that was cut off while it was written. */
function read(path: string): Holder | undefined {
  if (!existsSync(path)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null) return undefined
    const { pid, born, nonce } = value as Record<string, unknown>
    if (typeof pid !== 'number' || typeof born !== 'string' || typeof nonce !== 'string') return undefined
    return { pid, born, nonce }
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}

function isAlive(holder: Holder): boolean {
  const born = birthOf(holder.pid)
  if (born !== undefined) return born === holder.born
  if (existsSync('/proc/self/stat')) return false
  try {
    process.kill(holder.pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Boot id and start time (clock ticks since boot) of a process; undefined where it is gone or /proc does not say. */
function birthOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19] ?? ''}`
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function locked(directory: string, pid: number | undefined): BrineError {
  const who = pid === process.pid ? `this process (pid ${pid})` : `process ${pid ?? 'unknown'}`
  return new BrineError(
    `The data directory ${directory} is in use by ${who}. Stop that process, or give this one another data directory.`,
    { code: 'store-locked' },
  )
}
