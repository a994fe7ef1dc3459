// What a job's outcome looks like as a return.
import type { Mapping, Value } from '../../core/value/index.ts'
import type { NewReturn } from '../journal/journal.ts'
import type { Outcome } from '../modules/execute.ts'

/** One function's part of a return. */
export interface FunctionReturn {
  readonly return: Value
  readonly retcode: number
  readonly success: boolean
  readonly out?: string
}

/** The return of one function, as Salt's minion words it. */
export function functionReturn(outcome: Outcome): FunctionReturn {
  if (outcome.kind === 'returned') {
    const { value, retcode, out } = outcome
    return { return: value, retcode, success: retcode === 0, ...(out === undefined ? {} : { out }) }
  }
  return { return: outcome.value, retcode: 1, success: false, out: 'nested' }
}

/** What names a job in its return. */
export interface ReturnedJob {
  readonly jid: string
  readonly fun: string | readonly string[]
  readonly arg: readonly Value[]
}

/** The return of a job with one function. */
export function singleReturn(job: ReturnedJob, outcome: Outcome): NewReturn {
  return { jid: job.jid, fun: String(job.fun), fun_args: [...job.arg], ...functionReturn(outcome) }
}

/** The return of a job with several functions: maps by function, or lists with `multifunc_ordered`. */
export function multiReturn(
  job: ReturnedJob,
  names: readonly string[],
  outcomes: readonly Outcome[],
  ordered: boolean,
): NewReturn {
  const parts = outcomes.map((outcome) =>
    outcome.kind === 'failed' || outcome.kind === 'unavailable' ? failedPart(outcome) : functionReturn(outcome),
  )
  const worst = parts.find(({ retcode }) => retcode !== 0)?.retcode ?? 0
  const value: Value = ordered
    ? parts.map((part) => part.return)
    : byName(
        names,
        parts.map((part) => part.return),
      )
  return {
    jid: job.jid,
    fun: names.join(','),
    fun_args: [...job.arg],
    return: value,
    retcode: worst,
    success: worst === 0,
  }
}

function failedPart(outcome: Exclude<Outcome, { kind: 'returned' }>): FunctionReturn {
  const value = outcome.kind === 'failed' ? outcome.trace : outcome.value
  return { return: value, retcode: 1, success: false }
}

function byName(names: readonly string[], values: readonly Value[]): Mapping {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))
}
