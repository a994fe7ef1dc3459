// The states of an orchestration: those that ask the master for something, and the `test` states.
import { type StateFunction, testStates } from '../../core/state/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import { parallelRunnersStep, runnerStep, waitForEventStep, wheelStep } from './master-steps.ts'
import { functionStep, stateStep } from './minion-steps.ts'
import type { StepFunction } from './step.ts'

const steps: Readonly<Record<string, StepFunction>> = {
  'salt.state': stateStep,
  'salt.function': functionStep,
  'salt.runner': runnerStep,
  'salt.wheel': wheelStep,
  'salt.parallel_runners': parallelRunnersStep,
  'salt.wait_for_event': waitForEventStep,
}

/** The step function of this name, where it is one that waits for something. */
export function stepFunction(fun: string): StepFunction | undefined {
  return Object.hasOwn(steps, fun) ? steps[fun] : undefined
}

/** Every state that an orchestration may have, as the engine verifies and binds them. */
export function orchestrationStates(
  pillar: () => Mapping,
  random: () => number,
): (fun: string) => StateFunction | undefined {
  const tests = testStates({ pillar, random })
  return (fun) => {
    const step = stepFunction(fun)
    if (step === undefined) return Object.hasOwn(tests, fun) ? tests[fun] : undefined
    const { signature } = step
    return {
      signature,
      run: () => {
        throw new Error(`${fun} does not end by itself`)
      },
    }
  }
}

/** Why a state is missing in an orchestration. */
export function whyMissing(fun: string): string {
  const known = [...Object.keys(steps), 'test.*'].join(', ')
  return `'${fun}' is not available in an orchestration, which has ${known}. States of minions run through salt.state.`
}
