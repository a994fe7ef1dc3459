// What a job's outcome looks like as a return.
import type { Jid } from '../../core/event/event.ts'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
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

/** What a job's functions are called in its return: one name, or several with commas. */
export function nameOf(data: Mapping): string {
  return Array.isArray(data.fun) ? data.fun.map(pythonStr).join(',') : pythonStr(data.fun ?? '')
}

/** What every return of a job names; `data` is what the job's functions get as `__pub_*`. */
function head(jid: Jid, data: Mapping): Pick<NewReturn, 'jid' | 'fun' | 'fun_args'> {
  return { jid, fun: nameOf(data), fun_args: Array.isArray(data.arg) ? data.arg : [] }
}

/** The return of a job with one function. */
export function singleReturn(jid: Jid, data: Mapping, outcome: Outcome): NewReturn {
  return { ...head(jid, data), ...functionReturn(outcome) }
}

/** The return of a job with several functions: values by function, or a list with `multifunc_ordered`; the first bad return code. */
export function multiReturn(jid: Jid, data: Mapping, outcomes: readonly Outcome[], ordered: boolean): NewReturn {
  const parts = outcomes.map((outcome) =>
    outcome.kind === 'failed' ? { return: outcome.trace, retcode: 1 } : functionReturn(outcome),
  )
  const names = Array.isArray(data.fun) ? data.fun.map(pythonStr) : []
  const values = parts.map((part) => part.return)
  const retcode = parts.find((part) => part.retcode !== 0)?.retcode ?? 0
  const byName = Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))
  return { ...head(jid, data), return: ordered ? values : byName, retcode, success: retcode === 0 }
}

/** The return of a job that did not come to its end. */
export function failedReturn(jid: Jid, data: Mapping, words: string): NewReturn {
  return { ...head(jid, data), return: words, retcode: 1, success: false, out: 'nested' }
}

/** The return of a job that was cut off: nobody knows how far it came. */
export function interruptedReturn(jid: Jid, data: Mapping, why: string): NewReturn {
  return { ...failedReturn(jid, data, `The job was interrupted: ${why}. It was not run again.`), interrupted: true }
}
