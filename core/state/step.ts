// A step of a run: a state function to call, how that ended, and what a turn led to.
import { get, type Mapping, type Value, withEntry } from '../value/index.ts'
import type { Low } from './low.ts'
import type { Plan, PlanNode } from './plan.ts'
import type { StateResult } from './result.ts'
import { type ActiveStep, isSet, type RunOptions, type RunState } from './run-state.ts'

/** A state function to call. What it returns is the outcome of the step. */
export interface Step {
  /** Unique in the run; a step that comes again has the same. */
  readonly id: string
  /** The key of the result it leads to. */
  readonly tag: string
  /** The chunk; where it is its `mod_watch` that is called, with `sfun` and `__reqs__`. */
  readonly low: Low
  /** Whether nothing may be changed: the run's test mode, or the test for a `prereq`. */
  readonly test: boolean
  /** Whether others go on meanwhile. */
  readonly parallel: boolean
  /** From 1. */
  readonly attempt: number
  /** Seconds to wait before it is begun, and up to how many more at random. */
  readonly wait?: { readonly seconds: number; readonly splay: number }
}

/** How a step ended. */
export interface StepOutcome {
  readonly step: string
  /** What the state function returned, or what stands for it. */
  readonly returned: Value
  /** When it began, as Salt writes it: `05:32:15.743233`, local time. */
  readonly startTime: string
  /** Milliseconds. */
  readonly duration: number
  /** The chunk was not fit to be called, so there is nothing to say but why. @default false */
  readonly refused?: boolean
  /** Seconds that were waited before it began, where that was asked. @default the seconds without splay */
  readonly waited?: number
}

/** A chunk that has its result, to be told to whoever watches the run. */
export interface SettledChunk {
  readonly tag: string
  readonly low: Low
  readonly result: StateResult
}

/** What a turn led to. */
export interface Turn {
  readonly state: RunState
  /** To be started now, all of them. */
  readonly start: readonly Step[]
  /** What got its result, in order. */
  readonly settled: readonly SettledChunk[]
  readonly done: boolean
}

/** The step that an active one of these nodes stands for. */
export function stepOf(plan: Plan, active: ActiveStep, options: RunOptions): Step {
  const node = plan.nodes[active.node]
  const low = node === undefined ? {} : (plan.chunks[node.chunk] ?? {})
  const step = {
    id: active.id,
    tag: node?.tag ?? '',
    low: active.kind === 'watch' && node !== undefined ? watching(plan, node, low) : tested(low, node?.test === true),
    test: options.test === true || node?.test === true,
    parallel: options.mode === 'parallel' || isParallel(low, node),
    attempt: active.attempt,
  }
  return active.wait === undefined ? step : { ...step, wait: active.wait }
}

/** Whether a chunk asks to run beside others; its test never does. */
export function isParallel(low: Low, node: PlanNode | undefined): boolean {
  return node?.test !== true && isSet(low, 'parallel')
}

/** What is tested once is no longer marked when it is run. */
function tested(low: Low, isTest: boolean): Low {
  return get(low, '__prereq__') === undefined ? low : withEntry(low, '__prereq__', isTest)
}

/** The chunk as its `mod_watch` sees it: with the chunks it needs, by requisite. */
function watching(plan: Plan, node: PlanNode, low: Low): Low {
  const needed: Mapping = {}
  for (const { kind, node: index } of node.needs) {
    const chunk = plan.chunks[plan.nodes[index]?.chunk ?? -1]
    const known = needed[kind]
    if (chunk !== undefined) needed[kind] = [...(Array.isArray(known) ? known : []), chunk]
  }
  const watched = withEntry(withEntry(tested(low, false), 'sfun', get(low, 'fun') ?? null), 'fun', 'mod_watch')
  return withEntry(watched, '__reqs__', needed)
}
