// `manage.versions`: how the minions' versions stand to the master's.
import type { MinionId } from '../../core/event/event.ts'
import { saltVersion } from '../../core/salt-version.ts'
import type { Mapping } from '../../core/value/index.ts'

/** What a minion says of itself. */
export interface VersionedMinion {
  readonly id: MinionId
  /** The Salt it speaks like: its `test.version`. False where it could not tell. */
  readonly salt: string | false
  /** Brine's version, where it has told it. */
  readonly brine: string | undefined
}

/**
 * Salt's table: the master's version, and the minions by how they stand to it. Programs compare these with versions of Salt
 * (SaltGUI looks up faults by them), so these are what is told; of two that speak like the same Salt Brine's own version
 * decides, and is told where it is not the master's.
 */
export function versionTable(minions: readonly VersionedMinion[], own: string): Mapping {
  const groups: Record<(typeof labels)[number], Mapping> = {
    'Minion offline': {},
    'Minion requires update': {},
    'Up to date': {},
    'Minion newer than master': {},
  }
  for (const { id, salt, brine } of [...minions].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (salt === false) groups['Minion offline'][id] = false
    else {
      const bySalt = compareVersions(salt, saltVersion)
      const byBrine = brine === undefined ? 0 : compareVersions(brine, own)
      const difference = bySalt === 0 ? byBrine : bySalt
      const shown = bySalt === 0 && byBrine !== 0 ? `${salt} (Brine ${brine})` : salt
      groups[labels[Math.sign(difference) + 2] ?? 'Up to date'][id] = shown
    }
  }
  const filled = Object.entries(groups).filter(([, group]) => Object.keys(group).length > 0)
  return { Master: saltVersion, ...Object.fromEntries(filled) }
}

/** By difference, −2 for a minion that cannot tell. */
const labels = ['Minion offline', 'Minion requires update', 'Up to date', 'Minion newer than master'] as const

/** Number by number; what is no number is 0. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0))
  for (const [index, part] of (left ?? []).entries()) {
    const difference = part - (right?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return (left?.length ?? 0) - (right?.length ?? 0)
}
