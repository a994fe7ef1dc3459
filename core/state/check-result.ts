// Whether a run went well, by its results: what decides a job's `success` and a command's exit code.
import { entries, get, isMap, type Value } from '../value/index.ts'

/**
 * Salt's `check_result`: no result is `false`, at any depth where a map has no `result` of its own. Empty maps and what is
 * no map did not go well; with `recurse`, other values inside one are passed over.
 */
export function checkResult(running: Value, recurse = false): boolean {
  if (!isMap(running)) return false
  const all = entries(running)
  return all.length > 0 && all.every(([id, result]) => went(id, result, recurse))
}

function went(id: Value, result: Value, recurse: boolean): boolean {
  if (!isMap(result)) return recurse || (id === '__extend__' && Array.isArray(result))
  const own = get(result, 'result')
  return own === undefined ? checkResult(result, true) : own !== false
}
