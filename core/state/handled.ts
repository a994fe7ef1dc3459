// Which failures of a run another state was there for: `onfail` with `onfail_stop: False`.
import { entries, get, isList, isMap, pythonEquals, pythonStr, type Value } from '../value/index.ts'
import { bodyOf, type High, statesOf } from './high.ts'

/** Whether a state that failed has handlers in the high data, and they ended well. */
export function isHandled(
  tag: string,
  results: readonly (readonly [tag: string, result: Value])[],
  high: High,
): boolean {
  const [module = '', id = ''] = tag.split('_|-')
  const ended = handlersOf(module, id, high).flatMap(([state, handler]) =>
    results
      .filter(([other]) => other.startsWith(`${state}_|-${handler}_|-`))
      .map(([, result]) => (isMap(result) ? get(result, 'result') : undefined)),
  )
  return ended.includes(true) && !ended.includes(false)
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
