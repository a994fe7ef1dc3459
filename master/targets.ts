// Which accepted minions a target means, as the master sees them now.
import type { MinionId } from '../core/event/event.ts'
import { compileTarget, DELIMITER } from '../core/target/index.ts'
import { isMap, type Mapping, pythonStr, type Value } from '../core/value/index.ts'
import type { MasterOptions } from './options.ts'
import type { KeyRing, MinionRecord, MinionStore } from './ports.ts'

/** The minions of a target, sorted; `missing` are names of a list that no accepted key has. */
export interface Targeted {
  readonly minions: readonly MinionId[]
  readonly missing: readonly MinionId[]
}

/** Resolves a target. An empty or unknown one means nobody, never everybody (CVE-2022-22941). `delimiter` stands between the keys of grains and pillar. */
export type ResolveTarget = (tgt: Value, tgtType: string, delimiter?: string) => Promise<Targeted>

/** Matches against accepted keys, with the grains (and pillar) last stored for each. */
export function createResolveTarget(
  keys: KeyRing,
  minions: MinionStore,
  nodegroups: MasterOptions['nodegroups'],
  pillarsOf: (minions: readonly MinionRecord[]) => Promise<ReadonlyMap<MinionId, Mapping>>,
): ResolveTarget {
  return async (tgt, tgtType, delimiter = DELIMITER) => {
    const accepted = (await keys.list())
      .filter((record) => record.current?.state === 'accepted')
      .map((record) => record.id)
    if (tgtType === 'list') return listed(tgt, accepted)
    const matches = compileTarget(tgtType, targetText(tgt), { nodegroups, delimiter })
    const known = new Map((await minions.all()).map((record) => [record.id, record]))
    const asked = accepted.flatMap((id) => known.get(id) ?? [])
    const pillars = asksPillar(tgtType, tgt, nodegroups) ? await pillarsOf(asked) : undefined
    return {
      minions: accepted
        .filter((id) => matches({ id, grains: known.get(id)?.grains ?? {}, pillar: pillars?.get(id) ?? {} }))
        .sort(),
      missing: [],
    }
  }
}

/** Whether a target may look into pillars, which are compiled only then. */
function asksPillar(tgtType: string, tgt: Value, nodegroups: MasterOptions['nodegroups']): boolean {
  if (tgtType.includes('pillar')) return true
  const text = tgtType === 'nodegroup' ? pythonStr(Object.values(nodegroups).flat()) : textOf(tgt)
  return (tgtType === 'compound' || tgtType === 'nodegroup') && /[IJN][^\w\s]?@|[IJN]@/.test(text)
}

function textOf(tgt: Value): string {
  return Array.isArray(tgt) || isMap(tgt) ? JSON.stringify(tgt) : pythonStr(tgt)
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
