// Opens the LMDB environment of a data directory: one process, a known schema, group commit.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { BrineError, messageOf } from '../../../core/error.ts'
import { CommitQueue } from './commit-queue.ts'
import { lockDirectory } from './process-lock.ts'
import { Table, TextBuffer } from './table.ts'

/** The store's schema. A change to any record raises it and adds a {@link Migration}. */
const SCHEMA = 2

/** The environment's folder below the data directory. */
export const storeName = 'store'

/** Rewrites a store of schema `from` into one of `from + 1`, inside a transaction. */
export interface Migration {
  readonly from: number
  run(table: (name: string) => Table): void
}

const MIGRATIONS: readonly Migration[] = [
  // Since 2 the bulk of a large record may stand in a table of its own; records of before are read as they are.
  { from: 1, run: () => undefined },
]

/** How {@link openStore} may be told otherwise by tests. */
export interface OpenStoreOptions {
  readonly schema?: number
  readonly migrations?: readonly Migration[]
}

/**
 * The open environment that all tables live in.
 *
 * INVARIANTS
 * - one process has it open; a second one is refused.
 * - its schema is the one this program knows: older ones were migrated before anything else read them.
 * - every write goes through `commits`, so nothing is acknowledged before it is flushed.
 */
export class OpenStore {
  readonly directory: string
  /** Tells this store's cursors from another's; stays for the store's life. */
  readonly id: string
  /** New at every start: leases of other boots are void. */
  readonly boot: string = randomBytes(9).toString('base64url')
  readonly commits: CommitQueue
  readonly root: RootDatabase
  readonly #release: () => void
  readonly #buffer = new TextBuffer()

  constructor(directory: string, id: string, root: RootDatabase, release: () => void) {
    this.directory = directory
    this.id = id
    this.root = root
    this.commits = new CommitQueue(root, directory)
    this.#release = release
  }

  table(name: string): Table {
    return new Table(this.root, name, this.#buffer)
  }

  /** Waits for what is being written, then lets go of the directory. */
  async close(): Promise<void> {
    await this.commits.close()
    await this.root.close()
    this.#release()
  }
}

/**
 * Opens the store under `directory`, making it where there is none. Throws BrineErrors: `store-locked` (another process has
 * it), `store-newer` (a later version of the program wrote it), `store-open` (anything the disk says).
 */
export async function openStore(directory: string, options: OpenStoreOptions = {}): Promise<OpenStore> {
  makeDirectory(directory)
  const lock = await lockDirectory(directory)
  try {
    const root = openEnvironment(join(directory, storeName))
    try {
      const id = prepare(root, directory, options.schema ?? SCHEMA, options.migrations ?? MIGRATIONS)
      return new OpenStore(directory, id, root, () => lock.release())
    } catch (error) {
      await root.close()
      throw error
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function makeDirectory(directory: string): void {
  try {
    if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(directory, 0o700)
  } catch (cause) {
    throw new BrineError(
      `The data directory ${directory} cannot be made: ${messageOf(cause)}. Choose one this user may write to.`,
      { code: 'store-open', cause },
    )
  }
}

function openEnvironment(path: string): RootDatabase {
  try {
    // Batching by event turn makes lmdb reject a promise that nobody holds when a commit fails; the commit queue batches.
    return open({ path, noSubdir: false, maxDbs: 64, encoding: 'string', eventTurnBatching: false })
  } catch (cause) {
    throw new BrineError(
      `The store ${path} cannot be opened: ${messageOf(cause)}. Check its permissions, or restore a backup.`,
      { code: 'store-open', cause },
    )
  }
}

/** Checks and raises the schema, and answers the store's id. */
function prepare(root: RootDatabase, directory: string, schema: number, migrations: readonly Migration[]): string {
  const buffer = new TextBuffer()
  const table = (name: string): Table => new Table(root, name, buffer)
  const meta = table('meta')
  const found = meta.get('schema')
  const from = found === undefined ? schema : Number(found)
  if (from > schema) {
    throw new BrineError(
      `The store in ${directory} has schema ${from}, and this program knows ${schema}. Run the newer program, or restore a backup.`,
      { code: 'store-newer' },
    )
  }
  const steps = stepsBetween(from, schema, migrations, directory)
  return root.transactionSync(() => {
    for (const step of steps) step.run(table)
    if (found !== String(schema)) meta.put('schema', String(schema))
    const known = meta.get('id')
    if (known !== undefined) return known
    const id = randomBytes(6).toString('hex')
    meta.put('id', id)
    return id
  })
}

function stepsBetween(from: number, to: number, migrations: readonly Migration[], directory: string): Migration[] {
  const steps: Migration[] = []
  for (let schema = from; schema < to; schema++) {
    const step = migrations.find((each) => each.from === schema)
    if (step === undefined) {
      throw new BrineError(
        `The store in ${directory} has schema ${from}, which this program can no longer read. Run the version before it once.`,
        { code: 'store-older' },
      )
    }
    steps.push(step)
  }
  return steps
}
