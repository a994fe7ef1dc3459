// Calls the state function of one step: verified, checked, called, checked again. All that touches the world is given.
import { messageOf } from '../error.ts'
import { get, has, isMap, type Mapping, mapOf, pythonStr, pythonTruth, type Value } from '../value/index.ts'
import { type Checks, checkAfter, checkFields, checkLow, hasChecks, slotFunctions } from './check.ts'
import type { Results } from './listeners.ts'
import { type Low, lowText } from './low.ts'
import { slotsFilled } from './slots.ts'
import type { StateFunction, StateFunctions } from './state-function.ts'
import type { Step, StepOutcome } from './step.ts'
import { bindLow, verifyLow } from './verify-low.ts'

/** What calling a state needs. */
export interface CallWorld {
  readonly states: StateFunctions
  readonly checks: Checks
  readonly clock: CallClock
  /** Why a state function is missing. @default `'x.y' is not available.` */
  readonly why?: (fun: string) => string
}

/** Time, as a call needs it. */
export interface CallClock {
  /** Milliseconds from any point, with fractions. */
  readonly now: () => number
  /** The local time of day: `05:32:15.743233`. */
  readonly timeOfDay: () => string
  readonly sleep: (seconds: number) => Promise<void>
  /** From 0 up to 1. */
  readonly random: () => number
}

/**
 * Calls what a step asks for; never rejects. A function that throws, an argument it does not know and a check that cannot
 * be asked fail the state alone. `running` are the results so far.
 */
export async function callStep(step: Step, running: Results, world: CallWorld): Promise<StepOutcome> {
  const { clock } = world
  const waited = await waitFor(step, clock)
  const startTime = clock.timeOfDay()
  const began = clock.now()
  const errors = verifyLow(step.low, world.states, world.why)
  const returned =
    errors.length > 0
      ? failure(step.low, errors.map((error) => `${error}\n`).join(''))
      : await called(step, running, world)
  const duration = Math.round((clock.now() - began) * 1000) / 1000
  const outcome = { step: step.id, returned, startTime, duration, refused: errors.length > 0 }
  return waited === undefined ? outcome : { ...outcome, waited }
}

async function waitFor({ wait }: Step, clock: CallClock): Promise<number | undefined> {
  if (wait === undefined) return undefined
  const seconds = wait.seconds + (wait.splay > 0 ? Math.floor(clock.random() * (wait.splay + 1)) : 0)
  await clock.sleep(seconds)
  return seconds
}

async function called(step: Step, running: Results, world: CallWorld): Promise<Value> {
  const state = world.states(`${lowText(step.low, 'state')}.${lowText(step.low, 'fun')}`)
  if (state === undefined) return failure(step.low, '')
  const bound = bindLow(step.low, state)
  if (bound.kind === 'unknown') return failure(step.low, bound.message)
  try {
    return await checkedCall(step, state, bound.args, running, world)
  } catch (error) {
    return failure(step.low, `An exception occurred in this state: ${messageOf(error)}`)
  }
}

async function checkedCall(
  step: Step,
  state: StateFunction,
  args: Mapping,
  running: Results,
  world: CallWorld,
): Promise<Value> {
  const { low } = step
  const module = lowText(low, 'state')
  let returned: Value | undefined
  if (hasChecks(low) && world.states(`${module}.mod_run_check`) === undefined) {
    const { result, comment, skipWatch } = await checkLow(low, world.checks)
    const skip: Mapping = skipWatch ? { skip_watch: true } : {}
    if (result) returned = { ...failure(low, ''), result, comment: [...comment], ...checkFields(low), ...skip }
  }
  returned ??= await state.run(await slotsFilled(args, slotFunctions(world.checks)), {
    test: step.test,
    low,
    env: environmentOf(low),
    running,
  })
  const checksItself =
    world.states(`${module}.mod_run_check_cmd`) !== undefined &&
    state.signature.params.some(({ name }) => name === 'check_cmd')
  if (!has(low, 'check_cmd') || checksItself || !isMap(returned)) return returned
  const { result, comment } = await checkAfter(low, world.checks)
  const fields = { ...checkFields(low), result, comment }
  return mapOf([...Object.entries(returned), ...Object.entries(fields)])
}

function environmentOf(low: Low): string {
  const env = get(low, 'saltenv') ?? get(low, '__env__')
  return env === undefined || !pythonTruth(env) ? 'base' : pythonStr(env)
}

function failure(low: Low, comment: string): Mapping {
  return { result: false, name: get(low, 'name') ?? null, changes: {}, comment }
}
