// Which state runs are under way on this machine, in this process and in others: one at a time, unless asked otherwise.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMapping, type Mapping, pythonStr } from '../../core/value/index.ts'
import { parseJson, stringifyJson } from '../../core/value/json.ts'
import { isErrno } from '../filesystem/os-error.ts'
import { isAlive } from '../process-id.ts'

/** A run as others see it. */
export interface StateRun {
  readonly fun: string
  readonly jid: string
  readonly pid: number
  /** It waits for others to end. */
  readonly queued: boolean
}

/** What came of asking for a turn: the runs that are in the way, or how to end it. */
export type StateTurn =
  | { readonly kind: 'begun'; readonly end: () => void }
  | { readonly kind: 'conflict'; readonly others: readonly StateRun[] }

/** Milliseconds between two looks at those in front. */
const patience = 200

/**
 * A file for each run, in a folder that the minion and `brine-call` share.
 *
 * INVARIANTS
 * - of two runs that ask at the same time at most one begins; those that wait begin in the order of their jids.
 * - a file whose process is gone counts for nothing and is removed.
 */
export class StateRuns {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The runs there are, but for that of `jid`. */
  others(jid?: string): StateRun[] {
    return this.#read().filter((run) => run.jid !== jid)
  }

  /** `queue`: wait for the others, if they are fewer than this; 0 for no waiting. Rejects where the signal ends. */
  async begin(fun: string, jid: string, queue: number, signal: AbortSignal): Promise<StateTurn> {
    const path = join(this.#folder, `${jid}.json`)
    const mine = { fun, jid, pid: process.pid }
    const end = (): void => rmSync(path, { force: true })
    const first = this.#locked(() => {
      const others = this.others(jid)
      if (others.length > 0 && others.length >= queue) return others
      writeRun(path, { ...mine, queued: others.length > 0 })
      return others.length > 0 ? 'wait' : 'begun'
    })
    if (first === 'begun') return { kind: 'begun', end }
    if (first !== 'wait') return { kind: 'conflict', others: first }
    try {
      while (!this.#locked(() => this.#advance(path, mine))) await sleep(patience, undefined, { signal })
      return { kind: 'begun', end }
    } catch (error) {
      end()
      throw error
    }
  }

  #advance(path: string, mine: Omit<StateRun, 'queued'>): boolean {
    const isFree = this.others(mine.jid).every((other) => other.queued && other.jid > mine.jid)
    if (isFree) writeRun(path, { ...mine, queued: false })
    return isFree
  }

  #read(): StateRun[] {
    const runs: StateRun[] = []
    for (const name of namesIn(this.#folder)) {
      if (!name.endsWith('.json')) continue
      const run = runIn(join(this.#folder, name))
      if (run !== undefined && isAlive(run.pid)) runs.push(run)
      else if (run !== undefined) rmSync(join(this.#folder, name), { force: true })
    }
    return runs
  }

  /** Synchronous, so that nothing of this process comes in between; a lock file keeps others out. */
  #locked<T>(work: () => T): T {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const lock = join(this.#folder, '.lock')
    const still = new Int32Array(new SharedArrayBuffer(4))
    for (let round = 0; ; round++) {
      try {
        writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 })
        break
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
        const owner = Number(textIn(lock) || process.pid)
        // It is held for a few file operations only: whoever died with it left it behind.
        if (round > 400 || !isAlive(owner)) rmSync(lock, { force: true })
        Atomics.wait(still, 0, 0, 5)
      }
    }
    try {
      return work()
    } finally {
      rmSync(lock, { force: true })
    }
  }
}

function writeRun(path: string, run: StateRun): void {
  writeFileSync(path, stringifyJson({ ...run } satisfies Mapping), { mode: 0o600 })
}

function runIn(path: string): StateRun | undefined {
  const text = textIn(path)
  if (text === '') return undefined
  const value = parseJson(text)
  if (!isMapping(value)) return undefined
  const { fun = '', jid = '', pid = 0, queued = false } = value
  return { fun: pythonStr(fun), jid: pythonStr(jid), pid: Number(pid), queued: queued === true }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return ''
    throw error
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}
