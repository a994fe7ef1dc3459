// What runs when all else is done: `mod_watch` of those that listen to what changed, and `mod_beacon`.

import { REQUISITE_KEYWORDS } from '../sls/requisite-kinds.ts'
import {
  entries,
  get,
  has,
  isList,
  isMap,
  type Mapping,
  pythonEquals,
  pythonStr,
  type Value,
  withEntry,
  withoutEntry,
} from '../value/index.ts'
import { type Low, lowTag, lowText } from './low.ts'
import type { Plan } from './plan.ts'
import { hasChanges, type StateResult } from './result.ts'

/** The results so far, by tag. */
export type Results = Readonly<Record<string, StateResult>>

/** The listeners to call, and a result for each reference that leads nowhere. */
export interface Listening {
  readonly plan: Plan
  readonly errors: readonly (readonly [tag: string, result: Mapping])[]
}

interface Listener {
  readonly state: Value
  readonly name: Value
  /** The chunk that declares it; a `listen_in` names it. */
  readonly chunks: readonly Low[]
  readonly to: readonly Value[]
}

/** Which chunks' `mod_watch` is called because something they listen to changed. */
export function listening(lows: readonly Low[], results: Results): Listening {
  const called = new Map<string, Low>()
  const errors = new Map<string, Mapping>()
  for (const listener of listeners(lows)) {
    for (const [type, name] of listener.to.flatMap((reference) => references(reference, lows))) {
      const found = lows.filter((low) => isNamed(low, type, name))
      if (found.length === 0) {
        const [tag, result] = unknown(type, name)
        errors.set(tag, result)
      }
      if (!found.some((low) => changed(results, low))) continue
      if (listener.chunks.length === 0) {
        const [tag, result] = unknown(listener.state, listener.name)
        errors.set(tag, result)
      }
      for (const low of listener.chunks) {
        const watching = listenerLow(low)
        if (!called.has(lowTag(watching))) called.set(lowTag(watching), watching)
      }
    }
  }
  return { plan: freePlan([...called.values()]), errors: [...errors] }
}

function changed(results: Results, low: Low): boolean {
  const result = results[lowTag(low)]
  return result !== undefined && hasChanges(result)
}

function listeners(lows: readonly Low[]): Listener[] {
  return lows.flatMap((low) => {
    const own = get(low, 'listen')
    const inverted = get(low, 'listen_in')
    const [state, name] = [get(low, 'state') ?? null, get(low, '__id__') ?? null]
    const declared: Listener[] = []
    if (isList(own))
      declared.push({ state, name, chunks: lows.filter((other) => isNamed(other, state, name)), to: own })
    for (const target of isList(inverted) ? inverted : []) {
      if (!isMap(target)) continue
      for (const [type, wanted] of entries(target)) {
        const chunks = lows.filter((other) => isNamed(other, type, wanted))
        declared.push({ state: type, name: wanted, chunks, to: [{ [pythonStr(state)]: name }] })
      }
    }
    return declared
  })
}

/** The type and name that are listened to; a name alone means the last chunk that bears it. */
function references(reference: Value, lows: readonly Low[]): [Value, Value][] {
  if (isMap(reference)) return entries(reference)
  const low = lows.findLast((candidate) =>
    ['__id__', 'name'].some((key) => pythonEquals(get(candidate, key) ?? null, reference)),
  )
  return low === undefined ? [] : [[get(low, 'state') ?? null, get(low, '__id__') ?? null]]
}

/** By ID or name; the type itself will do as a name, as in Salt. */
function isNamed(low: Low, type: Value, name: Value): boolean {
  if (!pythonEquals(get(low, 'state') ?? null, type)) return false
  return ['state', '__id__', 'name'].some((key) => pythonEquals(get(low, key) ?? null, name))
}

function unknown(type: Value, name: Value): [string, Mapping] {
  const [state, id] = [pythonStr(type), pythonStr(name)]
  const result = {
    comment: `Referenced state ${state}: ${id} does not exist`,
    name: `listen_${state}:${id}`,
    result: false,
    changes: {},
  }
  return [`Listen_Error_|-listen_${id}_|-listen_${state}_|-Listen_Error`, result]
}

function listenerLow(low: Low): Low {
  let watching = withoutRequisites(low)
  watching = withEntry(watching, 'sfun', get(low, 'fun') ?? null)
  watching = withEntry(watching, 'fun', 'mod_watch')
  return withEntry(watching, '__id__', `listener_${lowText(low, '__id__')}`)
}

function withoutRequisites(low: Low): Low {
  let rest = low
  for (const key of REQUISITE_KEYWORDS) rest = withoutEntry(rest, key)
  return rest
}

/** The `mod_beacon` of every chunk that has `beacon`. */
export function beaconPlan(lows: readonly Low[]): Plan {
  const watched = [...new Set(lows.filter((low) => has(low, 'beacon')))]
  return freePlan(
    watched.map((low) => {
      let beacon: Low = withEntry(low, 'sfun', get(low, 'fun') ?? null)
      beacon = withEntry(beacon, 'fun', 'mod_beacon')
      return withEntry(beacon, '__id__', `beacon_${lowText(low, '__id__')}`)
    }),
  )
}

/** Chunks that wait for nothing, in this order. */
function freePlan(lows: readonly Low[]): Plan {
  return {
    chunks: lows,
    nodes: lows.map((low, chunk) => ({ chunk, tag: lowTag(low), test: false, needs: [] })),
  }
}
