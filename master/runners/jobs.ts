// The `jobs` runner: what ran, what runs, what came back.

import type { Jid } from '../../core/event/event.ts'
import { jidStartTime } from '../../core/event/jid.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import { get, isMap, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Execute } from '../execute.ts'
import type { JobRecord, JobStore, StoredReturn } from '../ports.ts'
import type { Presence } from '../presence.ts'
import type { BoundArguments, MasterFunction } from '../run.ts'
import { docOf } from './runner-doc.ts'

interface JobsNeeds {
  readonly jobs: JobStore
  readonly execute: Execute
  readonly presence: Presence
  readonly timeout: number
}

/** Functions of the `jobs` runner. */
export function jobsRunner(needs: JobsNeeds): Record<string, MasterFunction> {
  const jobOf = async (jid: Jid): Promise<Mapping> => {
    const job = await needs.jobs.get(jid)
    return {
      ...(job === undefined ? { Error: 'Cannot contact returner or no job with this jid' } : described(job)),
      StartTime: jidStartTime(jid),
    }
  }

  const listed = (
    params: MasterFunction['signature']['params'],
    doc: string,
    run: (bound: BoundArguments) => Promise<Value>,
  ): MasterFunction => ({
    signature: { params },
    doc,
    readOnly: true,
    idempotent: true,
    run,
  })

  const byJid = [{ name: 'jid' }, { name: 'ext_source', default: null }, { name: 'display_progress', default: false }]

  return {
    'jobs.active': listed(
      [{ name: 'display_progress', default: false }],
      doc('Return a report on all actively running jobs from a job id centric perspective', 'active'),
      async () => active(needs),
    ),

    'jobs.lookup_jid': listed(
      [
        { name: 'jid' },
        { name: 'ext_source', default: null },
        { name: 'returned', default: true },
        { name: 'missing', default: false },
        { name: 'display_progress', default: false },
      ],
      doc('Return the printout from a previously executed job', 'lookup_jid 20130916125524463507'),
      async ({ named }) => {
        const jid = pythonStr(named.jid ?? '')
        const returns = await needs.jobs.returns(jid)
        const result: Mapping = {}
        if (named.returned !== false) for (const { id, load } of returns) result[id] = load.return ?? null
        if (named.missing === true) {
          const job = await needs.jobs.get(jid)
          for (const id of job?.minions ?? [])
            if (!returns.some((ret) => ret.id === id)) result[id] = 'Minion did not return'
        }
        return result
      },
    ),

    'jobs.list_job': listed(
      byJid,
      doc('List a specific job given by its jid', 'list_job 20130916125524463507'),
      async ({ named }) => {
        const jid = pythonStr(named.jid ?? '')
        return { jid, ...(await jobOf(jid)), Result: resultsOf(await needs.jobs.returns(jid)) }
      },
    ),

    'jobs.print_job': listed(
      byJid.slice(0, 2),
      doc(
        "Print a specific job's detail given by its jid, including the return data",
        'print_job 20130916125524463507',
      ),
      async ({ named }) => {
        const jid = pythonStr(named.jid ?? '')
        return { [jid]: { ...(await jobOf(jid)), Result: resultsOf(await needs.jobs.returns(jid)) } }
      },
    ),

    'jobs.exit_success': listed(
      byJid.slice(0, 2),
      doc('Check if a job has been executed and exit successfully', 'exit_success 20160520145827701627'),
      async ({ named }) => {
        const jid = pythonStr(named.jid ?? '')
        const [job, returns] = await Promise.all([needs.jobs.get(jid), needs.jobs.returns(jid)])
        const byMinion = new Map(returns.map((ret) => [ret.id, ret.load]))
        return Object.fromEntries((job?.minions ?? [...byMinion.keys()]).map((id) => [id, succeeded(byMinion.get(id))]))
      },
    ),

    'jobs.list_jobs': listed(
      [
        'ext_source',
        'outputter',
        'search_metadata',
        'search_function',
        'search_target',
        'start_time',
        'end_time',
        'display_progress',
      ].map((name) => ({ name, default: name === 'display_progress' ? false : null })),
      doc(
        'List all detectable jobs and associated functions',
        'list_jobs',
        "list_jobs search_function='test.*' search_target='localhost'",
        "list_jobs start_time='2015, Mar 16 19:00' end_time='2015, Mar 18 22:00'",
      ),
      async ({ named }) => {
        const found = (await needs.jobs.list({ limit: 10_000, ...between(named) })).filter((job) => wanted(job, named))
        return Object.fromEntries(
          found
            .sort((a, b) => (a.jid < b.jid ? -1 : 1))
            .map((job) => {
              // The list does not name the minions, as in Salt; `list_job` does.
              const { Minions: _, ...about } = described(job)
              return [job.jid, { ...about, StartTime: jidStartTime(job.jid) }]
            }),
        )
      },
    ),

    'jobs.last_run': listed(
      ['ext_source', 'outputter', 'metadata', 'function', 'target', 'display_progress'].map((name) => ({
        name,
        default: null,
      })),
      doc('List the last job that matches', 'last_run', 'last_run target=nodename', "last_run function='cmd.run'"),
      async ({ named }) => {
        const filter = {
          search_metadata: named.metadata ?? null,
          search_function: named.function ?? null,
          search_target: named.target ?? null,
        }
        const last = (await needs.jobs.list({ limit: 10_000 }))
          .filter((job) => wanted(job, filter))
          .sort((a, b) => (a.jid < b.jid ? 1 : -1))[0]
        if (last === undefined) return false
        return { [last.jid]: { ...(await jobOf(last.jid)), Result: resultsOf(await needs.jobs.returns(last.jid)) } }
      },
    ),
  }
}

/** Asks every connected minion what it runs, and tells it by job. */
async function active(needs: JobsNeeds): Promise<Value> {
  const present = new Set(await needs.presence.present())
  if (present.size === 0) return {}
  const { returns } = await needs.execute({
    tgt: [...present],
    tgtType: 'list',
    fun: 'saltutil.running',
    timeout: needs.timeout,
    waitFor: (id) => present.has(id),
  })
  const jobs = new Map<Jid, { Running: Value[]; Returned: string[] }>()
  for (const [id, load] of returns) {
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
    const { Minions: _, ...about } = job === undefined ? ({} as Mapping) : described(job)
    result[jid] = {
      ...about,
      StartTime: jidStartTime(jid),
      Running: entry.Running,
      Returned: (await needs.jobs.returns(jid)).map(({ id }) => id),
    }
  }
  return result
}

/** A job under Salt's headings. */
function described(job: JobRecord): Mapping {
  return {
    Function: Array.isArray(job.fun) ? job.fun.map(pythonStr).join(',') : job.fun,
    Arguments: [...job.arg],
    Target: job.tgt,
    'Target-type': job.tgtType,
    User: job.user,
    ...(job.metadata === undefined ? {} : { Metadata: job.metadata }),
    Minions: [...job.minions],
  }
}

/** Each return as Salt's job cache shows it. */
function resultsOf(returns: readonly StoredReturn[]): Mapping {
  return Object.fromEntries(
    returns.map(({ id, load }) => {
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

function wanted(job: JobRecord, named: Readonly<Record<string, Value>>): boolean {
  const functions = patternsOf(named.search_function)
  const targets = patternsOf(named.search_target)
  const metadata = named.search_metadata
  const funs = (Array.isArray(job.fun) ? job.fun : [job.fun]).map(pythonStr)
  if (functions.length > 0 && !funs.some((fun) => functions.some((pattern) => matchTag(pattern, fun)))) return false
  const names = [...(Array.isArray(job.tgt) ? job.tgt : [job.tgt]).map(pythonStr), ...job.minions]
  if (targets.length > 0 && !names.some((name) => targets.some((pattern) => matchTag(pattern, name)))) return false
  if (!isMapping(metadata ?? null)) return true
  return Object.entries(metadata as Mapping).some(
    ([key, value]) => job.metadata !== undefined && job.metadata[key] === value,
  )
}

function patternsOf(value: Value | undefined): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).flatMap((one) => pythonStr(one).split(','))
}

/** `start_time` and `end_time` as microseconds: whatever `Date` reads, taken as UTC, with Salt's comma after the year allowed. */
function between(named: Readonly<Record<string, Value>>): { since?: number; until?: number } {
  const micros = (value: Value | undefined): number | undefined => {
    if (value === undefined || value === null) return undefined
    const time = Date.parse(`${pythonStr(value).replace(/^(\d{4}),/, '$1')} UTC`)
    return Number.isNaN(time) ? undefined : time * 1000
  }
  const since = micros(named.start_time)
  const until = micros(named.end_time)
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
}

function doc(what: string, ...examples: readonly string[]): string {
  return docOf(
    what,
    examples.map((example) => `jobs.${example}`),
  )
}
