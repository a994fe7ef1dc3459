// The `jobs` runner: what ran, what runs, what came back.
import type { Jid } from '../../core/event/event.ts'
import { jidStartTime } from '../../core/event/jid.ts'
import { get, isMap, isMapping, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { type Execute, nobodyMatched } from '../execute.ts'
import { isRun } from '../keep-run.ts'
import type { Clock, EventLog, JobRecord, JobStore, StoredReturn } from '../ports.ts'
import type { Presence } from '../presence.ts'
import { type BoundArguments, type MasterFunction, type RunContext, RunError } from '../run.ts'
import type { ResolveTarget } from '../targets.ts'
import { isSearched, metadataOf, timesOf } from './job-search.ts'
import { readOnly } from './read-only.ts'
import { runsUnderWay } from './runs-under-way.ts'

/** What the runner is made from. */
export interface JobsNeeds {
  readonly jobs: JobStore
  readonly log: EventLog
  readonly clock: Clock
  readonly execute: Execute
  readonly presence: Presence
  readonly resolve: ResolveTarget
  readonly timeout: number
}

/** Jobs that a list looks through, newest first. */
const most = 10_000

/** What is told before it is looked, in Salt's words: the master's own job cache is called so there. */
const querying = 'Querying returner: local_cache'
const queryingForJobs = 'Querying returner local_cache for jobs.'

const source = { name: 'ext_source', default: null }
const progress = { name: 'display_progress', default: false }

/** Functions of the `jobs` runner. */
export function jobsRunner(needs: JobsNeeds): Record<string, MasterFunction> {
  const jobOf = async (jid: Jid): Promise<Mapping> => {
    const job = await needs.jobs.get(jid)
    return {
      ...(job === undefined ? { Error: 'Cannot contact returner or no job with this jid' } : described(job)),
      StartTime: jidStartTime(jid),
    }
  }
  const listed = async (named: BoundArguments['named']): Promise<readonly JobRecord[]> =>
    (await needs.jobs.list({ limit: most, ...timesOf(named) })).filter((job) => isSearched(job, named))

  return {
    'jobs.active': readOnly(
      [progress],
      'Return a report on all actively running jobs from a job id centric perspective',
      ['jobs.active'],
      checked((_, tell, { print }) => active(needs, tell, print)),
    ),

    'jobs.master': readOnly(
      [],
      'Return the runners that the master executes now, of those that began within the last hour',
      ['jobs.master'],
      (_, { jid }) => runsUnderWay(needs, jid),
    ),

    'jobs.lookup_jid': readOnly(
      [{ name: 'jid' }, source, { name: 'returned', default: true }, { name: 'missing', default: false }, progress],
      'Return the printout from a previously executed job',
      ['jobs.lookup_jid 20130916125524463507'],
      checked(async ({ named }, tell) => {
        const jid = pythonStr(named.jid ?? '')
        tell(querying)
        const returns = await needs.jobs.returns(jid)
        const result: Mapping = {}
        for (const { id, load } of returns) {
          tell(id)
          if (pythonTruth(named.returned ?? true)) result[id] = load.return ?? null
        }
        if (pythonTruth(named.missing ?? false)) {
          const job = await needs.jobs.get(jid)
          for (const id of job?.minions ?? [])
            if (!returns.some((ret) => ret.id === id)) result[id] = 'Minion did not return'
        }
        const outputter = returns[0]?.load.out
        return outputter === undefined || outputter === null ? result : { outputter, data: result }
      }),
    ),

    'jobs.list_job': readOnly(
      [{ name: 'jid' }, source, progress],
      'List a specific job given by its jid',
      ['jobs.list_job 20130916125524463507'],
      checked(async ({ named }, tell) => {
        const jid = pythonStr(named.jid ?? '')
        tell(querying)
        return { jid, ...(await jobOf(jid)), Result: resultsOf(await needs.jobs.returns(jid)) }
      }),
    ),

    'jobs.print_job': readOnly(
      [{ name: 'jid' }, source],
      "Print a specific job's detail given by its jid, including the return data",
      ['jobs.print_job 20130916125524463507'],
      checked(async ({ named }) => {
        const jid = pythonStr(named.jid ?? '')
        return { [jid]: { ...(await jobOf(jid)), Result: resultsOf(await needs.jobs.returns(jid)) } }
      }),
    ),

    'jobs.exit_success': readOnly(
      [{ name: 'jid' }, source],
      'Check if a job has been executed and exit successfully',
      ['jobs.exit_success 20160520145827701627'],
      checked(async ({ named }) => {
        const jid = pythonStr(named.jid ?? '')
        const [job, returns] = await Promise.all([needs.jobs.get(jid), needs.jobs.returns(jid)])
        const byMinion = new Map(returns.map((ret) => [ret.id, ret.load]))
        return Object.fromEntries((job?.minions ?? [...byMinion.keys()]).map((id) => [id, succeeded(byMinion.get(id))]))
      }),
    ),

    'jobs.list_jobs': readOnly(
      [
        source,
        ...['outputter', 'search_metadata', 'search_function', 'search_target', 'start_time', 'end_time'].map(
          (name) => ({ name, default: null }),
        ),
        progress,
      ],
      `List the jobs there are, the newest ${most} of them at most. search_function and search_target take globs, several of
    them as a list or with commas between them; search_metadata a map, of which one pair has to be the job's`,
      [
        'jobs.list_jobs',
        "jobs.list_jobs search_function='test.*' search_target='localhost'",
        "jobs.list_jobs start_time='2015, Mar 16 19:00' end_time='2015, Mar 18 22:00'",
      ],
      checked(async ({ named }, tell) => {
        tell(queryingForJobs)
        const found = await listed(named)
        const data: Mapping = Object.fromEntries(byJid(found).map((job) => [job.jid, inList(job)]))
        return shownBy(named.outputter, data)
      }),
    ),

    'jobs.list_jobs_filter': readOnly(
      [
        { name: 'count' },
        { name: 'filter_find_job', default: true },
        source,
        { name: 'outputter', default: null },
        progress,
      ],
      'List so many of the newest jobs, without those that only ask after others',
      ['jobs.list_jobs_filter 50', 'jobs.list_jobs_filter 100 filter_find_job=False'],
      checked(async ({ named }, tell) => {
        tell(queryingForJobs)
        const count = Number(pythonStr(named.count ?? ''))
        if (!Number.isInteger(count) || count < 1)
          throw new RunError(`count is no number from 1 on: ${pythonStr(named.count ?? '')}`)
        const all = await needs.jobs.list({ limit: most })
        const asking = pythonTruth(named.filter_find_job ?? true) ? 'saltutil.find_job' : undefined
        const newest = byJid(all.filter(({ fun }) => fun !== asking)).slice(-count)
        return shownBy(
          named.outputter,
          newest.map((job) => ({ ...inList(job), JID: job.jid })),
        )
      }),
    ),

    'jobs.last_run': readOnly(
      ['ext_source', 'outputter', 'metadata', 'function', 'target', 'display_progress'].map((name) => ({
        name,
        default: null,
      })),
      'List the last job that matches',
      ['jobs.last_run', 'jobs.last_run target=nodename', "jobs.last_run function='cmd.run'"],
      checked(async ({ named }, tell) => {
        const { metadata = null, function: fun = null, target = null } = named
        if (pythonTruth(metadata) && !isMapping(metadata)) return false
        tell(queryingForJobs)
        const found = await listed({ search_metadata: metadata, search_function: fun, search_target: target })
        const last = byJid(found).at(-1)
        if (last === undefined) return false
        return { [last.jid]: { ...(await jobOf(last.jid)), Result: resultsOf(await needs.jobs.returns(last.jid)) } }
      }),
    ),
  }
}

/** Refuses another job cache than the master's, and hands over what tells progress where it is asked for. */
function checked(
  run: (bound: BoundArguments, tell: (message: string) => void, context: RunContext) => Promise<Value>,
): MasterFunction['run'] {
  return async (bound, context) => {
    const { ext_source: other = null, display_progress: wanted = false } = bound.named
    if (pythonTruth(other))
      throw new RunError(
        `There is no job cache ${pythonStr(other)}: jobs are kept by the master itself. Leave ext_source out.`,
      )
    const tell = (message: string): void => {
      if (pythonTruth(wanted)) context.progress('progress', { message })
    }
    return run(bound, tell, context)
  }
}

function shownBy(outputter: Value | undefined, data: Value): Value {
  return pythonTruth(outputter ?? null) ? { outputter: outputter ?? null, data } : data
}

function byJid(jobs: readonly JobRecord[]): JobRecord[] {
  return [...jobs].sort((a, b) => (a.jid < b.jid ? -1 : 1))
}

/** Asks every connected minion what it runs, and tells it by job. */
async function active(
  needs: JobsNeeds,
  tell: (message: string) => void,
  print: (text: string) => void,
): Promise<Value> {
  const present = new Set(await needs.presence.present())
  if (present.size === 0) {
    if ((await needs.resolve('*', 'glob')).minions.length === 0) print(nobodyMatched)
    return {}
  }
  const { returns } = await needs.execute({
    tgt: '*',
    tgtType: 'glob',
    fun: 'saltutil.running',
    timeout: needs.timeout,
    waitFor: (id) => present.has(id),
  })
  tell(`Attempting to contact minions: ${pythonStr([...returns.keys()])}`)
  const jobs = new Map<Jid, { Running: Value[]; Returned: string[] }>()
  for (const [id, load] of returns) {
    tell(`Received reply from minion ${id}`)
    for (const running of Array.isArray(load.return) ? load.return : []) {
      if (!isMapping(running) || typeof running.jid !== 'string') continue
      const entry = jobs.get(running.jid) ?? { Running: [], Returned: [] }
      entry.Running.push({ [id]: running.pid ?? 0 })
      jobs.set(running.jid, entry)
    }
  }
  const result: Mapping = {}
  for (const [jid, entry] of [...jobs].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const job = await needs.jobs.get(jid)
    result[jid] = {
      ...(job === undefined ? { StartTime: jidStartTime(jid) } : inList(job)),
      Running: entry.Running,
      Returned: (await needs.jobs.returns(jid)).map(({ id }) => id),
    }
  }
  return result
}

/** A job under Salt's headings. */
function described(job: JobRecord): Mapping {
  const metadata = metadataOf(job)
  return {
    Function: Array.isArray(job.fun) ? job.fun.map(pythonStr).join(',') : job.fun,
    Arguments: [...job.arg],
    Target: job.tgt,
    'Target-type': job.tgtType,
    User: job.user,
    ...(metadata === undefined ? {} : { Metadata: metadata }),
    ...(isRun(job) ? {} : { Minions: [...job.minions] }),
  }
}

/** The list does not name the minions, as in Salt; `list_job` does. */
function inList(job: JobRecord): Mapping {
  const { Minions: _, ...about } = described(job)
  return { ...about, StartTime: jidStartTime(job.jid) }
}

/** Each return as Salt's job cache shows it. */
function resultsOf(returns: readonly StoredReturn[]): Mapping {
  return Object.fromEntries(
    returns.map(({ id, load }) => {
      if (isRun({ fun: load.fun ?? '' })) return [id, { return: load.return ?? null }]
      const { return: value = null, retcode = 0, success = true, out } = load
      return [id, { return: value, retcode, success, ...(out === undefined ? {} : { out }) }]
    }),
  )
}

function succeeded(load: Mapping | undefined): boolean {
  if (load === undefined) return false
  const result = load.return
  const failed = result !== undefined && isMap(result) && get(result, 'result') === false
  return !failed && (load.retcode ?? 0) === 0
}
