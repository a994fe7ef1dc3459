// What the reaction engine needs from outside: four ports, with their promises above them.
import type { Event, EventId, Jid } from '../core/event/event.ts'
import type { Mapping, Value } from '../core/value/value.ts'
import type { Ending, LedgerEntry, Plan, Reaction } from './plan.ts'

/** A request to run reactions: who claims which, until when, and the jid to use where none is written yet. */
export interface ClaimRequest {
  readonly key: string
  readonly jid: Jid
}

/** What came of a claim. */
export type Claim =
  /** It is ours until the lease ends. `resumed` where an earlier claim was cut off; `jid` is the one first written. */
  | {
      readonly kind: 'claimed'
      readonly generation: number
      readonly jid: Jid
      readonly resumed: boolean
      readonly failures: readonly string[]
    }
  /** Somebody else's lease lives until then (microseconds since 1970). */
  | { readonly kind: 'held'; readonly until: number }
  | { readonly kind: 'ended'; readonly ending: Ending }

/**
 * Plans, claims and how they ended.
 *
 * Promises: every write is durable when its promise resolves. `storePlans` and `claim` are atomic per plan and per key.
 * A batch may be split; its items do not depend on each other.
 */
export interface Ledger {
  /**
   * Stores each plan unless its event has one, and answers what is stored, in the same order, with the number of
   * reactions planned earlier for the same root event (counted once a plan).
   */
  storePlans(plans: readonly Plan[]): Promise<{ readonly plan: Plan; readonly before: number }[]>
  plan(event: EventId): Promise<Plan | undefined>
  /**
   * Claims each reaction for `owner` until `until`. A lease of another boot of the same single-process owner is void at
   * once; any other only after its end.
   */
  claim(requests: readonly ClaimRequest[], owner: string, now: number, until: number): Promise<Claim[]>
  /** Ends each claim, or notes a failure and gives it back. False where the generation is not the newest: nothing is written. */
  settle(
    results: readonly { key: string; generation: number; at: number; ending?: Ending; failure?: string; jid?: Jid }[],
  ): Promise<boolean[]>
  entries(event: EventId): Promise<LedgerEntry[]>
}

/** How starting a reaction went. */
export type Started =
  /** `ended` resolves when there is an outcome; a job's is there at once, a runner's when it returns. */
  | { readonly kind: 'started'; readonly ended: Promise<Ending> }
  /** It was not started, nothing happened, and a later try may do better. */
  | { readonly kind: 'retry'; readonly reason: string }
  /** The jid belongs to something else: take a new one. */
  | { readonly kind: 'jid-taken' }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Runs what a reaction calls: publishes a job, runs a runner or a wheel function, or a masterless minion's module.
 *
 * Promises: `start` with the same jid twice makes one job; a run that is `resumed` is repeated only where
 * `isIdempotent` says so (the engine asks). Never throws for what the called function does: that is an {@link Ending}.
 */
export interface Executor {
  start(
    reaction: Reaction,
    context: { readonly event: Event; readonly jid: Jid; readonly glob: string; readonly file: string },
  ): Promise<Started>
  isIdempotent(reaction: Reaction): boolean
}

/** A question a template asks the outside: `salt['mine.get'](…)`, a file to import. */
export interface Question {
  readonly fun: string
  readonly args: readonly Value[]
  readonly kwargs: Mapping
}

/**
 * Answers a template's questions. Only functions declared read-only are answered; a rejection fails the file with its message.
 * Nothing is cached here: the engine asks each question once a plan.
 */
export interface Answers {
  answer(question: Question, event: Event): Promise<Value>
}

/** The time, and ids that sort by it. Microseconds since 1970, never going back within a process. */
export interface Clock {
  now(): number
  eventId(): EventId
  /** Unique within this process; across processes the job store decides. */
  jid(): Jid
}

/** The reactor set in force: what matches, and the texts. One value at one time: config and files change together. */
export interface ReactorSet {
  readonly version: string
  /** Files of the entries that match, in config order; what cannot be read has an error instead of a text. */
  matching(tag: string): readonly MatchedFile[]
}

/** A file an event leads to. */
export interface MatchedFile {
  readonly glob: string
  readonly name: string
  readonly hash: string
  readonly text: string
  readonly error?: string
}
