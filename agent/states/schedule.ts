// Salt's `schedule` states: jobs of the running minion.
import type { Mapping } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { answered, ask, listed } from './minion-change.ts'
import { fine } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

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
