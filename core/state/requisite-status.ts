// Whether what a chunk waits for lets it run: Salt's verdict on the results of its requisites.

import type { RequisiteKind } from '../sls/requisite-kinds.ts'
import { pythonTruth } from '../value/index.ts'
import { hasChanges, resultOf, type StateResult } from './result.ts'

/** A requisite and how it ended; for `prereq` that is how the test ended. */
export interface Settled {
  readonly kind: RequisiteKind
  readonly result: StateResult
}

/**
 * - `met`: run it; `change`: run it, and its `mod_watch` where that changed nothing;
 * - `fail`: something it needs failed; `pre`: what it would precede changes nothing; `onfail`, `onchanges`: no occasion;
 * - `skip_req`, `skip_watch`: what it needs asked for it not to run, or not to be told of changes.
 */
export type RequisiteStatus = 'met' | 'change' | 'fail' | 'pre' | 'onfail' | 'onchanges' | 'skip_req' | 'skip_watch'

type Finding = 'fail' | 'met' | 'change' | 'pre' | 'premet' | 'onfail' | 'onchanges' | 'onchangesmet' | 'skip_req'

/** The verdict on all requisites of a chunk, each of which has ended. */
export function requisiteStatus(settled: readonly Settled[]): RequisiteStatus {
  const byKind = new Map<RequisiteKind, StateResult[]>()
  for (const { kind, result } of settled) byKind.set(kind, [...(byKind.get(kind) ?? []), result])
  const all = new Set<Finding>()
  for (const [kind, results] of byKind) for (const finding of findingsOf(kind, results)) all.add(finding)
  return verdict(all)
}

function findingsOf(kind: RequisiteKind, results: readonly StateResult[]): Set<Finding> {
  const found = new Set<Finding>()
  for (const result of results) {
    if (pythonTruth(result.skip_req ?? null)) found.add('skip_req')
    const finding = findingOf(kind.replace(/_(?:any|all)$/, ''), result)
    if (finding !== undefined) found.add(finding)
  }
  const isMet = found.has('met')
  if (kind.endsWith('_any') || kind === 'onfail') {
    if (isMet || found.has('change')) found.delete('fail')
    if (found.has('onchangesmet')) found.delete('onchanges')
    if (isMet) found.delete('onfail')
  }
  if (kind.endsWith('_all') && found.has('onfail')) found.delete('met')
  return found
}

function findingOf(base: string, result: StateResult): Finding | undefined {
  const ended = resultOf(result)
  const ran = result.__state_ran__ === undefined || pythonTruth(result.__state_ran__)
  if (base === 'onfail') return ended === true ? 'onfail' : ran ? 'met' : undefined
  if (base === 'onchanges') return ended === false || !hasChanges(result) ? 'onchanges' : 'onchangesmet'
  if (ended === false) return 'fail'
  if (base === 'watch' && hasChanges(result)) return 'change'
  if (base === 'prereq') return ended === null ? 'premet' : 'pre'
  return ran ? 'met' : undefined
}

function verdict(found: ReadonlySet<Finding>): RequisiteStatus {
  const isTriggered = found.has('onchangesmet')
  if (found.has('fail')) return 'fail'
  if (found.has('skip_req') && (isTriggered || found.has('premet'))) return 'skip_req'
  if (found.has('skip_req') && found.has('change')) return 'skip_watch'
  if (found.has('pre')) return found.has('premet') ? 'met' : 'pre'
  if (found.has('onfail') && !isTriggered) return 'onfail'
  if (found.has('onchanges') && !isTriggered) return 'onchanges'
  if (found.has('change')) return 'change'
  return found.has('onfail') ? 'onfail' : 'met'
}
