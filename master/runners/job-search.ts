// Which jobs a search means: by function, target, metadata and time, as `jobs.list_jobs` takes them.
import { matchTag } from '../../core/event/tag-glob.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { JobRecord } from '../ports.ts'
import { RunError } from '../run.ts'

type Named = Readonly<Record<string, Value>>

/** Whether a job is among those that `search_function`, `search_target` and `search_metadata` mean. */
export function isSearched(job: JobRecord, named: Named): boolean {
  const functions = patternsOf(named.search_function)
  const targets = patternsOf(named.search_target)
  const metadata = named.search_metadata ?? null
  const funs = (Array.isArray(job.fun) ? job.fun : [job.fun]).map(pythonStr)
  if (functions.length > 0 && !funs.some((fun) => functions.some((pattern) => matchTag(pattern, fun)))) return false
  const names = [...(Array.isArray(job.tgt) ? job.tgt : [job.tgt]).map(pythonStr), ...job.minions]
  if (targets.length > 0 && !names.some((name) => targets.some((pattern) => matchTag(pattern, name)))) return false
  if (!isMapping(metadata) || Object.keys(metadata).length === 0) return true
  const own = metadataOf(job)
  return Object.entries(metadata).some(([key, value]) => own !== undefined && own[key] === value)
}

/** What a job was told about itself: by the client, or as the keyword `metadata` of its function. */
export function metadataOf(job: Pick<JobRecord, 'metadata' | 'arg'>): Mapping | undefined {
  if (job.metadata !== undefined) return job.metadata
  for (const arg of job.arg) {
    if (!isMapping(arg) || arg.__kwarg__ !== true) continue
    const { metadata = null } = arg
    if (isMapping(metadata)) return metadata
  }
  return undefined
}

function patternsOf(value: Value | undefined): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).flatMap((one) =>
    pythonStr(one)
      .split(',')
      .map((part) => part.trim()),
  )
}

/**
 * `start_time` and `end_time` as microseconds: whatever `Date` reads, taken as UTC, with Salt's comma after the year
 * allowed. Throws where it is no time.
 */
export function timesOf(named: Named): { since?: number; until?: number } {
  const micros = (name: string): number | undefined => {
    const value = named[name] ?? null
    if (value === null || value === '') return undefined
    const text = pythonStr(value)
    const time = Date.parse(`${text.replace(/^(\d{4}),/, '$1').replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ')} UTC`)
    if (Number.isNaN(time)) throw new RunError(`${name} is no time: ${text}. Write it as 2026-11-21 05:30.`)
    return time * 1000
  }
  const since = micros('start_time')
  const until = micros('end_time')
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
}
