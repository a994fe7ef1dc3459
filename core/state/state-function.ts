// A state function as data: what it accepts, and what to call. States of the minion and of orchestration are such.
import type { Signature } from '../arguments/index.ts'
import type { Mapping, Value } from '../value/index.ts'
import type { Results } from './listeners.ts'
import type { Low } from './low.ts'

/** What a state function knows besides its arguments. */
export interface StateContext {
  /** Nothing may be changed; a result of none says that something would be. */
  readonly test: boolean
  readonly low: Low
  /** The environment whose files are meant. */
  readonly env: string
  /** The results of the run so far. */
  readonly running: Results
}

/** A state function: `file.managed`, `test.mod_watch`, `salt.state`. */
export interface StateFunction {
  /** Parameters without a default have to be given; `varKwargs` takes every other argument. */
  readonly signature: Signature
  /**
   * Brings about the state and says so: `name`, `result`, `changes`, `comment`. `args` has every parameter, and with
   * `varKwargs` whatever else stands in the chunk. What it throws fails the state alone.
   */
  readonly run: (args: Mapping, context: StateContext) => Value | Promise<Value>
}

/** The state functions there are, by `module.function`. */
export type StateFunctions = (name: string) => StateFunction | undefined
