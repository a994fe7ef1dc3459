// Payloads too large for a record: a file each, named by its hash.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { BrineError } from '../../../core/error.ts'
import { secondsBefore, sweepStep } from './retention.ts'

const HASH = /^[0-9a-f]{64}$/

/**
 * Files `<first two digits>/<SHA-256>` below the directory.
 *
 * INVARIANTS
 * - a file under its name is whole and durable: it is written beside, flushed, and renamed.
 * - content answers to its hash.
 * - a payload is kept for the retention after it was last put.
 */
export class PayloadStore {
  readonly #directory: string
  readonly #keepSeconds: number

  constructor(directory: string, keepSeconds: number) {
    this.#directory = directory
    this.#keepSeconds = keepSeconds
  }

  async put(hash: string, bytes: Uint8Array): Promise<void> {
    const actual = createHash('sha256').update(bytes).digest('hex')
    if (actual !== hash) {
      throw new BrineError(`The payload's hash is ${actual}, not ${hash}. Send the bytes the hash was made from.`, {
        code: 'payload-hash',
      })
    }
    const folder = join(this.#directory, hash.slice(0, 2))
    const path = join(folder, hash)
    if (await touched(path)) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = `${path}.${randomUUID()}`
    try {
      await writeDurably(draft, bytes)
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    await sync(folder)
    await sync(this.#directory)
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    if (!HASH.test(hash)) return undefined
    try {
      return await readFile(join(this.#directory, hash.slice(0, 2), hash))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  /** Removes payloads older than the retention, and drafts that a killed process left, at most one step. */
  async sweep(now: number): Promise<number> {
    const before = secondsBefore(now, this.#keepSeconds) / 1000
    let removed = 0
    for (const folder of await namesIn(this.#directory)) {
      for (const name of await namesIn(join(this.#directory, folder))) {
        const path = join(this.#directory, folder, name)
        if ((await changedAt(path)) >= before) continue
        await rm(path, { force: true })
        if (++removed >= sweepStep) return removed
      }
    }
    return removed
  }
}

async function touched(path: string): Promise<boolean> {
  try {
    await utimes(path, new Date(), new Date())
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  await closing(file, async () => {
    await file.writeFile(bytes)
    await file.sync()
  })
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  await closing(handle, () => handle.sync())
}

async function closing(file: FileHandle, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    await file.close()
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function changedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if (isMissing(error)) return Number.POSITIVE_INFINITY
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
