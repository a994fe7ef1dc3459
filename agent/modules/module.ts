// What an execution module is: data. A function has its signature, its doc and what it does.
import type { Signature } from '../../core/arguments/index.ts'
import type { Tag } from '../../core/event/event.ts'
import type { PushRequest } from '../../core/protocol/minion.ts'
import type { Mapping, Value } from '../../core/value/index.ts'
import type { FileClient, Synced, SyncRequest } from '../files/index.ts'
import type { GrainStore } from '../grains/store.ts'
import type { RunningJobs } from '../jobs/running.ts'
import type { BusQuestion } from '../local-bus/ask.ts'
import type { Mine } from '../mine.ts'
import type { Outside } from '../outside.ts'
import type { StateRegistry } from '../states/registry.ts'
import type { Arguments } from './arguments.ts'
import type { ProcessRunner } from './process.ts'
import type { Registry } from './registry.ts'
import { signature } from './signature.ts'

/** One function. */
export interface ExecutionFunction {
  readonly signature: Signature
  /** What `sys.doc` prints, without indentation. */
  readonly doc: string
  /** The outputter that fits what it returns. */
  readonly out?: string
  /** It changes nothing, so that templates may ask it. @default false */
  readonly readOnly?: boolean
  /**
   * All it does is run one program and tell of it: cut off, it can be told from what the program left, without running
   * it again. @default false
   */
  readonly resumable?: boolean
  run(args: Arguments, call: Call): Value | Promise<Value>
}

/** A module: its functions by their names without the module's. */
export interface ExecutionModule {
  readonly name: string
  /** The file's name, as `test.provider` tells it. */
  readonly file: string
  readonly functions: Readonly<Record<string, ExecutionFunction>>
}

/** What a function sees of the agent it runs in. */
export interface AgentView {
  readonly id: string
  /** The whole configuration, defaults included. */
  readonly opts: Mapping
  readonly grains: GrainStore
  /** The pillar in memory. */
  pillar(): Mapping
  /** Compiles the pillar anew, without keeping it. Where it fails, its `_errors` say why. */
  compilePillar(request: PillarRequest): Promise<Mapping>
  /** Those of the master's settings that steer state runs, as they came with the pillar. */
  masterOpts(): Mapping
  /** Compiles the pillar anew and keeps it. */
  refreshPillar(): Promise<void>
  readonly functions: Registry
  readonly states: StateRegistry
  /** What minions give to each other. */
  readonly mine: Mine
  /** `salt://` files and others, cached. */
  readonly files: FileClient
  /** Sends a piece of a file to the master. Rejects where there is none, or it does not take it. */
  push(piece: PushRequest): Promise<void>
  readonly jobs: RunningJobs
  readonly outside: Outside
  /** `salt-call` where a command runs the function in the minion's place. */
  readonly cli: 'salt-minion' | 'salt-call'
  /** True where there is no master to talk to (`--local`, `file_client: local`, `master_type: disable`). */
  readonly isLocal: boolean
  /** Puts an event on the minion's own bus; false where nobody has one. */
  fireLocal(tag: Tag, data: Mapping): Promise<boolean>
  /** Asks the running minion over its own bus; undefined where none runs, or it does not answer. */
  askMinion(question: BusQuestion): Promise<Mapping | undefined>
  /** Hands an event to the master; false where it could not be kept for sending. */
  fireMaster(event: MasterEvent): Promise<boolean>
  /** Tells the master the grains (`minion/refresh/<id>`), after proving the key anew where asked to. */
  refreshMaster(options: { reauthenticate: boolean }): Promise<void>
  /** Loads the user's code anew. */
  reloadModules(): Promise<void>
  /** Copies the user's code from the master and loads what changed. */
  syncModules(request: SyncRequest): Promise<Synced>
  /** Ends the minion once its returns are sent, so that its supervisor starts it again. Nothing in a caller. */
  restart(why: string): void
  readonly security: {
    readonly minionFinger: string
    masterFinger(): string
    /** Forgets the key pair; the next start makes another. */
    removeKeys(): Promise<void>
  }
}

/** Which pillar is meant. */
export interface PillarRequest {
  /** @default the configuration's */
  readonly pillarenv?: string | undefined
  readonly saltenv?: string | undefined
  /** Values laid over it, which its files can see as well. */
  readonly override?: Mapping | undefined
  /** Prove the key anew first. @default false */
  readonly reauthenticate?: boolean | undefined
}

/** An event as `event.fire_master` gives it. */
export interface MasterEvent {
  readonly tag: Tag
  readonly data: Value
  readonly preload?: Mapping
}

/** One call of one function. */
export interface Call {
  readonly fun: string
  readonly agent: AgentView
  /** The job's data as `__pub_*`; empty where another function called. */
  readonly pub: Mapping
  /** Ends when the job is killed. */
  readonly signal: AbortSignal
  /** Runs programs. */
  readonly processes: ProcessRunner
  /** Salt's `__context__['retcode']`; shared with the functions it calls. */
  readonly context: { retcode: number }
  /** Runs another function: `__salt__[fun](*args, **kwargs)`. Throws what it throws. */
  salt(fun: string, args?: readonly Value[], kwargs?: Mapping): Promise<Value>
}

/** Writes a function down: Python's signature, its doc (first line, further lines, then its examples), what it does. */
export function define(
  params: string,
  doc: string,
  run: ExecutionFunction['run'],
  more: Pick<ExecutionFunction, 'out' | 'readOnly' | 'resumable'> = {},
): ExecutionFunction {
  return { signature: signature(params), doc: doc.trim(), run, ...more }
}

/** The end of a doc: command lines a user can type. */
export function examples(...lines: readonly string[]): string {
  return `\n\nCLI Example:\n\n.. code-block:: bash\n\n${lines.map((line) => `    ${line}`).join('\n')}`
}
