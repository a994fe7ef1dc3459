// What becomes of a chunk when all it waits for has ended: it starts, or it has its result at once.
import { get } from '../value/index.ts'
import { type Low, lowText } from './low.ts'
import type { PlanNode } from './plan.ts'
import { type RequisiteStatus, requisiteStatus, type Settled } from './requisite-status.ts'
import { REQUISITE_FAILED, resultOf, type StateResult } from './result.ts'

/** What a chunk waited for, with the chunk it was. */
export interface Requirement extends Settled {
  readonly low: Low
  /** How the required chunk's test for a `prereq` ended, where there was one. */
  readonly tested: StateResult | undefined
}

/** A chunk starts, or it is not run, or what its test said is its result. */
export type Decision =
  | { readonly kind: 'start' }
  | { readonly kind: 'not-run'; readonly result: boolean; readonly comment: string }
  | { readonly kind: 'as-tested'; readonly tested: StateResult }

/** Salt's words, by status. */
const NOT_RUN: Readonly<Partial<Record<RequisiteStatus, string>>> = {
  skip_req: 'State was not run because requisites were skipped by another state',
  pre: 'No changes detected',
  onfail: 'State was not run because onfail req did not change',
  onchanges: 'State was not run because none of the onchanges reqs changed',
}

/** The decision on a chunk. `tested` is what its own test for a `prereq` said, where it had one. */
export function decide(requirements: readonly Requirement[], tested: StateResult | undefined): Decision {
  const status = requisiteStatus(requirements)
  const comment = NOT_RUN[status]
  if (comment !== undefined) return { kind: 'not-run', result: true, comment }
  if (status !== 'fail') return { kind: 'start' }
  if (tested !== undefined) return { kind: 'as-tested', tested }
  return {
    kind: 'not-run',
    result: false,
    comment: `${REQUISITE_FAILED}${failedOnes(requirements).join(', ')}`,
  }
}

function failedOnes(requirements: readonly Requirement[]): string[] {
  const failed = new Set<string>()
  for (const { low, result, tested } of requirements) {
    if (resultOf(tested ?? result) === false) failed.add(`${lowText(low, '__sls__')}.${lowText(low, '__id__')}`)
  }
  return [...failed]
}

/** What happens after a chunk ran: its `mod_watch` where it changed nothing while what it watches did. */
export type AfterRun = 'settle' | 'watch' | 'say-skipped'

/** Decides that. Neither a test nor a chunk that says `skip_watch` is followed by anything. */
export function afterRun(
  requirements: readonly Requirement[],
  node: PlanNode,
  changes: boolean,
  skip: boolean,
): AfterRun {
  if (node.test) return 'settle'
  const status = requisiteStatus(requirements)
  if (status === 'skip_watch') return 'say-skipped'
  return status === 'change' && !changes && !skip ? 'watch' : 'settle'
}

/** The fields by which a result is known. */
export function origin(low: Low): { readonly __sls__: string | null; readonly __id__: string | null } {
  const [sls, id] = ['__sls__', '__id__'].map((key) => (get(low, key) === undefined ? null : lowText(low, key)))
  return { __sls__: sls ?? null, __id__: id ?? null }
}
