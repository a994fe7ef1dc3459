// Whether a run as a whole went well.
import { entries, get, isList, isMap, pythonEquals, pythonStr, type Value } from '../value/index.ts'
import { bodyOf, type High, statesOf } from './high.ts'
import type { Results } from './listeners.ts'
import { resultOf } from './result.ts'

/**
 * False where a state failed, unless another one that has `onfail_stop: False` was there for it and ended well; and where
 * nothing ran.
 */
export function wentWell(results: Results, high?: High): boolean {
  const all = Object.entries(results)
  return all.length > 0 && all.every(([tag, result]) => resultOf(result) !== false || isHandled(tag, results, high))
}

function isHandled(tag: string, results: Results, high: High | undefined): boolean {
  if (high === undefined) return false
  const [module = '', id = ''] = tag.split('_|-')
  const handlers = handlersOf(module, id, high)
  const ended = handlers.flatMap(([state, handler]) =>
    Object.entries(results)
      .filter(([other]) => other.startsWith(`${state}_|-${handler}_|-`))
      .map(([, result]) => resultOf(result)),
  )
  return ended.some((result) => result === true) && !ended.includes(false)
}

/** The states whose `onfail` names this one and that say they handle it. */
function handlersOf(module: string, id: string, high: High): [state: string, id: string][] {
  const handlers: [string, string][] = []
  for (const other of high.keys()) {
    const body = bodyOf(high, other)
    if (body === undefined || pythonEquals(other, id)) continue
    for (const [state, args] of statesOf(body)) {
      const given = isList(args) ? args.filter(isMap) : []
      if (!given.some((argument) => get(argument, 'onfail_stop') === false)) continue
      const named = given.flatMap((argument) => listOf(get(argument, 'onfail')))
      if (named.some((reference) => names(reference, module, id))) handlers.push([state, pythonStr(other)])
    }
  }
  return handlers
}

function names(reference: Value, module: string, id: string): boolean {
  if (!isMap(reference)) return false
  return entries(reference).some(([state, name]) => pythonStr(state) === module && pythonStr(name) === id)
}

function listOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : []
}
