// Whether a run went well, by its results: what decides a job's `success` and a command's exit code.
import { entries, get, isMap, pythonStr, type Value } from '../value/index.ts'
import { isHandled } from './handled.ts'
import type { High } from './high.ts'

/** How results are looked at. */
export interface CheckOptions {
  /** Pass over values that are no map. @default false */
  readonly recurse?: boolean
  /** The high data of the run: a failure that another state handled (`onfail_stop: False`) does not count. */
  readonly high?: High | undefined
}

/**
 * Salt's `check_result`: no result is `false`, at any depth where a map has no `result` of its own. Empty maps and what is
 * no map did not go well.
 */
export function checkResult(running: Value, { recurse = false, high }: CheckOptions = {}): boolean {
  if (!isMap(running)) return false
  const all = entries(running).map(([tag, result]) => [pythonStr(tag), result] as const)
  return (
    all.length > 0 &&
    all.every(([tag, result]) => went(tag, result, recurse) || (high !== undefined && isHandled(tag, all, high)))
  )
}

function went(tag: string, result: Value, recurse: boolean): boolean {
  if (!isMap(result)) return recurse || (tag === '__extend__' && Array.isArray(result))
  const own = get(result, 'result')
  return own === undefined ? checkResult(result, { recurse: true }) : own !== false
}
