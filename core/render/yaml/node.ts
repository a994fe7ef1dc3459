// The nodes of a YAML document: what was written, before it has types.
import type { ScalarText } from './token.ts'

/** A scalar. `tag` is the full tag where one was written; `!` alone counts as none and asks for the usual typing. */
export interface ScalarNode {
  readonly kind: 'scalar'
  readonly at: number
  readonly tag: string | undefined
  readonly text: ScalarText
  /** Whether the type follows from the text: written plain, or tagged `!`. */
  readonly typed: boolean
}

/** A list. */
export interface SequenceNode {
  readonly kind: 'sequence'
  readonly at: number
  readonly tag: string | undefined
  readonly items: readonly Node[]
}

/** A map, its pairs in the order written, duplicates and merge keys still in. */
export interface MappingNode {
  readonly kind: 'mapping'
  readonly at: number
  readonly tag: string | undefined
  readonly pairs: readonly Pair[]
}

/** A key and its value. */
export type Pair = readonly [key: Node, value: Node]

/** Any node. An alias is the very node it names. */
export type Node = ScalarNode | SequenceNode | MappingNode

/** The prefix of YAML's own tags, `!!`. */
export const YAML_TAG = 'tag:yaml.org,2002:'
