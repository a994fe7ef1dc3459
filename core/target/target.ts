// What targeting is about: a minion as the master or the minion itself knows it, and a test of one.
import type { MinionId } from '../event/event.ts'
import type { Dict, Mapping, Value } from '../value/value.ts'

/** What a target may ask about. */
export interface TargetMinion {
  readonly id: MinionId
  readonly grains: Mapping | Dict
  readonly pillar: Mapping | Dict
}

/** A compiled target. */
export type TargetTest = (minion: TargetMinion) => boolean

/** Named targets: an expression, or its words as a list. */
export type Nodegroups = Readonly<Record<string, Value | readonly string[]>>

/** Salt's `tgt_type`s. */
export const TARGET_TYPES = [
  'glob',
  'pcre',
  'list',
  'grain',
  'grain_pcre',
  'pillar',
  'pillar_pcre',
  'pillar_exact',
  'ipcidr',
  'nodegroup',
  'compound',
  'compound_pillar_exact',
] as const

/** One of {@link TARGET_TYPES}. */
export type TargetType = (typeof TARGET_TYPES)[number]

/** Salt's separator of keys in grain and pillar targets. */
export const DELIMITER = ':'

/** The target that nobody is. */
export const nobody: TargetTest = () => false
