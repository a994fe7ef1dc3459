// Which accepted minions a target means, as the master sees them now.
import type { MinionId } from '../core/event/event.ts'
import { compileTarget } from '../core/target/index.ts'
import { type Mapping, pythonStr, type Value } from '../core/value/index.ts'
import type { MasterOptions } from './options.ts'
import type { KeyRing, MinionStore } from './ports.ts'

/** The minions of a target, sorted; `missing` are names of a list that no accepted key has. */
export interface Targeted {
  readonly minions: readonly MinionId[]
  readonly missing: readonly MinionId[]
}

/** Resolves a target. An empty or unknown one means nobody, never everybody (CVE-2022-22941). */
export type ResolveTarget = (tgt: Value, tgtType: string) => Promise<Targeted>

/** Matches against accepted keys, with the grains (and pillar) last stored for each. */
export function createResolveTarget(
  keys: KeyRing,
  minions: MinionStore,
  nodegroups: MasterOptions['nodegroups'],
  pillarOf: (id: MinionId) => Mapping | undefined,
): ResolveTarget {
  return async (tgt, tgtType) => {
    const accepted = (await keys.list())
      .filter((record) => record.current?.state === 'accepted')
      .map((record) => record.id)
    if (tgtType === 'list') return listed(tgt, accepted)
    const matches = compileTarget(tgtType, targetText(tgt), { nodegroups })
    const grains = new Map((await minions.all()).map((record) => [record.id, record.grains]))
    return {
      minions: accepted
        .filter((id) => matches({ id, grains: grains.get(id) ?? {}, pillar: pillarOf(id) ?? {} }))
        .sort(),
      missing: [],
    }
  }
}

function listed(tgt: Value, accepted: readonly MinionId[]): Targeted {
  const names = Array.isArray(tgt) ? tgt.map(pythonStr) : pythonStr(tgt).split(',')
  const known = new Set(accepted)
  const wanted = [...new Set(names)].filter((name) => name !== '')
  return {
    minions: wanted.filter((name) => known.has(name)).sort(),
    missing: wanted.filter((name) => !known.has(name)),
  }
}

function targetText(tgt: Value): Value {
  return typeof tgt === 'number' || typeof tgt === 'bigint' ? String(tgt) : tgt
}
