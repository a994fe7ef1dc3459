// Where a run stands: plain data that is stored between two turns and read back without loss.
import { get, pythonTruth } from '../value/index.ts'
import type { Low } from './low.ts'
import type { Plan } from './plan.ts'
import type { StateResult } from './result.ts'
import type { Attempt } from './retry.ts'

/** How a run goes about it. */
export interface RunOptions {
  /** `sequential`: one chunk at a time in Salt's order. `parallel`: every chunk starts as soon as it may. */
  readonly mode: 'sequential' | 'parallel'
  /** @default false */
  readonly test?: boolean
  /** What holds for chunks without `failhard` of their own. @default false */
  readonly failhard?: boolean
  /** How many chunks may run beside each other; 0 for any number. @default 0 */
  readonly maxParallel?: number
}

/** A step that was started and has not ended. */
export interface ActiveStep {
  /** Unique in the run. */
  readonly id: string
  /** Index into the nodes of the phase. */
  readonly node: number
  readonly kind: 'run' | 'watch'
  readonly attempt: number
  /** Seconds to wait before it is begun, where it is another attempt. */
  readonly wait?: { readonly seconds: number; readonly splay: number }
}

/** `chunks`, then those that listen, then beacons, then nothing more. */
export type Phase = 'chunks' | 'listen' | 'beacon' | 'done'

/** Where a run stands. `parseJson(stringifyJson(state))` is the same state. */
export interface RunState {
  readonly options: RunOptions
  readonly phase: Phase
  /** What is run in the phases after `chunks`. */
  readonly extra: Plan
  /** The nodes of the phase that have ended. */
  readonly ended: readonly number[]
  readonly active: readonly ActiveStep[]
  /** In sequential order: the nodes before this one have been looked at. */
  readonly cursor: number
  /** Nodes before the cursor that wait for what runs beside them. */
  readonly pending: readonly number[]
  /** Results by tag, in the order in which they came. */
  readonly results: Readonly<Record<string, StateResult>>
  /** What the tests for `prereq` said, by tag. */
  readonly tests: Readonly<Record<string, StateResult>>
  /** Attempts that did not end well, by node and kind. */
  readonly attempts: Readonly<Record<string, readonly Attempt[]>>
  /** The next `__run_num__`. */
  readonly number: number
  /** What it was when the phase began. */
  readonly firstNumber: number
  /** How many numbers nodes of the phase took. */
  readonly numbersUsed: readonly (readonly [node: number, count: number])[]
  /** Nothing more of the phase starts: a chunk with `failhard` failed, or the run was stopped. */
  readonly halted: boolean
  /** Nothing more starts at all. */
  readonly stopped: boolean
  /** IDs that do not start until they are resumed; `__all__` for any. */
  readonly paused: readonly string[]
}

/** A run that has not begun. */
export function newRun(options: RunOptions): RunState {
  return {
    options,
    phase: 'chunks',
    extra: { chunks: [], nodes: [] },
    ended: [],
    active: [],
    cursor: 0,
    pending: [],
    results: {},
    tests: {},
    attempts: {},
    number: 0,
    firstNumber: 0,
    numbersUsed: [],
    halted: false,
    stopped: false,
    paused: [],
  }
}

/** The run with these IDs paused from now on (`__all__` for any); what runs goes on. */
export function paused(state: RunState, ids: readonly string[]): RunState {
  return { ...state, paused: [...new Set([...state.paused, ...ids])] }
}

/** The run with these IDs no longer paused; take a turn to start them. */
export function resumed(state: RunState, ids: readonly string[]): RunState {
  return { ...state, paused: state.paused.filter((id) => !ids.includes(id)) }
}

/** The run with nothing more to start; it is done when what runs has ended. */
export function stopped(state: RunState): RunState {
  return { ...state, halted: true, stopped: true }
}

/** Whether a flag of a chunk is set. */
export function isSet(low: Low, key: string): boolean {
  return pythonTruth(get(low, key) ?? null)
}
