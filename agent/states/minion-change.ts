// States of the running minion itself: its schedule and its beacons, changed by their modules over its bus.
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { fine, would, wrong } from './outcome.ts'
import type { StateCall, StateReturn } from './state-module.ts'

/** Calls a module's function, which is told where nothing may be changed. */
export async function ask(call: StateCall, fun: string, args: Value[], kwargs: Mapping): Promise<Mapping> {
  const told = await call.salt(fun, args, { ...kwargs, ...(call.test ? { test: true } : {}) })
  return isMapping(told) ? told : {}
}

/** What is configured, by name. */
export async function listed(call: StateCall, fun: string, kwargs: Mapping): Promise<Mapping> {
  const told = await call.salt(fun, [], { return_yaml: false, ...kwargs })
  return isMapping(told) ? told : {}
}

/** What the module's function answered, as a state's return: its own words where it failed or is only asked. */
export function answered(call: StateCall, name: string, told: Mapping, words: string): StateReturn {
  const changes = isMapping(told.changes ?? null) ? (told.changes as Mapping) : {}
  const comment = pythonStr(told.comment ?? '')
  if (told.result !== true) return wrong(name, comment, changes)
  return call.test ? would(name, comment, changes) : fine(name, words, changes)
}
