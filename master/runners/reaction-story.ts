// What became of one reaction: its call, how it stands, its job's minions and what each returned, its run's outcome.
import { derivedEventId } from '../../core/event/derived-id.ts'
import type { Jid, MinionId } from '../../core/event/event.ts'
import { stampOf } from '../../core/event/stamp.ts'
import { get, type Mapping, pythonStr, stringifyJson, type Value } from '../../core/value/index.ts'
import type { ReactionCall, ReactionExplanation } from '../../reaction/index.ts'
import type { Clock, Connections, EventLog, JobRecord, JobStore, StoredReturn } from '../ports.ts'
import { knownFields } from './known-fields.ts'

/** Where the rest of a reaction's story is. */
export interface StoryNeeds {
  readonly jobs: JobStore
  readonly log: EventLog
  readonly connections: Connections
  readonly clock: Clock
}

/** Characters of a return that are told; the whole is in the job cache. */
const MOST_RETURNED = 2000

/**
 * A reaction's story as data. `minions` holds, by minion, `state` (`returned`, `waiting`, `expired`, which did not fetch
 * the job in time or never answered) and what goes with it; `run` holds what a runner or wheel function returned.
 */
export async function reactionStory(needs: StoryNeeds, reaction: ReactionExplanation): Promise<Mapping> {
  const { call, minions } = reaction
  // A jid was set aside for a job that nobody was there for; no such job was made.
  const isUnused = call.kind === 'local' && minions?.length === 0
  const jid = reaction.claimedAt === undefined || isUnused ? undefined : reaction.jid
  const started = jid === undefined ? undefined : (await needs.log.find(derivedEventId(jid, 'new')))?.event
  return knownFields({
    id: reaction.id,
    call: reaction.what,
    ...callFields(call),
    state: reaction.state,
    success: reaction.success,
    reason: reaction.reason,
    jid,
    requisites: listed(reaction.requisites),
    warnings: listed(reaction.warnings),
    failures: listed(reaction.failures),
    claimed: stamp(reaction.claimedAt),
    started: started === undefined ? undefined : get(started.data, '_stamp'),
    ended: stamp(reaction.endedAt),
    lease_until: stamp(reaction.leaseUntil),
    redrivable: reaction.redrivable ? true : undefined,
    minions: minions === undefined ? undefined : await minionStories(needs, jid ?? '', minions),
    run: jid === undefined || call.kind === 'local' ? undefined : await runStory(needs, jid),
  })
}

function callFields(call: ReactionCall): Record<string, Value | undefined> {
  if (call.kind === 'refused') return {}
  const arguments_ = {
    arg: call.arg.length === 0 ? undefined : [...call.arg],
    kwarg: Object.keys(call.kwarg).length === 0 ? undefined : call.kwarg,
  }
  return call.kind === 'local' ? { tgt: call.tgt, tgt_type: call.tgtType, ...arguments_ } : arguments_
}

function listed(items: readonly string[]): string[] | undefined {
  return items.length === 0 ? undefined : [...items]
}

function stamp(at: number | undefined): string | undefined {
  return at === undefined ? undefined : stampOf(at)
}

/** How each minion of a job stands. */
export async function minionStories(needs: StoryNeeds, jid: Jid, minions: readonly MinionId[]): Promise<Mapping> {
  const [job, returns, connected] = await Promise.all([
    needs.jobs.get(jid),
    needs.jobs.returns(jid),
    needs.connections.connected(),
  ])
  const byMinion = new Map(returns.map((ret) => [ret.id, ret]))
  const now = needs.clock.now()
  return Object.fromEntries(
    minions.map((id) => {
      const ret = byMinion.get(id)
      return [id, ret === undefined ? silentStory(job, connected.has(id), now) : returnStory(ret)]
    }),
  )
}

function returnStory({ at, load }: StoredReturn): Mapping {
  return knownFields({
    state: 'returned',
    at: stampOf(at),
    success: load.success ?? (load.retcode ?? 0) === 0,
    retcode: load.retcode ?? 0,
    return: shortened(load.return ?? null),
    interrupted: load.interrupted === true ? true : undefined,
  })
}

function silentStory(job: JobRecord | undefined, connected: boolean, now: number): Mapping {
  if (job === undefined) return { state: 'unknown', reason: 'the job is no longer in the job cache (keep_jobs)' }
  const state = job.expiry > now ? 'waiting' : 'expired'
  return { state, connected, until: stampOf(job.expiry) }
}

/** What the run's `/ret` event says; a run without one goes on, or was cut off. */
async function runStory({ log }: StoryNeeds, jid: Jid): Promise<Mapping | undefined> {
  const event = (await log.find(derivedEventId(jid, 'ret')))?.event
  if (event === undefined) return undefined
  const field = (name: string): Value => get(event.data, name) ?? null
  return { at: field('_stamp'), success: field('success'), return: shortened(field('return')) }
}

/** A return as it is, or the beginning of its text where it is long. */
function shortened(value: Value): Value {
  const text = typeof value === 'string' ? value : stringifyJson(value, { ascii: false })
  if (text.length <= MOST_RETURNED) return value
  return `${pythonStr(text).slice(0, MOST_RETURNED)}… (${text.length} characters in all)`
}
