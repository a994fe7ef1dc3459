// Cloud maps: which machines of which profile there are to be, and what is said of each alone.
import { BrineError } from '../error.ts'
import { renderSls, SALT_FUNCTIONS, yamlTools } from '../render/index.ts'
import { entries, get, isList, isMap, type Mapping, pythonStr, type Value } from '../value/index.ts'

/** A machine of a map. */
export interface MappedMachine {
  readonly name: string
  readonly profile: string
  /** Settings over the profile's. */
  readonly over: Mapping
  /** Names of machines that are made before it. */
  readonly requires: readonly string[]
}

/** The document of a map's file, which is Jinja and YAML as Salt's is; a template sees functions that need no outside. */
export function renderMap(name: string, text: string): Value {
  return renderSls({ name, text }, { context: {}, salt: { pure: SALT_FUNCTIONS }, yaml: yamlTools }).document
}

/** Reads a map: below a profile names, names with settings, or one name. Throws `cloud-map` for what is none. */
export function readMap(document: Value): readonly MappedMachine[] {
  if (!isMap(document)) throw wrong('A map is profiles with names of machines below them.')
  const machines = entries(document).flatMap(([key, mapped]) => {
    const profile = pythonStr(key)
    if (profile === 'include') throw wrong('include is not followed in a map. Write all profiles into one file.')
    return namesBelow(mapped, profile).map(([name, settings]) => machineOf(profile, name, settings))
  })
  const names = machines.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw wrong(`The machine '${twice}' stands in the map twice.`)
  return machines
}

function namesBelow(mapped: Value, profile: string): readonly (readonly [name: string, settings: Value])[] {
  if (isMap(mapped)) return entries(mapped).map(([name, settings]) => [pythonStr(name), settings] as const)
  if (isList(mapped))
    return mapped.flatMap((each) =>
      isMap(each)
        ? entries(each).map(([name, settings]) => [pythonStr(name), settings] as const)
        : [[pythonStr(each), null] as const],
    )
  if (mapped === null) throw wrong(`The profile '${profile}' has no machines below it.`)
  return [[pythonStr(mapped), null]]
}

/** Salt's older words for settings of a map. */
const older = /^map_(grains|master|minion|volumes|requires)$/

function machineOf(profile: string, name: string, settings: Value): MappedMachine {
  if (settings !== null && typeof settings !== 'boolean' && !isMap(settings))
    throw wrong(`Below the machine '${name}' stand settings: key: value.`)
  const given: Record<string, Value> = {}
  for (const [key, value] of isMap(settings) ? entries(settings) : [])
    given[pythonStr(key).replace(older, '$1')] = value
  const { requires = [], name: own = name, ...over } = given
  const before = isList(requires) ? requires : [requires]
  return { name: pythonStr(own), profile, over, requires: before.map(pythonStr) }
}

/**
 * The machines in the order in which they are made: each group after those that it requires, machines of one group beside
 * each other. What is `there` already is required by nobody any more. Throws `cloud-map` for a loop and for one that is missing.
 */
export function inOrder(
  machines: readonly MappedMachine[],
  there: ReadonlySet<string>,
): readonly (readonly MappedMachine[])[] {
  const known = new Set([...machines.map(({ name }) => name), ...there])
  for (const { name, requires } of machines)
    for (const each of requires)
      if (!known.has(each)) throw wrong(`Missing dependency in cloud map: '${name}' requires '${each}'.`)
  const groups: MappedMachine[][] = []
  const made = new Set(there)
  for (let left = [...machines]; left.length > 0; ) {
    const next = left.filter(({ requires }) => requires.every((each) => made.has(each)))
    if (next.length === 0) throw wrong('Uh-oh, that cloud map has a dependency loop!')
    groups.push(next)
    for (const { name } of next) made.add(name)
    left = left.filter((machine) => !next.includes(machine))
  }
  return groups
}

/** The map with the machines of these names alone. */
export function onlyNamed(machines: readonly MappedMachine[], names: readonly string[]): readonly MappedMachine[] {
  return names.length === 0 ? machines : machines.filter(({ name }) => names.includes(name))
}

/** Of `Absent` and what is told of the machines of a map: those that are there, and in one of these states. */
export function machinesThere(told: Value, states?: readonly string[]): string[] {
  if (!isMap(told)) return []
  return entries(told).flatMap(([alias, drivers]) =>
    alias === 'Errors' || !isMap(drivers)
      ? []
      : entries(drivers).flatMap(([, machines]) =>
          (isMap(machines) ? entries(machines) : []).flatMap(([name, machine]) => {
            const state = isMap(machine) ? pythonStr(get(machine, 'state') ?? '') : undefined
            return state === undefined || (states !== undefined && !states.includes(state)) ? [] : [pythonStr(name)]
          }),
        ),
  )
}

function wrong(message: string): BrineError {
  return new BrineError(message, { code: 'cloud-map' })
}
