// The engine of a run, as a reducer: a plan, where the run stands, what ended → what starts now.
import type { Plan } from './plan.ts'
import type { StateResult } from './result.ts'
import type { RunState } from './run-state.ts'
import { RunTurn } from './run-turn.ts'
import { type Step, type StepOutcome, stepOf, type Turn } from './step.ts'

/**
 * Takes a turn: first without an outcome, then with each outcome as it comes. An outcome of a step that is not active,
 * such as one that is told twice, changes nothing. `at` is the local time of day that chunks bear that do not run.
 */
export function advance(plan: Plan, state: RunState, at: string, outcome?: StepOutcome): Turn {
  const turn = new RunTurn(plan, state, at)
  if (outcome !== undefined) turn.end(outcome)
  turn.go()
  return turn.result()
}

/** The steps that were started and have not ended, to be taken up again after a crash. */
export function activeSteps(plan: Plan, state: RunState): readonly Step[] {
  const phase = state.phase === 'chunks' ? plan : state.extra
  return state.active.map((step) => stepOf(phase, step, state.options))
}

/** The results of a run by tag, in the order of their numbers. */
export function runResults(state: RunState): Readonly<Record<string, StateResult>> {
  const entries = Object.entries(state.results)
  return Object.fromEntries(entries.sort(([, a], [, b]) => Number(a.__run_num__ ?? 0) - Number(b.__run_num__ ?? 0)))
}
