// The tokens between a YAML text and its nodes.
import type { Chomping } from './scan-block.ts'
import type { Directive, TagText } from './scan-property.ts'

/** How a scalar was written. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

/** Tokens that carry nothing but their kind. */
export type BareKind =
  | 'streamEnd'
  | 'documentStart'
  | 'documentEnd'
  | 'blockSequence'
  | 'blockMapping'
  | 'blockEnd'
  | 'flowSequence'
  | 'flowSequenceEnd'
  | 'flowMapping'
  | 'flowMappingEnd'
  | 'blockEntry'
  | 'flowEntry'
  | 'key'
  | 'value'

/** What a scalar is before it has a type. Block scalars know their chomping and the column of their lines. */
export interface ScalarText {
  readonly value: string
  readonly style: ScalarStyle
  readonly chomping?: Chomping
  readonly indent?: number
}

/** One token; `at` is where it begins. */
export type Token =
  | { readonly kind: BareKind; readonly at: number }
  | { readonly kind: 'anchor' | 'alias'; readonly at: number; readonly name: string }
  | { readonly kind: 'tag'; readonly at: number; readonly tag: TagText }
  | { readonly kind: 'directive'; readonly at: number; readonly directive: Directive }
  | { readonly kind: 'scalar'; readonly at: number; readonly scalar: ScalarText }

/** The name of any token. */
export type TokenKind = Token['kind']
