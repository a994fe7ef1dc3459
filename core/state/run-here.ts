// Runs a plan to its end in one process, step after step as they become ready.

import { type CallWorld, callStep } from './call.ts'
import type { Plan } from './plan.ts'
import type { StateResult } from './result.ts'
import { advance, runResults } from './run.ts'
import { type RunState, stopped } from './run-state.ts'
import type { SettledChunk, Step, StepOutcome } from './step.ts'

/** How a run is watched. */
export interface RunWatch {
  /** Told of every chunk that has its result before anything else starts. */
  readonly settled?: (chunk: SettledChunk) => void | Promise<void>
  /** Told of the state after every turn, to keep it. */
  readonly turned?: (state: RunState) => void | Promise<void>
  /** Asked before each chunk is called for the first time, and may wait; `stop` calls neither it nor any after it. */
  readonly starting?: (step: Step) => Promise<'run' | 'stop'>
}

/** Runs from `state` on until nothing is left; the results by tag, in the order of their numbers. Never rejects for a state's sake. */
export async function runHere(
  plan: Plan,
  state: RunState,
  world: CallWorld,
  watch: RunWatch = {},
): Promise<Readonly<Record<string, StateResult>>> {
  const running = new Map<string, Promise<StepOutcome>>()
  let turn = advance(plan, state, world.clock.timeOfDay())
  for (;;) {
    for (const chunk of turn.settled) await watch.settled?.(chunk)
    await watch.turned?.(turn.state)
    if (turn.done) return runResults(turn.state)
    const { results } = turn.state
    let isStopped = false
    for (const step of turn.start) {
      isStopped ||= step.attempt === 1 && (await watch.starting?.(step)) === 'stop'
      if (!isStopped) running.set(step.id, callStep(step, results, world))
    }
    if (isStopped) {
      const active = turn.state.active.filter(({ id }) => running.has(id))
      turn = advance(plan, stopped({ ...turn.state, active }), world.clock.timeOfDay())
      continue
    }
    if (running.size === 0) return runResults(turn.state)
    const outcome = await Promise.race(running.values())
    running.delete(outcome.step)
    turn = advance(plan, turn.state, world.clock.timeOfDay(), outcome)
  }
}
