// What the end-to-end suite runs against: a master somewhere, minions as real processes, and a watcher of the bus.
import type { Connection } from '../../client/index.ts'
import type { Background } from '../system/process.ts'

/** An event as the watcher saw it. */
export interface SeenEvent {
  readonly index: number
  readonly id: string
  readonly tag: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Which event is waited for: a glob over its tag, and some of its fields. */
export interface Wanted {
  readonly tag: string
  readonly has?: Readonly<Record<string, unknown>>
  /** Only events from this place on. */
  readonly from?: number
}

/** A world: one master with the reactors of `test/e2e/reactors`. */
export interface World {
  /** What a person with all rights can ask the master. */
  readonly connection: Connection
  /** Everything the watcher saw, in the log's order. */
  readonly events: readonly SeenEvent[]
  mark(): number
  /** Whether the log has events of different senders in the order in which they were fired. */
  readonly keepsOrder: boolean
  waitForEvent(wanted: Wanted, patience?: number): Promise<SeenEvent>
  /** Starts a minion; its key waits to be accepted. `environment` is laid over the process's own. */
  startMinion(id: string, environment?: Readonly<Record<string, string>>): Background
  /** Runs `brine-call` as that minion. */
  call(id: string, args: readonly string[]): Promise<{ exit: number | 'timeout'; stdout: string; stderr: string }>
  close(): Promise<void>
}

/** Where its reactors are. */
export const reactorFolder = new URL('reactors/', import.meta.url).pathname

/** Where its `salt://` is. */
export const saltFolder = new URL('salt/', import.meta.url).pathname
