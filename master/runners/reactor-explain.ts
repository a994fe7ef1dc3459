// `reactor.explain`: why an event did, or did not, lead to something.
import type { Event, EventId, Tag } from '../../core/event/event.ts'
import { replayOf } from '../../core/event/replay-mark.ts'
import { stampOf } from '../../core/event/stamp.ts'
import { entryValue } from '../../core/sls/entry-conditions.ts'
import { get, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import {
  createReactorSet,
  type EntryExplanation,
  type Explanation,
  explain,
  type FileExplanation,
  isThrottleCode,
  type Ledger,
} from '../../reaction/index.ts'
import type { ConfigStore, DeliveryQueue } from '../ports.ts'
import { type MasterFunction, RunError } from '../run.ts'
import { findEvent, isEventId } from './find-event.ts'
import { knownFields } from './known-fields.ts'
import { reactionStory, type StoryNeeds } from './reaction-story.ts'

/** What explaining needs. */
export interface ExplainNeeds extends StoryNeeds {
  readonly config: ConfigStore
  readonly ledger: Ledger
  readonly queue: DeliveryQueue
}

/** The function. */
export function reactorExplainRunner(needs: ExplainNeeds): Record<string, MasterFunction> {
  return {
    'reactor.explain': {
      signature: { params: [{ name: 'event' }] },
      doc: `    Explain why an event did or did not lead to something

    The event is named by its id, by its tag (then the newest with that tag is meant), or by the jid of a job or run that
    a reaction started. Told are, for each configured entry, whether its glob matched and if not which part differs; for
    each file whether it rendered, and to what; for each reaction what it called, with which jid, who returned what, or
    what refused it. A tag that no event in the log has is explained too: which entries it would match.

    CLI Example:

    .. code-block:: bash

        brine-run reactor.explain 01KC3VZ8Y2Q5B7N9M4X6T1R0WA
        brine-run reactor.explain salt/minion/web1/start
        brine-run reactor.explain 20260131091500123456
        brine-run reactor.explain salt/auth --out json
`,
      readOnly: true,
      idempotent: true,
      out: 'reactor_explain',
      run: async ({ named }) => explained(needs, pythonStr(named.event ?? '')),
    },
  }
}

async function explained(needs: ExplainNeeds, wanted: string): Promise<Value> {
  const reactors = createReactorSet(await needs.config.reactors())
  const event = await findEvent(needs, wanted)
  const known = event ?? (await forgotten(needs.ledger, wanted))
  if (known === undefined) {
    if (isEventId(wanted))
      throw new RunError(
        `There is no event ${wanted} in the log. It may be older than event_keep_seconds; brine-run event.list tells ids.`,
      )
    const tagged = explain({ event: { id: '', tag: wanted }, reactors, stored: undefined, ledger: [] })
    return { tag: wanted, summary: `No event in the log has the tag ${wanted}.`, entries: entriesOf(tagged) }
  }
  const [stored, ledger, dead] = await Promise.all([
    needs.ledger.plan(known.id),
    needs.ledger.entries(known.id),
    needs.queue.dead(),
  ])
  const explanation = explain({ event: known, reactors, stored, ledger })
  const letter = dead.find(({ event: { id } }) => id === known.id)
  const files = await Promise.all(explanation.files.map((file) => fileStory(needs, file)))
  return knownFields({
    event: known.id,
    tag: known.tag,
    ...aboutEvent(event),
    summary: summaryOf(explanation, letter !== undefined) + silenceOf(files),
    version: explanation.version,
    planned_version: explanation.plannedVersion,
    planned: explanation.plannedAt === undefined ? undefined : stampOf(explanation.plannedAt),
    changed: explanation.changed ? true : undefined,
    dead: letter === undefined ? undefined : { reason: letter.reason, at: stampOf(letter.at) },
    entries: entriesOf(explanation),
    files,
  })
}

/** An event whose plan outlived it. */
async function forgotten(ledger: Ledger, wanted: string): Promise<{ id: EventId; tag: Tag } | undefined> {
  const plan = isEventId(wanted) ? (await ledger.plan(wanted))?.plan : undefined
  return plan === undefined ? undefined : { id: plan.event, tag: plan.tag }
}

/** When it came and from whom, and what caused it. */
export function aboutEvent(event: Event | undefined): Record<string, Value | undefined> {
  if (event === undefined) return {}
  const { cause, source, data } = event
  const minion = source === 'minion' ? get(data, 'id') : undefined
  return {
    at: get(data, '_stamp'),
    source,
    minion,
    replay_of: replayOf(data)?.event,
    cause:
      cause === undefined
        ? undefined
        : knownFields({ root: cause.root, parent: cause.parent, depth: cause.depth, jid: cause.jid }),
  }
}

function entriesOf({ entries }: Explanation): Mapping[] {
  return entries.map((entry) => {
    const { glob, files, matched, reason, mismatch, match, onceWithin } = entry
    const asks = match === undefined && onceWithin === undefined ? undefined : entryValue(entry)
    return knownFields({ glob, files: [...files], matched, reason, mismatch: mismatch && { ...mismatch }, asks })
  })
}

async function fileStory(needs: ExplainNeeds, file: FileExplanation): Promise<Mapping> {
  const { glob, name, hash, outcome, error, text, reactions } = file
  return knownFields({
    glob,
    sls: name,
    hash,
    outcome,
    error: error === undefined ? undefined : knownFields({ ...error }),
    text: outcome === 'error' || outcome === 'refused' || outcome === 'held' ? undefined : text,
    reactions: await Promise.all(reactions.map((reaction) => reactionStory(needs, reaction))),
  })
}

/** The answer in a sentence or two. */
function summaryOf({ entries, files, plannedAt, tag }: Explanation, isDead: boolean): string {
  const letter = isDead ? ' It is a dead letter: brine-run reactor.redrive tries it again.' : ''
  if (plannedAt === undefined) return unplanned(entries, tag) + letter
  const reactions = files.flatMap((file) => file.reactions)
  const refused = files.filter(({ outcome }) => outcome === 'refused')
  const throttled = refused.filter(({ error }) => isThrottleCode(error?.code ?? ''))
  const words = [
    ...countsOf(
      reactions.map(({ state, success }) => (state === 'done' && success === false ? 'unsuccessful' : state)),
    ),
    ...filesOf(files.filter(({ outcome }) => outcome === 'error').length, 'with an error'),
    ...filesOf(refused.length - throttled.length, 'refused as a loop'),
    ...filesOf(throttled.length, 'refused by the breaker'),
    ...filesOf(files.filter(({ outcome }) => outcome === 'held').length, 'held back by once_within'),
  ]
  if (words.length === 0) return `Its ${files.length === 1 ? 'file' : 'files'} rendered to no reaction.${letter}`
  const heading =
    reactions.length === 0 ? 'No reaction' : reactions.length === 1 ? 'One reaction' : `${reactions.length} reactions`
  return `${heading}: ${words.join(', ')}.${letter}`
}

function filesOf(count: number, how: string): string[] {
  if (count === 0) return []
  return [count === 1 ? `one file ${how}` : `${count} files ${how}`]
}

/** `done`, `all done`, or `2 done, 1 failed`. */
function countsOf(words: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  if (counts.size === 1) return [...counts.keys()].map((word) => (words.length === 1 ? word : `all ${word}`))
  return [...counts].map(([word, count]) => `${count} ${word}`)
}

function unplanned(entries: readonly EntryExplanation[], tag: Tag): string {
  if (entries.length === 0) return 'Nothing is configured to react: there is no reactor entry.'
  if (entries.some(({ matched }) => matched)) {
    return 'An entry matches now, and nothing was planned: the reactor has not come to the event yet, or the entry came later (brine-run event.replay).'
  }
  const nearest = entries.reduce((best, entry) => (nearness(entry) > nearness(best) ? entry : best))
  const isNear = 2 * nearness(nearest) >= nearest.glob.length
  const hint = isNear ? ` The nearest is '${nearest.glob}': ${nearest.reason}.` : ''
  return `No entry matches ${tag}.${hint}`
}

/** Characters that fit; all where the glob matches and the data does not. */
function nearness({ match, mismatch }: EntryExplanation): number {
  return mismatch?.position ?? (match === undefined ? -1 : Number.POSITIVE_INFINITY)
}

/** Who was sent a job and did not return yet. */
function silenceOf(files: readonly Mapping[]): string {
  const silent = new Set<string>()
  for (const { reactions } of files) {
    for (const reaction of Array.isArray(reactions) ? reactions : []) {
      const minions = isMapping(reaction) && isMapping(reaction.minions) ? reaction.minions : {}
      for (const [id, story] of Object.entries(minions))
        if (isMapping(story) && (story.state === 'waiting' || story.state === 'expired')) silent.add(id)
    }
  }
  if (silent.size === 0) return ''
  return silent.size === 1 ? ` ${[...silent]} has not returned.` : ` ${silent.size} minions have not returned.`
}
