// EventBridge's event patterns, as they are once read.
import type { Network } from '../../target/ip.ts'

/** A value that is met exactly. Numbers are numbers however they are written: 1, 1.0 and 1e0 are one. */
export type Scalar = string | number | bigint | boolean | null

/** What is asked of the beginning, the end or the whole of a text. */
export type TextTest =
  | { readonly kind: 'prefix' | 'suffix'; readonly text: string; readonly ignoreCase: boolean }
  | { readonly kind: 'equals-ignore-case'; readonly text: string }
  /** The literal parts between the stars. */
  | { readonly kind: 'wildcard'; readonly parts: readonly string[] }

/** One bound of a `numeric` test. */
export interface NumericBound {
  readonly operator: '=' | '<' | '<=' | '>' | '>='
  readonly value: number | bigint
}

/** One of the tests in a field's list; a field is met by any of them. */
export type FieldTest =
  | { readonly kind: 'equals'; readonly value: Scalar }
  | TextTest
  | { readonly kind: 'numeric'; readonly bounds: readonly NumericBound[] }
  | { readonly kind: 'cidr'; readonly network: Network }
  | { readonly kind: 'exists'; readonly wanted: boolean }
  /** Met by a value that is there and meets none of these. */
  | { readonly kind: 'anything-but'; readonly tests: readonly (TextTest | Extract<FieldTest, { kind: 'equals' }>)[] }

/** What is asked of one field: a list of tests, of which one must be met, or a pattern for the map below it. */
export type FieldPattern =
  | { readonly name: string; readonly tests: readonly FieldTest[]; readonly written: string }
  | { readonly name: string; readonly below: EventPattern }

/** A pattern: all its fields are met, and of each `$or` one pattern. */
export interface EventPattern {
  readonly fields: readonly FieldPattern[]
  readonly alternatives: readonly (readonly EventPattern[])[]
}
