// The token that stands for printed data between the template and the parsed YAML: DESIGN.md, decision 6.
import type { Value } from '../value/index.ts'

/**
 * What one token stands for. In the rendered text the token is {@link HOLE_OPEN}, the index of the hole in base 10,
 * {@link HOLE_CLOSE}.
 */
export interface Hole {
  /** What the template printed; a string that is empty never becomes a hole. */
  readonly value: Value
  /** True for `|json`, `|tojson` and `|yaml`: alone in a scalar it is the value as it is, never typed from its text. */
  readonly typed: boolean
  /** What it prints inside other text, where that is not Python's `str(value)`: the JSON or YAML of a typed hole. */
  readonly text?: string
}

/** Opens a token. Reserved: refused in a template. */
export const HOLE_OPEN = '\uE000'

/** Closes a token. Reserved: refused in a template. */
export const HOLE_CLOSE = '\uE001'
