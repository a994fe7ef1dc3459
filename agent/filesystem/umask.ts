// The umask of one piece of work, such as a state: the process has one for all that it does at a time.
import { AsyncLocalStorage } from 'node:async_hooks'

const masks = new AsyncLocalStorage<number>()

/** What `work` makes of files and directories, and the programs it runs, get this umask; nothing else does. */
export function withUmask<T>(mask: number, work: () => T): T {
  return masks.run(mask, work)
}

/** The umask of the work this is part of; undefined where that is the process's own. */
export function ownUmask(): number | undefined {
  return masks.getStore()
}

/** The umask that holds here. */
export function currentUmask(): number {
  return masks.getStore() ?? process.umask()
}
