// A plan: the chunks of a run in the order in which Salt runs them, and what each waits for. Plain data, to be stored.

import type { RequisiteKind } from '../sls/requisite-kinds.ts'
import type { Low } from './low.ts'

/** One thing that a moment of the run waits for, and why. */
export interface Need {
  readonly kind: RequisiteKind
  /** Index into the plan's nodes; always smaller than that of the node that needs it. */
  readonly node: number
}

/** A moment of the run: a chunk is run, or tested for another one's `prereq`. */
export interface PlanNode {
  /** Index into the plan's chunks. */
  readonly chunk: number
  readonly tag: string
  /** Tested only, as if by `test=True`; what it says is kept apart from what the chunk does when it is run. */
  readonly test: boolean
  readonly needs: readonly Need[]
}

/** What a run is made of. `parseJson(stringifyJson(plan))` is the same plan. */
export interface Plan {
  readonly chunks: readonly Low[]
  readonly nodes: readonly PlanNode[]
}

/** The chunks in order as `state.show_lowstate` prints them: one that is tested first stands there twice. */
export function lowstate(plan: Plan): readonly Low[] {
  return plan.nodes.map(({ chunk }) => plan.chunks[chunk]).filter((low) => low !== undefined)
}
