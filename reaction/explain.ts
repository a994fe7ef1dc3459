// Answers "why did it (not) fire?" for one event, from its plan, the ledger and the reactor set.

import type { EventId, Jid, Tag } from '../core/event/event.ts'
import { explainPattern } from '../core/event/pattern/index.ts'
import { explainMismatch } from '../core/event/tag-glob.ts'
import { type EntryConditions, patternOf } from '../core/sls/entry-conditions.ts'
import type { ReactorEntry } from '../core/sls/reactor-config.ts'
import type { Dict, Mapping } from '../core/value/index.ts'
import { isLoopCode, isOnceCode, isThrottleCode } from './limits.ts'
import type { LedgerEntry, PlannedFile, Reaction, ReactionCall, ReactionState } from './plan.ts'
import { reactionKey } from './plan.ts'
import type { ReactorSet, StoredPlan } from './ports.ts'
import { mayMatch } from './reactor-set.ts'

/** Why one configured entry did or did not see the event. */
export interface EntryExplanation extends EntryConditions {
  readonly glob: string
  readonly files: readonly string[]
  readonly matched: boolean
  /** A sentence for an entry that did not match: which part of the tag, or of the data, differs. */
  readonly reason?: string
  /** The tag's characters that the glob explains, and what stands against what after them. */
  readonly mismatch?: { readonly position: number; readonly expected: string; readonly seen: string }
}

/** How one reaction of the plan stands. Times are microseconds since 1970. */
export interface ReactionExplanation {
  readonly ordinal: number
  readonly id: string
  readonly name: string
  /** `local.state.apply`, with the type as written. */
  readonly what: string
  readonly call: ReactionCall
  /** `require of a, b`: the ids it waits for. */
  readonly requisites: readonly string[]
  readonly warnings: readonly string[]
  readonly state: ReactionState
  readonly jid?: Jid
  readonly reason?: string
  readonly minions?: readonly string[]
  readonly success?: boolean
  readonly failures: readonly string[]
  readonly claimedAt?: number
  readonly endedAt?: number
  readonly leaseUntil?: number
  readonly redrivable: boolean
}

/**
 * What became of one matched file: it did not render or compile, a limit refused it, `once_within` held it back, it said
 * nothing, or it reacts.
 */
export interface FileExplanation {
  readonly glob: string
  readonly name: string
  readonly hash: string
  readonly outcome: 'error' | 'refused' | 'held' | 'nothing' | 'reactions'
  readonly error?: PlannedFile['error']
  /** What it rendered to, cut to 64 KiB. */
  readonly text: string
  readonly reactions: readonly ReactionExplanation[]
}

/** The whole answer. */
export interface Explanation {
  readonly event: EventId
  readonly tag: Tag
  /** The version of the set the entries are from, and that of the set the plan was made from. */
  readonly version: string
  readonly plannedVersion?: string
  readonly plannedAt?: number
  /** True where the set in force is not the one that the plan was made from: the entries may tell of another time. */
  readonly changed: boolean
  readonly entries: readonly EntryExplanation[]
  readonly files: readonly FileExplanation[]
}

/** What an explanation is made from; `stored` and `ledger` are of that event, `stored` absent where nothing is planned. */
export interface ExplainInput {
  /** Without data, where the event is forgotten, what an entry asks of it is not looked at. */
  readonly event: { readonly id: EventId; readonly tag: Tag; readonly data?: Mapping | Dict }
  readonly reactors: ReactorSet
  readonly stored: StoredPlan | undefined
  readonly ledger: readonly LedgerEntry[]
}

/** Explains an event. Pure: reads nothing. */
export function explain({ event, reactors, stored, ledger }: ExplainInput): Explanation {
  const plan = stored?.plan
  const entries = new Map(ledger.map((entry) => [entry.key, entry]))
  return {
    event: event.id,
    tag: event.tag,
    version: reactors.version,
    ...(plan === undefined ? {} : { plannedVersion: plan.version, plannedAt: plan.at }),
    changed: plan !== undefined && plan.version !== reactors.version,
    entries: reactors.entries.map((entry) => explainEntry(entry, event)),
    files: (plan?.files ?? []).map((file, index) => {
      const own = (plan?.reactions ?? []).filter((reaction) => reaction.file === index)
      const reactions = own.map((reaction) =>
        explainReaction(reaction, plan?.reactions ?? [], entries.get(reactionKey(event.id, reaction.ordinal))),
      )
      return explainFile(file, reactions)
    }),
  }
}

/** Why an entry does or does not match an event. */
export function explainEntry(
  written: ReactorEntry,
  event: Pick<ExplainInput['event'], 'tag' | 'data'>,
): EntryExplanation {
  const { isText: _isText, ...entry } = written
  const { glob } = entry
  const { tag, data } = event
  if (!mayMatch(glob, tag)) {
    const reason = 'tags that begin with brine/ are seen only by globs that begin with brine/'
    return { ...entry, matched: false, reason }
  }
  const mismatch = explainMismatch(glob, tag)
  if (mismatch !== undefined) return { ...entry, matched: false, reason: sentence(mismatch), mismatch }
  const pattern = patternOf(entry)
  const reason = pattern === undefined || data === undefined ? undefined : explainPattern(pattern, data)
  return reason === undefined ? { ...entry, matched: true } : { ...entry, matched: false, reason }
}

function sentence({ position, expected, seen }: NonNullable<EntryExplanation['mismatch']>): string {
  if (expected === '') return `the tag goes on with '${seen}' at character ${position + 1}, where the glob ends`
  if (seen === '') return `the tag ends where the glob expects '${expected}'`
  return `the glob expects '${expected}' where the tag has '${seen}', at character ${position + 1}`
}

function explainFile(file: PlannedFile, reactions: readonly ReactionExplanation[]): FileExplanation {
  const { glob, name, hash, text, error } = file
  const empty = reactions.length === 0 ? 'nothing' : 'reactions'
  const outcome = error === undefined ? empty : outcomeOf(error.code)
  return { glob, name, hash, outcome, ...(error === undefined ? {} : { error }), text, reactions }
}

function outcomeOf(code: string): FileExplanation['outcome'] {
  if (isOnceCode(code)) return 'held'
  return isLoopCode(code) || isThrottleCode(code) ? 'refused' : 'error'
}

function explainReaction(
  reaction: Reaction,
  all: readonly Reaction[],
  entry: LedgerEntry | undefined,
): ReactionExplanation {
  const { ordinal, id, name, type, fun, call, requisites, warnings } = reaction
  const ending = entry?.ending
  return {
    ordinal,
    id,
    name,
    what: `${type}.${fun}`,
    call,
    requisites: requisites.map(({ kind, chunks }) => `${kind} of ${chunks.map((chunk) => all[chunk]?.id).join(', ')}`),
    warnings,
    state: entry?.state ?? 'planned',
    failures: entry?.failures ?? [],
    redrivable: ending?.redrivable === true,
    ...optional('jid', entry?.jid),
    ...optional('reason', ending?.reason),
    ...optional('minions', ending?.minions),
    ...optional('success', ending?.success),
    ...optional('claimedAt', entry?.claimedAt),
    ...optional('endedAt', entry?.endedAt),
    ...optional('leaseUntil', entry?.state === 'running' ? entry.leaseUntil : undefined),
  }
}

function optional<Key extends string, Item>(key: Key, value: Item | undefined): { [K in Key]?: Item } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Item }
}
