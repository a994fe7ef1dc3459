// What a state returns, and what a run keeps of it.
import { entries, get, isList, isMap, type Mapping, mapOf, pythonStr, pythonTruth, type Value } from '../value/index.ts'

/**
 * The result of one chunk as Salt returns it: `name`, `result`, `changes`, `comment`, whatever else the function says, then
 * `__sls__`, `__run_num__`, `start_time`, `duration`, `__id__`. One that did not run has `__state_ran__: false`.
 */
export type StateResult = Mapping

/** Whether a result is true, false, or, in test mode, undecided. */
export function resultOf(result: StateResult): boolean | null {
  const value = result.result
  return value === undefined || value === null ? null : pythonTruth(value)
}

/** Whether the state was called at all, and not passed over for what it requires. */
export function hasRun(result: StateResult): boolean {
  return result.__state_ran__ !== false && !pythonStr(result.comment ?? '').startsWith(REQUISITE_FAILED)
}

/** How the comment of a state begins that was not called because something it requires failed. */
export const REQUISITE_FAILED = 'One or more requisite failed: '

/** Whether anything changed. */
export function hasChanges(result: StateResult): boolean {
  return pythonTruth(result.changes ?? null)
}

/** What a state function returned, made whole: a comment that is a list becomes lines, a result true, false or none. */
export function unified(returned: Value): StateResult {
  const fault = faultOf(returned)
  if (fault !== undefined || !isMap(returned)) {
    return { result: false, name: 'later', changes: {}, comment: `An exception occurred in this state: ${fault}` }
  }
  const result: StateResult = Object.fromEntries(entries(returned).map(([key, value]) => [pythonStr(key), value]))
  const { comment } = result
  if (isList(comment)) result.comment = comment.map(pythonStr).join('\n')
  result.result = resultOf(result)
  return result
}

function faultOf(returned: Value): string | undefined {
  if (!isMap(returned)) return 'Malformed state return. Data must be a dictionary type.'
  if (!isMap(get(returned, 'changes') ?? null)) return "'Changes' should be a dictionary."
  const missing = ['name', 'result', 'changes', 'comment'].filter((key) => get(returned, key) === undefined)
  if (missing.length === 0) return undefined
  return `The following keys were not present in the state return: ${missing.join(', ')}.`
}

/** The same result with further fields at its end; fields it has keep their place. */
export function withFields(result: StateResult, fields: Mapping): StateResult {
  return mapOf([...Object.entries(result), ...Object.entries(fields)]) as StateResult
}
