// The syntax tree of a JMESPath expression.
import type { Value } from '../../../value/index.ts'

/** How two values are compared. */
export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>='

/** One node; `of` is what the node is applied to. */
export type Expression =
  | { readonly kind: 'current' }
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'chain' | 'pipe' | 'or' | 'and'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly start?: number; readonly stop?: number; readonly step?: number }
  | { readonly kind: 'flatten'; readonly of: Expression }
  | { readonly kind: 'project' | 'values'; readonly of: Expression; readonly each: Expression }
  | { readonly kind: 'filter'; readonly of: Expression; readonly test: Expression; readonly each: Expression }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly pairs: readonly (readonly [string, Expression])[] }
  | { readonly kind: 'compare'; readonly operator: Comparator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'reference'; readonly of: Expression }

/** `@`: what an expression is applied to. */
export const CURRENT: Expression = { kind: 'current' }
