// Which IDs a name means: the ID itself, a file, or a state whose argument has that value.
import { Dict, entries, get, isList, isMap, pythonEquals, size, type Value } from '../value/index.ts'
import { bodyOf, type High, statesOf } from './high.ts'

/** An ID and one of its states. */
export type Place = readonly [id: Value, state: string]

/**
 * The IDs that a name means. Strictly, an ID means itself only where it has that state. `sls` means every ID of a file,
 * each with whatever its body begins with. Any argument of one key whose value is the name will do, as in Salt.
 */
export function findName(name: Value, state: string, high: High, strict: boolean): Place[] {
  const own = high.get(name)
  if (own !== undefined && (!strict || holds(own, state))) return [[name, state]]
  const found: Place[] = []
  for (const id of high.keys()) {
    const body = bodyOf(high, id)
    if (body === undefined) continue
    if (state === 'sls') {
      const [first] = body.keys()
      if (pythonEquals(body.get('__sls__') ?? null, name)) found.push([id, String(first ?? '')])
      continue
    }
    const args = body.get(state)
    if (!isList(args)) continue
    for (const argument of args) {
      const [pair] = isMap(argument) && size(argument) === 1 ? entries(argument) : []
      if (pair !== undefined && pythonEquals(pair[1], name)) found.push([id, state])
    }
  }
  return found
}

/** Every state of every ID of a file. */
export function findSlsStates(sls: Value, high: High): Place[] {
  const found: Place[] = []
  for (const id of high.keys()) {
    const body = bodyOf(high, id)
    if (body === undefined || !pythonEquals(body.get('__sls__') ?? null, sls)) continue
    for (const [state] of statesOf(body)) found.push([id, state])
  }
  return found
}

/** The first state that bears this name. */
export function findByNameArgument(name: Value, high: High): Place | undefined {
  for (const id of high.keys()) {
    for (const [state, args] of statesOf(bodyOf(high, id) ?? new Dict())) {
      if (isList(args) && args.some((argument) => isMap(argument) && pythonEquals(get(argument, 'name') ?? null, name)))
        return [id, state]
    }
  }
  return undefined
}

function holds(body: Value, state: string): boolean {
  if (body instanceof Dict) return body.has(state)
  return isList(body) && body.includes(state)
}
