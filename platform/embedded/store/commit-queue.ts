// Group commit: concurrent writes share one LMDB transaction and one flush.
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RootDatabase } from 'lmdb'
import { BrineError, messageOf } from '../../../core/error.ts'
import type { WriteOrder } from '../../../master/ports.ts'

interface Write {
  readonly work: () => unknown
  readonly committed: ((value: never) => void) | undefined
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  /** The writes that are made together with it, in order; undefined where it stands alone. */
  readonly group: Group | undefined
  value: unknown
  failure: BrineError | undefined
}

interface Group {
  /** Of the first of them that was refused. */
  failure: BrineError | undefined
}

/** Milliseconds between a transaction that failed and the next, so that a full disk is not written at in a loop. */
const PAUSE = 50
/** Less free space than this is a full disk: a transaction of many writes needs as much. */
const LITTLE = 1_000_000

/**
 * Runs writes in batches: all that is waiting when a transaction begins goes into it, in order of arrival.
 *
 * INVARIANTS
 * - a write's promise resolves only after its transaction is flushed to disk; a transaction that fails rejects all its
 *   writes, and nothing of it is stored.
 * - one transaction at a time: a write sees all that earlier ones wrote, and none of it can be taken back.
 * - a write that throws a BrineError must not have written yet; it alone fails. Any other error undoes the whole batch, and
 *   its writes are tried again one by one, so that one bad write fails no other.
 * - `committed` callbacks run in order of arrival, before any promise of the batch resolves.
 * - writes of one `inOrder` that begin at once are in one transaction; after one that was refused none of them is made.
 *
 * lmdb resolves an asynchronous transaction when its flush is over as well, so there is no earlier moment to tell of, and
 * beginning the next one during the flush only makes smaller batches (measured: no shorter wait, half the throughput).
 */
export class CommitQueue implements WriteOrder {
  readonly #root: RootDatabase
  readonly #directory: string
  readonly #beforeCommit: (() => void)[] = []
  #waiting: Write[] = []
  #alone: Write[] = []
  /** The group that writes of this turn belong to. */
  #group: Group | undefined
  /** Writes so far. */
  #made = 0
  #running = false
  #closed = false

  constructor(root: RootDatabase, directory: string) {
    this.#root = root
    this.#directory = directory
  }

  /** Runs `work` inside a transaction; resolves with its value when that is durable. `work` runs again where the batch is retried. */
  write<T>(work: () => T, committed?: (value: T) => void): Promise<T> {
    if (this.#closed) return Promise.reject(closed())
    return new Promise((resolve, reject) => {
      const group = this.#group
      this.#waiting.push({ work, committed, resolve, reject, group, value: undefined, failure: undefined })
      this.#made++
      if (!this.#running) this.#start()
    })
  }

  /** One flush for all of them, where each begins with its write. */
  async inOrder(...writes: readonly (() => Promise<unknown>)[]): Promise<void> {
    let group: Group = { failure: undefined }
    let begun: Promise<unknown>[] = []
    for (const write of writes) {
      const before = this.#made
      begun.push(this.#within(group, write))
      if (this.#made > before) continue
      // It does something else first, so that its write will not be in this turn's transaction.
      await Promise.all(begun)
      group = { failure: undefined }
      begun = []
    }
    await Promise.all(begun)
  }

  #within(group: Group, write: () => Promise<unknown>): Promise<unknown> {
    this.#group = group
    try {
      return write()
    } finally {
      this.#group = undefined
    }
  }

  /** Adds work that joins every transaction, last; it makes none of its own. */
  beforeCommit(work: () => void): void {
    this.#beforeCommit.push(work)
  }

  /** Refuses further writes and waits for those that were made. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#running) await new Promise((resolve) => setImmediate(resolve))
  }

  #start(): void {
    this.#running = true
    void this.#run().finally(() => {
      this.#running = false
      if (this.#waiting.length + this.#alone.length > 0) this.#start()
    })
  }

  async #run(): Promise<void> {
    let batch: Write[] = []
    let undone = false
    try {
      await this.#root.childTransaction(() => {
        batch = this.#take()
        undone = true
        for (const write of batch) perform(write)
        for (const work of this.#beforeCommit) work()
        undone = false
      })
      await this.#root.flushed
    } catch (error) {
      if (batch.length === 0) batch = this.#take()
      if (undone && isDivisible(batch)) this.#alone.push(...batch)
      else {
        fail(batch, await failureOf(error, this.#directory))
        await sleep(PAUSE)
      }
      return
    }
    for (const write of batch) if (write.failure === undefined) write.committed?.(write.value as never)
    for (const write of batch) {
      if (write.failure === undefined) write.resolve(write.value as never)
      else write.reject(write.failure)
    }
  }

  #take(): Write[] {
    const [first] = this.#alone
    if (first === undefined) return this.#waiting.splice(0)
    const other = first.group === undefined ? 1 : this.#alone.findIndex(({ group }) => group !== first.group)
    return this.#alone.splice(0, other < 0 ? this.#alone.length : other)
  }
}

/** Whether parts of it may be stored without the others. */
function isDivisible([first, ...others]: readonly Write[]): boolean {
  return others.some(({ group }) => group === undefined || group !== first?.group)
}

function perform(write: Write): void {
  write.failure = write.group?.failure
  if (write.failure !== undefined) return
  try {
    write.value = write.work()
  } catch (error) {
    if (!(error instanceof BrineError)) throw error
    write.failure = error
    if (write.group !== undefined) write.group.failure = error
  }
}

function fail(batch: readonly Write[], error: BrineError): void {
  for (const write of batch) write.reject(error)
}

/** LMDB's error as one to act on. A full disk shows as a short write, so the free space is looked at as well. */
async function failureOf(error: unknown, directory: string): Promise<BrineError> {
  const reason = await commitError(error)
  const text = messageOf(reason)
  const free = await freeBytes(directory)
  if (/no space|ENOSPC|MDB_MAP_FULL|disk quota/i.test(text) || (free !== undefined && free < LITTLE)) {
    return new BrineError(
      `The disk of the data directory ${directory} is full (${text}; ${free ?? 'unknown'} bytes are free). Nothing was stored; free some space, the next write is tried as usual.`,
      { code: 'disk-full', cause: reason },
    )
  }
  return new BrineError(
    `The store in ${directory} could not write: ${text}. Nothing was stored; check the disk and the permissions of the data directory.`,
    { code: 'store-write', cause: reason },
  )
}

async function freeBytes(directory: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** lmdb gives the reason of a failed commit as a promise that rejects with it. */
async function commitError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error
  try {
    await error.commitError
    return error
  } catch (reason) {
    return reason
  }
}

function closed(): BrineError {
  return new BrineError('The store is closed, so nothing can be written. Start the master again.', {
    code: 'store-closed',
  })
}
