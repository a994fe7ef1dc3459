// What the reaction engine needs from outside: four ports, with their promises above them.
import type { Event, EventId, Jid } from '../core/event/event.ts'
import type { ReactorEntry } from '../core/sls/reactor-config.ts'
import type { Mapping, Value } from '../core/value/value.ts'
import type { Ending, LedgerEntry, Plan, PlannedFile, Reaction } from './plan.ts'

/** A request to run one reaction, with the jid to use where none is written yet. */
export interface ClaimRequest {
  readonly key: string
  readonly jid: Jid
}

/** Who claims, when, and how long the lease lasts. Microseconds since 1970. */
export interface Lease {
  /** One worker of one boot. */
  readonly owner: string
  readonly now: number
  readonly until: number
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
  /** A lease lives until then (microseconds since 1970), be it another's or the same owner's. */
  | { readonly kind: 'held'; readonly until: number }
  | { readonly kind: 'ended'; readonly ending: Ending }

/** A plan to store, with the reactions to claim where it is this call that stores it. */
export interface NewPlan {
  readonly plan: Plan
  readonly claims: readonly ClaimRequest[]
}

/** A plan as it is stored. */
export interface StoredPlan {
  readonly plan: Plan
  /** Reactions in plans stored earlier for the same root event. Written with the plan: it never changes. */
  readonly before: number
}

/** What one write over a claim does: ends it, gives it back with a failure, gives it another jid, or prolongs its lease. */
export type ClaimChange =
  | { readonly kind: 'end'; readonly ending: Ending }
  /** The reaction is `planned` again, the failure, if any, is added, and the next claim is not `resumed`. */
  | { readonly kind: 'give-back'; readonly failure?: string }
  | { readonly kind: 'jid'; readonly jid: Jid }
  | { readonly kind: 'renew'; readonly until: number }

/** A write over the claim of that generation, at a time in microseconds since 1970. */
export interface ClaimWrite {
  readonly key: string
  readonly generation: number
  readonly at: number
  readonly change: ClaimChange
}

/** A window of `once_within` to open. Microseconds since 1970. */
export interface WindowRequest {
  /** The entry and the group. */
  readonly key: string
  readonly event: EventId
  readonly at: number
  readonly until: number
  /** How long the answer must be remembered at least. */
  readonly keep: number
}

/** Whose window it is, and when it opened and closes. */
export interface WindowHolder {
  readonly event: EventId
  readonly at: number
  readonly until: number
}

/**
 * Plans, claims and how they ended.
 *
 * Promises: every write is durable when its promise resolves. `storePlans`, `claim` and `write` are atomic per plan and
 * per key. A batch may be split; its items do not depend on each other; answers come in the order of what was asked.
 */
export interface Ledger {
  /**
   * Stores each plan unless its event has one. Where this call stored it, its `claims` are made in the same write and
   * answered; where another plan stands, that one is answered, `claims` is absent and nothing was claimed.
   */
  storePlans(plans: readonly NewPlan[], lease: Lease): Promise<(StoredPlan & { readonly claims?: readonly Claim[] })[]>
  plan(event: EventId): Promise<StoredPlan | undefined>
  /**
   * Claims each reaction. A lease of another boot of the same single-process owner is void at once; any other, even the
   * same owner's, only after its end. The generation rises with each claim.
   */
  claim(requests: readonly ClaimRequest[], lease: Lease): Promise<Claim[]>
  /** False where the generation is not the newest or the reaction has ended: nothing is written. */
  write(writes: readonly ClaimWrite[]): Promise<boolean[]>
  entries(event: EventId): Promise<LedgerEntry[]>
  /**
   * Opens each window, unless one of another event is open under its key at that time; answers who holds it. Atomic per
   * key. Asked again by the same event while its window is kept, the answer is the same.
   */
  openWindows(requests: readonly WindowRequest[]): Promise<WindowHolder[]>
  /** Makes `planned`, without failures, what ended `redrivable`; answers how many. For a redrive by a person. */
  reopen(event: EventId): Promise<number>
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
  readonly entries: StoredReactorSet['entries']
  /** Whether an entry's glob matches the tag: what no entry wants need not be looked at. */
  wants(tag: string): boolean
  /**
   * Files of the entries that match tag and data, in config order, each once; what cannot be read has an error instead of
   * a text.
   */
  matching(event: Pick<Event, 'tag' | 'data'>): readonly MatchedFile[]
}

/** A file an event leads to. */
export interface MatchedFile {
  readonly glob: string
  readonly name: string
  readonly hash: string
  readonly text: string
  readonly error?: string
  /** Its entry reacts once in a while: in how many seconds, and to which group apart. */
  readonly once?: { readonly entry: string; readonly seconds: number; readonly groupBy?: readonly string[] }
  /** Why it must not react to this event: put there by the engine. */
  readonly refusal?: Exclude<PlannedFile['error'], undefined>
}

/** What a delivery's work came to. */
export type Settlement =
  | { readonly kind: 'done' }
  /** Give it again, not before then (microseconds since 1970). */
  | { readonly kind: 'later'; readonly at: number }
  /** It will never work: keep it with its reason until somebody redrives or discards it. */
  | { readonly kind: 'dead'; readonly reason: string }

/** An event on its way to the reactor. */
export interface Delivery {
  readonly event: Event
  /** 1 for the first time. */
  readonly attempt: number
}

/**
 * Gives each event to the reactor until it is settled: at least once, in batches, in no promised order. A worker that
 * dies gets its unsettled deliveries again (or another worker does).
 */
export interface DeliverySource {
  /** The next batch, waiting for one; empty only when the signal ends. */
  receive(limit: number, signal: AbortSignal): Promise<Delivery[]>
  settle(event: EventId, settlement: Settlement): Promise<void>
}

/** A reactor set as it is stored: the entries and the text of every file they lead to, under one version. */
export interface StoredReactorSet {
  readonly version: string
  readonly entries: readonly ReactorEntry[]
  /** One for each file a reference leads to, in the order they run; a reference without any leads nowhere. */
  readonly files: readonly { readonly reference: string; readonly name: string; readonly text: string }[]
}
