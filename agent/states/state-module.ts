// What a state module of the minion is: data. A state function has its signature, its doc and what it does.
import type { Signature } from '../../core/arguments/index.ts'
import type { Low, Results } from '../../core/state/index.ts'
import type { Mapping, Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import type { Call } from '../modules/module.ts'
import { signature } from '../modules/signature.ts'
import type { Accumulators } from './accumulators.ts'

/** A module: its functions by their names without the module's. `mod_watch` is what a fired `watch` calls. */
export interface StateModule {
  readonly name: string
  readonly functions: Readonly<Record<string, AgentState>>
}

/** One state function of the minion. */
export interface AgentState {
  readonly signature: Signature
  /** What `sys.state_doc` prints, without indentation; its end shows the state in an SLS file. */
  readonly doc: string
  /** Brings about the state. What it throws fails this state alone, with the error's words. */
  run(args: Arguments, call: StateCall): StateReturn | Promise<StateReturn>
}

/** What a state function sees: all that an execution function sees, and its place in the run. */
export interface StateCall extends Call {
  /** Nothing may be changed; a result of null says that something would be. */
  readonly test: boolean
  readonly low: Low
  /** The environment whose files are meant. */
  readonly env: string
  /** The results of the run so far. */
  readonly running: Results
  /** What the run has gathered for files. */
  readonly accumulators: Accumulators
}

/** What every state function returns; further fields pass through to the result. */
export interface StateReturn extends Mapping {
  name: Value
  /** null: would change, in test mode. */
  result: boolean | null
  changes: Mapping
  /** A list becomes lines. */
  comment: string | string[]
}

/** Writes a state function down: Python's signature without the module's own words, its doc, what it does. */
export function defineState(params: string, doc: string, run: AgentState['run']): AgentState {
  return { signature: signature(params), doc: doc.trim(), run }
}

/** The end of a doc: the lines of an SLS file that a user can copy. */
export function slsExample(text: string): string {
  return `\n\n.. code-block:: yaml\n\n${text
    .trim()
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n')}`
}
