// How a reaction stands after a run of its plan, and what that means for those that require it and for the delivery.
import { type Outcome, type Requisite, readiness } from '../core/sls/requisite.ts'
import type { Ending, Reaction } from './plan.ts'
import type { Settlement } from './ports.ts'

/** It ended, or it was put off until a time (microseconds since 1970): after a failure, or for another's lease. */
export type Standing =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'retry' | 'held'; readonly at: number }

/** What its requirements say about a reaction: go, wait for them, skip it, or put it off as they are. */
export type Verdict =
  | { readonly kind: 'go' | 'wait' }
  | { readonly kind: 'skip'; readonly ending: Ending }
  | { readonly kind: 'put-off'; readonly standing: Standing }

/** The verdict over one reaction; `standings` has `undefined` for what is not known yet. */
export function verdictOn(
  reaction: Reaction,
  reactions: readonly Reaction[],
  standings: readonly (Standing | undefined)[],
): Verdict {
  if (reaction.requisites.length === 0) return { kind: 'go' }
  const verdict = readiness(reaction.requisites, (ordinal) => outcomeOf(standings[ordinal]))
  if (verdict.kind === 'ready') return { kind: 'go' }
  if (verdict.kind === 'skipped') {
    return { kind: 'skip', ending: skippedFor(verdict.requisite.kind, verdict.chunks, reactions, standings) }
  }
  const named = reaction.requisites.flatMap(({ chunks }) => chunks)
  if (named.some((ordinal) => standings[ordinal] === undefined)) return { kind: 'wait' }
  const open = named.map((ordinal) => standings[ordinal]).find((standing) => standing?.kind !== 'ended')
  return open === undefined ? { kind: 'wait' } : { kind: 'put-off', standing: open }
}

/** The settlement of a plan in which everything ended or was put off. Tries that were used up make a dead letter. */
export function settlementOf(standings: readonly Standing[], reactions: readonly Reaction[]): Settlement {
  const retries = standings.flatMap((standing) => (standing.kind === 'retry' ? [standing.at] : []))
  if (retries.length > 0) return { kind: 'later', at: Math.max(...retries) }
  const held = standings.flatMap((standing) => (standing.kind === 'held' ? [standing.at] : []))
  if (held.length > 0) return { kind: 'later', at: Math.min(...held) }
  for (const [ordinal, standing] of standings.entries()) {
    if (standing.kind !== 'ended' || standing.ending.state !== 'failed' || standing.ending.redrivable !== true) continue
    const reaction = reactions[ordinal]
    return { kind: 'dead', reason: `${reaction?.id ?? ordinal}: ${standing.ending.reason ?? 'failed'}` }
  }
  return { kind: 'done' }
}

function outcomeOf(standing: Standing | undefined): Outcome {
  if (standing?.kind !== 'ended') return 'open'
  return endedWell(standing.ending) ? 'well' : 'badly'
}

function endedWell(ending: Ending): boolean {
  return ending.state === 'done' && ending.success !== false
}

function skippedFor(
  kind: Requisite['kind'],
  chunks: readonly number[],
  reactions: readonly Reaction[],
  standings: readonly (Standing | undefined)[],
): Ending {
  const deciding = chunks.map((ordinal) => ({ reaction: reactions[ordinal], ending: endingOf(standings[ordinal]) }))
  const how = deciding.map(
    ({ reaction, ending }) => `${reaction?.id} (${reaction?.type}.${reaction?.fun}), which ${endedAs(ending)}`,
  )
  return {
    state: 'skipped',
    reason: `${kind} of ${how.join(' and ')}`,
    ...(deciding.some(({ ending }) => ending?.redrivable === true) ? { redrivable: true } : {}),
  }
}

function endingOf(standing: Standing | undefined): Ending | undefined {
  return standing?.kind === 'ended' ? standing.ending : undefined
}

function endedAs(ending: Ending | undefined): string {
  if (ending?.state !== 'done') return `is ${ending?.state}`
  return ending.success === false ? 'did not succeed' : 'succeeded'
}
