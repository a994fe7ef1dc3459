// One call of a compiled function: its variables, and where they are looked up beyond it.
import type { Context } from './context.ts'
import type { Datum } from './datum.ts'
import type { Program } from './program.ts'
import type { Run } from './run.ts'

/** A function's slots. A macro's activation has that of the function it was defined in as its parent. */
export class Activation {
  readonly slots: (Datum | undefined)[]
  readonly parent: Activation | undefined
  readonly context: Context
  readonly run: Run
  /** The template that an `extends` in this root named. */
  parentProgram: Program | undefined

  constructor(size: number, parent: Activation | undefined, context: Context, run: Run) {
    this.slots = new Array(size)
    this.parent = parent
    this.context = context
    this.run = run
    this.parentProgram = undefined
  }
}

/** A compiled expression. */
export type Evaluate = (activation: Activation) => Datum

/** How a statement ended. */
export const NORMAL = 0
/** A `break` was met: the loop ends. */
export const BREAK = 1
/** A `continue` was met: the loop goes on with its next item. */
export const CONTINUE = 2
/** What a statement tells the loop around it. */
export type Ending = typeof NORMAL | typeof BREAK | typeof CONTINUE

/** A compiled statement. */
export type Execute = (activation: Activation) => Ending
