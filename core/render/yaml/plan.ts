// What a document becomes before its holes are filled: values where they are known, recipes where they are not.
import type { Value } from '../../value/value.ts'
import type { Chomping } from './scan-block.ts'
import type { ScalarStyle } from './token.ts'

/** A scalar that needs nothing more. */
export interface ConstantPlan {
  readonly kind: 'constant'
  readonly value: Value
}

/** A scalar with holes: pieces of text, and numbers of holes. */
export interface TextPlan {
  readonly kind: 'text'
  readonly parts: readonly (string | number)[]
  readonly style: ScalarStyle
  readonly chomping: Chomping | undefined
  readonly indent: number
  /** Whether the filled text is typed as a plain scalar is. */
  readonly typed: boolean
  readonly tag: string | undefined
  readonly at: number
}

/** Anything that may be named by an alias, and then is one value in several places. */
interface Shareable {
  /** Its place in the memory of one filling; -1 where it occurs once. */
  share: number
}

/** A list. */
export interface ListPlan extends Shareable {
  readonly kind: 'list'
  readonly items: readonly Plan[]
}

/** A map whose keys are known, distinct, and at home in a plain object. */
export interface MapPlan extends Shareable {
  readonly kind: 'map'
  readonly keys: readonly string[]
  readonly values: readonly Plan[]
}

/** A map whose keys are known and distinct, in a Dict. */
export interface DictPlan extends Shareable {
  readonly kind: 'dict'
  readonly keys: readonly Value[]
  readonly values: readonly Plan[]
}

/** A key, its text as YAML compares it when merging, and its value. */
export interface Entry {
  readonly key: ConstantPlan | TextPlan
  readonly text: string
  readonly value: Plan
  readonly at: number
}

/** A map that has to be put together when the holes are known. */
export interface OpenMapPlan extends Shareable {
  readonly kind: 'openMap'
  readonly own: readonly Entry[]
  readonly merged: readonly (Entry | TextPlan)[]
  readonly at: number
}

/** Any recipe for a value. */
export type Plan = ConstantPlan | TextPlan | ListPlan | MapPlan | DictPlan | OpenMapPlan

/** A parsed document. Immutable and free of data, so it may be kept and filled any number of times. */
export interface ParsedDocument {
  readonly root: Plan
  readonly text: string
  readonly name: string | undefined
  /** How many values of it occur in several places. */
  readonly shares: number
}

/** `name` stands in errors: the file the text comes from. */
export interface YamlSource {
  readonly name?: string
}
