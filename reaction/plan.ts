// A plan: what one event leads to, decided once and stored before anything runs.
import type { EventId, Jid, Tag } from '../core/event/event.ts'
import type { Requisite } from '../core/sls/requisite.ts'
import type { Mapping, Value } from '../core/value/value.ts'

/** What a reaction calls, already bound to its arguments. */
export type ReactionCall =
  | {
      readonly kind: 'local'
      readonly tgt: Value
      readonly tgtType: string
      readonly fun: string
      readonly arg: readonly Value[]
      readonly kwarg: Mapping
      readonly ret: string
      /** Seconds until the job must not start any more. */
      readonly expiresIn: number
      readonly metadata?: Mapping
    }
  | {
      readonly kind: 'runner' | 'wheel'
      readonly fun: string
      readonly arg: readonly Value[]
      readonly kwarg: Mapping
    }
  | { readonly kind: 'caller'; readonly fun: string; readonly arg: readonly Value[]; readonly kwarg: Mapping }
  /** It cannot run; the reason goes into the ledger and into `brine/reactor/error`. */
  | { readonly kind: 'refused'; readonly reason: string }

/** One chunk of a plan. Its key in the ledger is `<event id>/<ordinal>`: unique, because the plan never changes. */
export interface Reaction {
  readonly ordinal: number
  /** Index into {@link Plan.files}. */
  readonly file: number
  /** The `__id__` and `name` of the chunk, its type as written (`cmd` stays `cmd`) and its function. */
  readonly id: string
  readonly name: string
  readonly type: string
  readonly fun: string
  readonly call: ReactionCall
  /** What it waits for, by ordinals smaller than its own; where they end otherwise, it is skipped. */
  readonly requisites: readonly Requisite[]
  /** Things that work but surprise: `expr_form`, a `kwarg` list. */
  readonly warnings: readonly string[]
}

/** One matched SLS file of a plan. */
export interface PlannedFile {
  /** The reactor glob that matched and the file it led to. */
  readonly glob: string
  readonly name: string
  /** SHA-256 of its text, hex; empty where it could not be read. */
  readonly hash: string
  /** What it rendered to, cut to 64 KiB. */
  readonly text: string
  /** Why it contributes nothing: it did not read, render, parse or compile. */
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly place?: string
    /** Where the breaker refused it: the moment that it opened, microseconds since 1970. */
    readonly trippedAt?: number
  }
}

/** All that one event leads to. Stored by the first delivery; later ones run what is stored. */
export interface Plan {
  readonly event: EventId
  readonly tag: Tag
  /** Microseconds since 1970. */
  readonly at: number
  /** The version of the reactor set it was made from. */
  readonly version: string
  readonly root: EventId
  readonly files: readonly PlannedFile[]
  readonly reactions: readonly Reaction[]
}

/** How a reaction stands or ended. */
export type ReactionState =
  | 'planned'
  | 'running'
  | 'done'
  /** It failed for good: an error that no retry mends, or all tries used. */
  | 'failed'
  /** A runner that must not run twice was cut off. */
  | 'interrupted'
  /** A limit on loops, or a call that cannot run. */
  | 'refused'
  /** What it requires did not end well. */
  | 'skipped'

/** How a reaction ended, as it is written over its claim. */
export interface Ending {
  readonly state: Exclude<ReactionState, 'planned' | 'running'>
  readonly reason?: string
  /** For a job: the minions it went to. For a run: whether it succeeded. */
  readonly minions?: readonly string[]
  readonly success?: boolean
  /** All tries were used, or it was skipped because of such a one, and trying again does nothing twice: a person may. */
  readonly redrivable?: true
}

/** What the ledger knows of one reaction. */
export interface LedgerEntry {
  readonly key: string
  readonly state: ReactionState
  /** Rises with each claim; a write with an older one is refused. */
  readonly generation: number
  readonly jid?: Jid
  /** Microseconds since 1970. */
  readonly claimedAt?: number
  readonly endedAt?: number
  readonly owner?: string
  readonly leaseUntil?: number
  readonly ending?: Ending
  /** Why earlier tries failed, newest last. */
  readonly failures: readonly string[]
}

/** The ledger's key of a reaction. */
export function reactionKey(event: EventId, ordinal: number): string {
  return `${event}/${ordinal}`
}
