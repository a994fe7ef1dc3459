// What an outputter is: a pure function from a return to the text Salt prints for it.
import { BrineError } from '../../core/error.ts'
import type { Value } from '../../core/value/index.ts'

/** What the command line and the configuration say about printing. All optional, with Salt's defaults. */
export interface OutputOptions {
  /** ANSI colours. @default false */
  readonly color?: boolean
  /** `--out-indent`: spaces a level, negative for one line, `'pretty'` sorts too, `null` for one line. @default each outputter's own */
  readonly outputIndent?: number | 'pretty' | null
  /** Show ESC in returned data as `?`. @default true */
  readonly stripColors?: boolean
  /** The return code of what is printed; `nested` turns red where it is not 0. @default 0 */
  readonly retcode?: number
  /** Spaces before every line of `nested`. @default 0 */
  readonly nestedIndent?: number
  /** `key`: indents by four, below a heading of its own. @default false */
  readonly multiKey?: boolean
  /** How `highstate` prints. */
  readonly state?: StateOutputOptions
}

/** The `state_*` settings that `highstate` obeys, by Salt's names without the prefix. */
export interface StateOutputOptions {
  /** `full`, `terse`, `mixed`, `changes`, `filter`, each also with `_id`. @default 'full' */
  readonly output?: string
  /** Print states that succeeded without a change. @default true */
  readonly verbose?: boolean
  /** Print only states that changed or failed (`--output-diff`). @default false */
  readonly diff?: boolean
  /** One aligned line a state in terse output, or the format of that line. @default false */
  readonly tabular?: boolean | string
  /** Started, Duration and total run time. @default true */
  readonly profile?: boolean
  /** Percentages in the summary. @default false */
  readonly pct?: boolean
  /** Roll up states of one ID. @default false */
  readonly compressIds?: boolean
  /** `filter`: results (`True`, `False`, `None`) that are left out. @default none */
  readonly exclude?: readonly string[]
  /** `filter`: results printed terse. @default none */
  readonly terse?: readonly string[]
}

/** Prints a return. Throws {@link Unprintable} for data it cannot print; the caller then falls back to `nested`. */
export type Outputter = (data: Value, options: OutputOptions) => string

/** The data does not have the shape an outputter needs, e.g. a list given to `highstate`. */
export class Unprintable extends BrineError {
  constructor(outputter: string, seen: string) {
    super(`The ${outputter} outputter cannot print ${seen}. It is printed with nested instead.`, {
      code: 'output-unprintable',
    })
  }
}
