// Salt's `beacon` states: beacons of the running minion.
import { isMap, isMapping, pythonEquals, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { answered, ask, listed } from './minion-change.ts'
import { fine } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

/** Saves the beacons where the state asks for it. */
async function saved(args: Arguments, call: StateCall, made: StateReturn): Promise<StateReturn> {
  if (!args.is('save') || made.result === false) return made
  const name = pythonStr(made.name)
  if (!call.test) await call.salt('beacons.save', [])
  const words = call.test ? `Beacon ${name} would be saved` : `Beacon ${name} saved`
  return { ...made, comment: `${pythonStr(made.comment)}\n${words}` }
}

async function beaconPresent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const data = Object.entries(args.cleanKeywords).map(([key, value]) => ({ [key]: value }))
  const current = (await listed(call, 'beacons.list', {}))[name]
  if (current === undefined) {
    const told = await ask(call, 'beacons.add', [name, data], {})
    const made = answered(call, name, told, `Adding ${name} to beacons`)
    const changes = made.result === false ? {} : { [name]: 'added' }
    return saved(args, call, { ...made, changes })
  }
  if (pythonEquals(current, data)) return saved(args, call, fine(name, `Job ${name} in correct state`))
  const told = await ask(call, 'beacons.modify', [name, data], {})
  return saved(args, call, answered(call, name, told, `Modifying ${name} in beacons`))
}

function beaconChange(fun: string, done: (name: string) => string, missing: (name: string) => string) {
  return async (args: Arguments, call: StateCall): Promise<StateReturn> => {
    const name = args.text('name')
    const current = (await listed(call, 'beacons.list', {}))[name]
    if (current === undefined) return saved(args, call, fine(name, missing(name)))
    if (call.test === false && isSwitched(current, fun)) return fine(name, done(name))
    return saved(args, call, answered(call, name, await ask(call, fun, [name], {}), done(name)))
  }
}

/** A beacon that says of itself that it is switched the way it shall be. */
function isSwitched(current: Value, fun: string): boolean {
  const wanted = fun.endsWith('enable_beacon') && !fun.endsWith('disable_beacon')
  const parts = Array.isArray(current) ? current : [current]
  return (
    fun.endsWith('able_beacon') &&
    parts.some((part) => part !== null && isMap(part) && isMapping(part) && part.enabled === wanted)
  )
}

const beaconDoc = `

name
    The beacon.`

/** Beacons. */
export const beacon: StateModule = {
  name: 'beacon',
  functions: {
    present: defineState(
      'name, save=False, **kwargs',
      `Ensure that a beacon is configured. Everything else said is its configuration.${beaconDoc}
save
    Keep it for the next start.${slsExample(`
ps:
  beacon.present:
    - save: True
    - interval: 30
    - processes:
        apache2: stopped`)}`,
      beaconPresent,
    ),
    absent: defineState(
      'name, save=False, **kwargs',
      `Ensure that a beacon is not configured.${beaconDoc}
save
    Keep that for the next start.${slsExample(`
ps:
  beacon.absent: []`)}`,
      beaconChange(
        'beacons.delete',
        (name) => `Removed ${name} from beacons`,
        (name) => `${name} not configured in beacons`,
      ),
    ),
    enabled: defineState(
      'name, **kwargs',
      `Ensure that a beacon is enabled.${beaconDoc}${slsExample(`
ps:
  beacon.enabled: []`)}`,
      beaconChange(
        'beacons.enable_beacon',
        (name) => `Enabled ${name} from beacons`,
        (name) => `${name} not a configured beacon`,
      ),
    ),
    disabled: defineState(
      'name, **kwargs',
      `Ensure that a beacon is disabled.${beaconDoc}${slsExample(`
ps:
  beacon.disabled: []`)}`,
      beaconChange(
        'beacons.disable_beacon',
        (name) => `Disabled beacon ${name}.`,
        (name) => `Job ${name} is not configured.`,
      ),
    ),
  },
}
