// The schedule of the running minion: asked and changed over its own bus, from within it and from brine-call alike.
import { type Mapping, pythonEquals, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { dumpYaml } from '../../core/yaml-writer/index.ts'
import { mapOf } from '../beacons/entry.ts'
import { parseDate, usualFormat } from '../date-format.ts'
import { buildItem } from '../schedule/build-item.ts'
import type { Arguments } from './arguments.ts'
import { isDryRun, noMinion } from './minion-request.ts'
import { type Call, define, type ExecutionFunction, type ExecutionModule, examples } from './module.ts'
import { givingFunctions } from './schedule-others.ts'
import { askSchedule, isOffline, listedJobs, savedJobs, saveJobs } from './schedule-request.ts'

const persist = (args: Arguments): boolean => pythonTruth(args.keywords.persist ?? true)
const told = (result: boolean, comment: Value, changes?: Mapping): Mapping => ({
  comment,
  result,
  ...(changes === undefined ? {} : { changes }),
})
const nowOf = (call: Call): number => call.agent.outside.now() / 1000

async function list(args: Arguments, call: Call): Promise<Value> {
  const offline = args.is('offline')
  const jobs = await listedJobs(call, {
    showAll: args.is('show_all'),
    showDisabled: args.is('show_disabled'),
    where: args.value('where'),
    offline,
  })
  if (!args.is('return_yaml')) return jobs
  const saved = offline ? jobs : await savedJobs(call)
  const shown: Mapping = {}
  for (const [name, written] of Object.entries(jobs)) {
    const job = mapOf(written)
    shown[name] = job === undefined ? written : { ...job, saved: Object.hasOwn(saved, name) }
  }
  return dumpYaml({ schedule: shown })
}

/** What `kwargs` of add and modify say of the job; the function's own keywords are not part of it. */
function itemOf(name: string, args: Arguments, call: Call, prefix = '', usual: Mapping = {}): Mapping | string {
  return buildItem(name, { ...usual, ...args.cleanKeywords }, nowOf(call), prefix)
}

async function add(args: Arguments, call: Call): Promise<Mapping> {
  const name = args.text('name')
  const offline = isOffline(args)
  const current = await listedJobs(call, { offline })
  if (Object.hasOwn(current, name)) return told(false, `Job ${name} already exists in schedule.`, {})
  if (name === '') return told(false, 'Job name is required.', {})
  const item = itemOf(name, args, call, 'Error: ')
  if (typeof item === 'string') return told(false, item, {})
  if (isDryRun(args)) return told(true, `Job: ${name} would be added to schedule.`, {})
  if (offline) {
    await saveJobs(call.agent.opts, { ...(await savedJobs(call)), [name]: item })
    return told(true, `Added job: ${name} to schedule.`, { [name]: 'added' })
  }
  const answer = await askSchedule(call, 'add', { name, schedule: { [name]: item }, persist: persist(args) })
  return answer?.done === true
    ? told(true, `Added job: ${name} to schedule.`, { [name]: 'added' })
    : told(false, `Failed to add job ${name} to schedule.${answer === undefined ? ` ${noMinion}` : ''}`, {})
}

async function modify(args: Arguments, call: Call): Promise<Mapping> {
  const name = args.text('name')
  const offline = isOffline(args)
  const current = mapOf((await listedJobs(call, { offline }))[name])
  const item = itemOf(name, args, call, 'Error: ', current === undefined ? {} : { function: current.function ?? null })
  if (typeof item === 'string') return told(false, item, {})
  if (current === undefined) return told(false, `Job ${name} does not exist in schedule.`, {})
  if (pythonEquals(item, current)) return told(true, `Job ${name} in correct state`, {})
  const changes = { [name]: { old: current, new: item } }
  if (isDryRun(args)) return told(true, `Job: ${name} would be modified in schedule.`, changes)
  if (offline) {
    await saveJobs(call.agent.opts, { ...(await savedJobs(call)), [name]: item })
    return told(true, `Modified job: ${name} in schedule.`, changes)
  }
  const answer = await askSchedule(call, 'modify', { name, schedule: item, persist: persist(args) })
  return answer?.done === true
    ? told(true, `Modified job: ${name} in schedule.`, changes)
    : told(false, `Failed to modify job ${name} in schedule.`, changes)
}

async function remove(args: Arguments, call: Call): Promise<Mapping> {
  const name = args.text('name')
  if (isDryRun(args)) return told(true, `Job: ${name} would be deleted from schedule.`, {})
  const offline = isOffline(args)
  if (!Object.hasOwn(await listedJobs(call, { offline }), name)) return told(false, `Job ${name} does not exist.`, {})
  if (offline) {
    const { [name]: _, ...rest } = await savedJobs(call)
    await saveJobs(call.agent.opts, rest)
    return told(true, `Deleted Job ${name} from schedule.`, { [name]: 'removed' })
  }
  const answer = await askSchedule(call, 'delete', { name, persist: persist(args) })
  return answer?.done === true
    ? told(true, `Deleted Job ${name} from schedule.`, { [name]: 'removed' })
    : told(false, `Failed to delete job ${name} from schedule.`, {})
}

async function purge(args: Arguments, call: Call): Promise<Mapping> {
  const offline = isOffline(args)
  const all = await listedJobs(call, { offline })
  const names = Object.keys(all).filter((name) => !name.startsWith('__') && mapOf(all[name])?.function !== undefined)
  if (isDryRun(args))
    return {
      comment: names.map((name) => `Job: ${name} would be deleted from schedule.`),
      changes: {},
      result: true,
    }
  const comment: string[] = []
  const changes: Mapping = {}
  for (const name of names) {
    const isGone = offline || (await askSchedule(call, 'delete', { name, persist: persist(args) }))?.done === true
    comment.push(isGone ? `Deleted job: ${name} from schedule.` : `Failed to delete job ${name} from schedule.`)
    if (isGone) changes[name] = 'removed'
  }
  if (offline) {
    const left = Object.entries(await savedJobs(call)).filter(([name]) => !names.includes(name))
    await saveJobs(call.agent.opts, Object.fromEntries(left))
  }
  return { comment, changes, result: true }
}

async function runJob(args: Arguments, call: Call): Promise<Mapping> {
  const name = args.text('name')
  const job = mapOf((await listedJobs(call))[name])
  if (job === undefined) return told(false, `Job ${name} does not exist.`)
  if (job.enabled === false && !args.is('force')) return told(true, `Job ${name} is disabled.`)
  const answer = await askSchedule(call, 'run_job', { name })
  return answer?.done === true
    ? told(true, `Scheduling Job ${name} on minion.`)
    : told(false, `Failed to run job ${name} on minion.`)
}

function switchJob(enabled: boolean): ExecutionFunction['run'] {
  const [word, Done] = enabled ? ['enable', 'Enabled'] : ['disable', 'Disabled']
  return async (args, call) => {
    const name = args.text('name')
    if (isDryRun(args)) return told(true, `Job: ${name} would be ${word}d in schedule.`, {})
    if (!Object.hasOwn(await listedJobs(call), name)) return told(false, `Job ${name} does not exist.`, {})
    const answer = await askSchedule(call, `${word}_job`, { name, persist: persist(args) })
    return answer?.done === true
      ? told(true, `${Done} Job ${name} in schedule.`, { [name]: `${word}d` })
      : told(false, `Failed to ${word} job ${name} in schedule.`, {})
  }
}

function switchAll(enabled: boolean): ExecutionFunction['run'] {
  const [word, Done] = enabled ? ['enable', 'Enabled'] : ['disable', 'Disabled']
  return async (args, call) => {
    if (isDryRun(args)) return told(true, `Schedule would be ${word}d.`, {})
    const answer = await askSchedule(call, word, { persist: persist(args) })
    return answer?.done === true
      ? told(true, `${Done} schedule on minion.`, { schedule: `${word}d` })
      : told(false, `Failed to ${word} schedule on minion.${answer === undefined ? ` ${noMinion}` : ''}`, {})
  }
}

function moveRun(postpones: boolean): ExecutionFunction['run'] {
  return async (args, call) => {
    const name = args.text('name')
    const format = pythonStr(args.keywords.time_fmt ?? usualFormat)
    const time = args.textIfAny('current_time')
    const newTime = postpones ? args.textIfAny('new_time') : undefined
    if (args.textIfAny('name') === undefined) return told(false, 'Job name is required.')
    if (time === undefined) return told(false, postpones ? 'Job current time is required.' : 'Job time is required.')
    if (postpones && newTime === undefined) return told(false, 'Job new_time is required.')
    if ([time, newTime].some((one) => one !== undefined && parseDate(one, format) === undefined))
      return told(false, 'Date string could not be parsed.')
    if (!Object.hasOwn(await listedJobs(call), name)) return told(false, `Job ${name} does not exist.`)
    const more = newTime === undefined ? {} : { new_time: newTime }
    const func = postpones ? 'postpone_job' : 'skip_job'
    const answer = await askSchedule(call, func, { name, time, time_fmt: format, ...more })
    if (answer?.done !== true)
      return told(false, `Failed to ${postpones ? 'postpone' : 'skip'} job ${name} in schedule.`)
    return told(true, postpones ? `Postponed Job ${name} in schedule.` : `Added Skip Job ${name} in schedule.`)
  }
}

async function reload(_: Arguments, call: Call): Promise<Mapping> {
  const comment: string[] = []
  const pillar = mapOf(call.agent.pillar().schedule)
  const saved = await savedJobs(call)
  if (pillar === undefined && Object.keys(saved).length === 0)
    return told(true, 'Schedule not found in pillar or saved file.')
  if (pillar !== undefined) comment.push('Reloaded schedule from pillar on minion.')
  if (Object.keys(saved).length > 0) comment.push('Reloaded schedule on minion.')
  const answer = await askSchedule(call, 'reload', { schedule: saved })
  return answer === undefined ? told(false, `Failed to reload schedule on minion. ${noMinion}`) : told(true, comment)
}

const jobKeywords = `

function
    What to run. job_args is the list of its arguments, job_kwargs the dictionary of its keywords.

seconds, minutes, hours, days, cron, when, once
    When to run.

splay, range, until, after, maxrunning, run_on_start, return_job, jid_include, metadata, enabled
    As in the schedule of the configuration.

persist
    False does not save it for the next start. Default: True

offline
    True changes the saved schedule only, without a running minion.`

/** Salt's `schedule` module. */
export const schedule: ExecutionModule = {
  name: 'schedule',
  file: 'schedule',
  functions: {
    ...givingFunctions,
    list: define(
      'show_all=False, show_disabled=True, where=None, return_yaml=True, offline=False',
      `List the jobs scheduled on the minion.

show_all
    Also those whose names begin with two underscores.

show_disabled
    Also those that are disabled. Default: True

where
    \`\`opts\`\` or \`\`pillar\`\`: those alone.

offline
    What is saved, without asking a running minion.${examples("brine '*' schedule.list", "brine '*' schedule.list show_all=True")}`,
      list,
      { readOnly: true },
    ),
    is_enabled: define(
      'name=None',
      `Say whether the schedule is enabled, or return one of its jobs, empty where there is none of that name.${examples("brine '*' schedule.is_enabled name=job_name", "brine '*' schedule.is_enabled")}`,
      async (args, call) => {
        const jobs = await listedJobs(call, { showAll: false })
        const name = args.textIfAny('name')
        return name === undefined ? (jobs.enabled ?? true) : (jobs[name] ?? {})
      },
      { readOnly: true },
    ),
    build_schedule_item: define(
      'name, **kwargs',
      `Return the job that schedule.add would add.${examples("brine '*' schedule.build_schedule_item job1 function='test.ping' seconds=3600")}`,
      (args, call) => {
        const item = itemOf(args.text('name'), args, call)
        return typeof item === 'string' ? told(false, item) : item
      },
      { readOnly: true },
    ),
    add: define(
      'name, **kwargs',
      `Add a job to the schedule.${jobKeywords}${examples("brine '*' schedule.add job1 function='test.ping' seconds=3600", `brine '*' schedule.add job2 function='cmd.run' job_args="['date >> /tmp/date.log']" seconds=60`)}`,
      add,
    ),
    modify: define(
      'name, **kwargs',
      `Give a job of the schedule other options.${jobKeywords}${examples("brine '*' schedule.modify job1 function='test.ping' seconds=3600")}`,
      modify,
    ),
    delete: define(
      'name, **kwargs',
      `Delete a job from the schedule.${examples("brine '*' schedule.delete job1")}`,
      remove,
    ),
    purge: define(
      '**kwargs',
      `Delete all jobs from the schedule but the minion's own.${examples("brine '*' schedule.purge")}`,
      purge,
    ),
    run_job: define(
      'name, force=False',
      `Run a job of the schedule at once; a disabled one only with force.${examples("brine '*' schedule.run_job job1", "brine '*' schedule.run_job job1 force=True")}`,
      runJob,
    ),
    enable_job: define(
      'name, **kwargs',
      `Enable a job of the schedule.${examples("brine '*' schedule.enable_job job1")}`,
      switchJob(true),
    ),
    disable_job: define(
      'name, **kwargs',
      `Disable a job of the schedule.${examples("brine '*' schedule.disable_job job1")}`,
      switchJob(false),
    ),
    enable: define('**kwargs', `Enable the schedule.${examples("brine '*' schedule.enable")}`, switchAll(true)),
    disable: define(
      '**kwargs',
      `Disable the whole schedule.${examples("brine '*' schedule.disable")}`,
      switchAll(false),
    ),
    save: define(
      '**kwargs',
      `Save the jobs that are not the pillar's for the next start.${examples("brine '*' schedule.save")}`,
      async (args, call) => {
        if (isDryRun(args)) return told(true, 'Schedule would be saved.')
        const answer = await askSchedule(call, 'save_schedule')
        return answer?.complete === true
          ? told(true, 'Schedule (non-pillar items) saved.')
          : told(false, `Failed to save schedule.${answer === undefined ? ` ${noMinion}` : ''}`)
      },
    ),
    reload: define(
      '',
      `Read the saved schedule and the pillar's anew.${examples("brine '*' schedule.reload")}`,
      reload,
    ),
    postpone_job: define(
      'name, current_time, new_time, **kwargs',
      `Run a job at another time than one at which it is due. time_fmt is the format of both.${examples("brine '*' schedule.postpone_job job current_time new_time", "brine '*' schedule.postpone_job job current_time new_time time_fmt='%Y-%m-%dT%H:%M:%S'")}`,
      moveRun(true),
    ),
    skip_job: define(
      'name, current_time, **kwargs',
      `Leave out a run of a job that is due at that time. time_fmt is its format.${examples("brine '*' schedule.skip_job job time")}`,
      moveRun(false),
    ),
    show_next_fire_time: define(
      'name, **kwargs',
      `Say when a job is due next.${examples("brine '*' schedule.show_next_fire_time job_name")}`,
      async (args, call) => {
        const answer = await askSchedule(call, 'get_next_fire_time', { name: args.text('name') })
        return answer === undefined
          ? { result: false, comment: `next fire time not available. ${noMinion}` }
          : { result: true, next_fire_time: answer.next_fire_time ?? null }
      },
      { readOnly: true },
    ),
    job_status: define(
      `name, time_fmt='${usualFormat}'`,
      `Return a job and how it stands: when it is due, when it last ran, why it was skipped.${examples("brine '*' schedule.job_status job_name")}`,
      async (args, call) => {
        const more = { name: args.text('name'), time_fmt: args.text('time_fmt') }
        return (await askSchedule(call, 'job_status', more))?.data ?? {}
      },
      { readOnly: true },
    ),
  },
}
