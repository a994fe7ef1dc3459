// A store in a directory of its own, for tests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenStore, openStore } from './open-store.ts'

/** A store that can be closed and opened again, and taken away with all its files. */
export interface TemporaryStore {
  readonly directory: string
  /** The store; another one after `reopen`. */
  store: OpenStore
  reopen(): Promise<OpenStore>
  remove(): Promise<void>
}

/** Opens a store in the machine's temporary directory. */
export async function temporaryStore(): Promise<TemporaryStore> {
  const directory = mkdtempSync(join(tmpdir(), 'brine-store-'))
  const temporary: TemporaryStore = {
    directory,
    store: await openStore(directory),
    reopen: async () => {
      await temporary.store.close()
      temporary.store = await openStore(directory)
      return temporary.store
    },
    remove: async () => {
      await temporary.store.close()
      rmSync(directory, { recursive: true })
    },
  }
  return temporary
}

/** A clock that stands still until it is moved. */
export function handClock(start = 1_763_719_200_000_000): { time: number; now(): number } {
  return {
    time: start,
    now() {
      return this.time
    },
  }
}
