// A scheduled job made of the keywords of `schedule.add`, as Salt's build_schedule_item makes it.
import { isList, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { mapOf } from '../beacons/entry.ts'
import { parseMoment } from './moment.ts'

const elements = ['seconds', 'minutes', 'hours', 'days'] as const
const further = [
  'range',
  'when',
  'once',
  'once_fmt',
  'cron',
  'returner',
  'after',
  'return_config',
  'return_kwargs',
  'until',
  'run_on_start',
  'skip_during_range',
] as const

/** The options a job is listed with. */
export const listedOptions: ReadonlySet<string> = new Set([
  ...elements,
  ...further,
  'name',
  'maxrunning',
  'function',
  'splay',
  'jid_include',
  'args',
  'kwargs',
  'enabled',
  'return_job',
  'metadata',
  'run_after_skip_range',
])

/** The job, or what is wrong with the keywords. `prefix` begins the sentence about options that do not go together. */
export function buildItem(name: string, given: Mapping, now: number, prefix = ''): Mapping | string {
  const conflict = conflictOf(given)
  if (conflict !== undefined) return conflict.startsWith('Unable to use "when"') ? conflict : `${prefix}${conflict}`
  const job: Mapping = { function: given.function ?? null }
  const take = (keys: readonly string[]): void => {
    for (const key of keys) if (given[key] !== undefined) job[key] = given[key]
  }
  take([...elements, 'return_job', 'metadata'])
  if (given.job_args !== undefined) {
    if (!isList(given.job_args)) return 'job_args is not a list. please correct and try again.'
    job.args = given.job_args
  }
  if (given.job_kwargs !== undefined) {
    if (mapOf(given.job_kwargs) === undefined) return 'job_kwargs is not a dict. please correct and try again.'
    job.kwargs = given.job_kwargs
  }
  job.maxrunning = given.maxrunning ?? 1
  job.name = given.name ?? name
  job.enabled = given.enabled ?? true
  job.jid_include = given.jid_include ?? true
  take(['splay'])
  const invalid = (isList(given.when) ? given.when : given.when === undefined ? [] : [given.when]).find(
    (when: Value) => parseMoment(pythonStr(when), now) === undefined,
  )
  if (invalid !== undefined) return `Schedule item ${pythonStr(invalid)} for "when" in invalid.`
  take(further)
  return job
}

function conflictOf(given: Mapping): string | undefined {
  const isTimed = elements.some((element) => given[element] !== undefined)
  if (isTimed && (given.when !== undefined || given.cron !== undefined))
    return 'Unable to use "seconds", "minutes", "hours", or "days" with "when" or "cron" options.'
  if (given.when !== undefined && given.cron !== undefined)
    return 'Unable to use "when" and "cron" options together.  Ignoring.'
  return undefined
}
