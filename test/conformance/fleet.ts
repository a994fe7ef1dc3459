// The fleet of fleet.json, for the suites of targets and top files.
import type { Nodegroups, TargetMinion, TargetTest } from '../../core/target/index.ts'
import { entries, get, isMap, type Value } from '../../core/value/index.ts'
import type { Companions } from './suite.ts'

/** Minions with grains and pillar, and nodegroups. */
export interface Fleet {
  readonly minions: readonly TargetMinion[]
  readonly nodegroups: Nodegroups
}

/** Reads fleet.json. */
export function readFleet(companions: Companions): Fleet {
  const fleet = companions.json('fleet.json')
  const minions = entries(part(fleet, 'minions')).map(([id, minion]): TargetMinion => {
    return { id: String(id), grains: part(minion, 'grains'), pillar: part(minion, 'pillar') }
  })
  return { minions, nodegroups: Object.fromEntries(entries(part(fleet, 'nodegroups'))) }
}

/** The ids of the minions that pass, in the fleet's order. */
export function matchedBy(fleet: Fleet, test: TargetTest): Value {
  return fleet.minions.filter(test).map(({ id }) => id)
}

function part(map: Value, key: string): TargetMinion['grains'] {
  const value = isMap(map) ? get(map, key) : undefined
  if (value === undefined || !isMap(value)) throw new Error(`fleet.json has no map at ${key}`)
  return value
}
