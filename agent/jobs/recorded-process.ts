// Programs that outlive the agent: each leaves its output and code in a directory, where the next agent finds them.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Jid } from '../../core/event/event.ts'
import { pause } from '../connection/backoff.ts'
import {
  type ProcessRequest,
  type ProcessResult,
  type ProcessRunner,
  readOutput,
  runProcess,
} from '../modules/process.ts'
import { isAlive } from '../process-id.ts'

/** The directories of the programs that jobs run, `<jid>/<number>`. */
export class ProcessRecords {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** A runner for one job, whose programs leave records until `forget`. */
  recorder(jid: Jid): ProcessRunner {
    let count = 0
    return { run: (request) => runProcess({ ...request, record: join(this.#root, jid, String(count++)) }) }
  }

  /**
   * A runner that answers with what a job's first program left, waiting for it while it still runs. undefined where none
   * was started. A second program is not started: what was cut off in between is not gone on with.
   */
  async resume(jid: Jid, signal: AbortSignal): Promise<ProcessRunner | undefined> {
    const record = join(this.#root, jid, '0')
    const ended = await outcomeOf(record, signal)
    if (ended === undefined) return undefined
    let given = false
    return {
      async run(request: ProcessRequest): Promise<ProcessResult> {
        if (given || request.background === true) return { kind: 'not-started', message: 'the minion was restarted' }
        given = true
        return ended
      },
    }
  }

  async forget(jid: Jid): Promise<void> {
    await rm(join(this.#root, jid), { recursive: true, force: true })
  }

  /** Forgets all jobs but these. */
  async keepOnly(jids: readonly Jid[]): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.#root)) if (!jids.includes(name)) await this.forget(name)
  }
}

/** How long a program that was started as the agent died may take to say its process id. */
const birth = 500

async function outcomeOf(record: string, signal: AbortSignal): Promise<ProcessResult | undefined> {
  if (!(await exists(record))) return undefined
  for (let waited = 0; !signal.aborted; waited += 100) {
    // The process first: were it the code first, a program that ends in between would seem lost.
    const pid = Number((await textOf(join(record, 'pid'))).trim())
    const runs = pid > 0 ? await isStill(pid, record) : waited < birth
    const code = /^(\d+)\n$/.exec(await textOf(join(record, 'code')))?.[1]
    if (code !== undefined) return { kind: 'ended', pid, retcode: Number(code), ...(await readOutput(record)) }
    if (!runs) return undefined
    await pause(100, signal)
  }
  return undefined
}

/** Whether that process is the one that writes this record: numbers are used again. */
async function isStill(pid: number, record: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  return process.platform !== 'linux' || (await textOf(`/proc/${pid}/cmdline`)).split('\0').includes(record)
}

async function exists(path: string): Promise<boolean> {
  try {
    await readdir(path)
    return true
  } catch {
    return false
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return ''
  }
}
