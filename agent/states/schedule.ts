// Salt's `schedule` and `beacon` states: jobs and beacons of the running minion.
import { isMap, isMapping, type Mapping, pythonEquals, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

async function ask(call: StateCall, fun: string, args: Value[], kwargs: Mapping): Promise<Mapping> {
  const told = await call.salt(fun, args, { ...kwargs, ...(call.test ? { test: true } : {}) })
  return isMapping(told) ? told : {}
}

async function listed(call: StateCall, fun: string, kwargs: Mapping): Promise<Mapping> {
  const told = await call.salt(fun, [], { return_yaml: false, ...kwargs })
  return isMapping(told) ? told : {}
}

/** What the module's function answered, as a state's return: its own words where it failed or is only asked. */
function answered(call: StateCall, name: string, told: Mapping, words: string): StateReturn {
  const changes = isMapping(told.changes ?? null) ? (told.changes as Mapping) : {}
  const comment = pythonStr(told.comment ?? '')
  if (told.result !== true) return wrong(name, comment, changes)
  return call.test ? would(name, comment, changes) : fine(name, words, changes)
}

const jobs = (call: StateCall, args: Arguments): Promise<Mapping> =>
  listed(call, 'schedule.list', { show_all: true, offline: args.keywords.offline ?? false })

async function jobPresent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  if (!(name in (await jobs(call, args)))) {
    const told = await ask(call, 'schedule.add', [name], args.cleanKeywords)
    const made = answered(call, name, told, `Adding new job ${name} to schedule`)
    return call.test && made.result === null ? { ...made, changes: { [name]: 'added' } } : made
  }
  const told = await ask(call, 'schedule.modify', [name], args.cleanKeywords)
  const same = `Job ${name} in correct state`
  return told.comment === same ? fine(name, same) : answered(call, name, told, `Modifying job ${name} in schedule`)
}

function jobChange(fun: string, done: (name: string) => string) {
  return async (args: Arguments, call: StateCall): Promise<StateReturn> => {
    const name = args.text('name')
    if (!(name in (await jobs(call, args)))) return fine(name, `Job ${name} not present in schedule`)
    return answered(call, name, await ask(call, fun, [name], args.cleanKeywords), done(name))
  }
}

const jobDoc = `

name
    The job.`

/** Jobs of the schedule. */
export const schedule: StateModule = {
  name: 'schedule',
  functions: {
    present: defineState(
      'name, **kwargs',
      `Ensure that a job is in the schedule.${jobDoc}
function, job_args, job_kwargs
    What to run.
seconds, minutes, hours, days, cron, when, once
    When to run.
splay, range, until, after, maxrunning, run_on_start, return_job, metadata, enabled, persist, offline
    As \`\`schedule.add\`\` takes them.${slsExample(`
highstate-every-hour:
  schedule.present:
    - function: state.highstate
    - hours: 1
    - splay: 300`)}`,
      jobPresent,
    ),
    absent: defineState(
      'name, **kwargs',
      `Ensure that a job is not in the schedule.${jobDoc}${slsExample(`
job3:
  schedule.absent: []`)}`,
      jobChange('schedule.delete', (name) => `Removed job ${name} from schedule`),
    ),
    enabled: defineState(
      'name, **kwargs',
      `Ensure that a job of the schedule is enabled.${jobDoc}${slsExample(`
job3:
  schedule.enabled: []`)}`,
      jobChange('schedule.enable_job', (name) => `Enabled job ${name} from schedule`),
    ),
    disabled: defineState(
      'name, **kwargs',
      `Ensure that a job of the schedule is disabled.${jobDoc}${slsExample(`
job3:
  schedule.disabled: []`)}`,
      jobChange('schedule.disable_job', (name) => `Disabled job ${name} from schedule`),
    ),
  },
}

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
