// One turn of a run: what ended is noted, what may start starts, and a phase that is over leads to the next.
import { float, get, pythonStr, pythonTruth } from '../value/index.ts'
import { afterRun, decide, origin, type Requirement } from './decide.ts'
import { beaconPlan, listening } from './listeners.ts'
import type { Low } from './low.ts'
import type { Plan, PlanNode } from './plan.ts'
import { hasChanges, resultOf, type StateResult, unified, withFields } from './result.ts'
import { type Attempt, afterAttempts, isRetryDue, retryOf, textOf, withRetryNote } from './retry.ts'
import { type ActiveStep, isSet, type RunState } from './run-state.ts'
import { isParallel, type SettledChunk, type StepOutcome, stepOf, type Turn } from './step.ts'

const NOTHING: Plan = { chunks: [], nodes: [] }

/** A working copy of a run's state; the state it was made of stays as it is. */
export class RunTurn {
  readonly #plan: Plan
  readonly #at: string
  #state: RunState
  readonly #ended: Set<number>
  readonly #results: Map<string, StateResult>
  readonly #tests: Map<string, StateResult>
  readonly #used: Map<number, number>
  readonly #started: ActiveStep[] = []
  readonly #settled: SettledChunk[] = []

  constructor(plan: Plan, state: RunState, at: string) {
    this.#plan = plan
    this.#at = at
    this.#state = state
    this.#ended = new Set(state.ended)
    this.#results = new Map(Object.entries(state.results))
    this.#tests = new Map(Object.entries(state.tests))
    this.#used = new Map(state.numbersUsed)
  }

  /** The state after the turn, and what it led to. */
  result(): Turn {
    const state: RunState = {
      ...this.#state,
      ended: [...this.#ended],
      results: Object.fromEntries(this.#results),
      tests: Object.fromEntries(this.#tests),
      numbersUsed: [...this.#used],
    }
    const start = this.#started.map((step) => stepOf(this.#phase, step, state.options))
    return { state, start, settled: this.#settled, done: state.phase === 'done' }
  }

  /** Starts whatever may start, and enters the next phase where this one is over. */
  go(): void {
    while (this.#state.phase !== 'done') {
      if (!this.#state.halted) {
        if (this.#state.options.mode === 'parallel') this.#startReady()
        else this.#startInOrder()
      }
      if (this.#state.active.length > 0) return
      if (!this.#state.halted && this.#ended.size < this.#phase.nodes.length) return
      this.#leavePhase()
    }
  }

  /** Notes how a step ended. */
  end(outcome: StepOutcome): void {
    const active = this.#state.active.find(({ id }) => id === outcome.step)
    if (active === undefined) return
    const node = this.#phase.nodes[active.node]
    this.#set({ active: this.#state.active.filter((step) => step !== active) })
    if (node === undefined) return
    if (node.test) this.#endTest(active.node, node, outcome)
    else this.#endRun(active, node, outcome)
  }

  #endTest(index: number, node: PlanNode, outcome: StepOutcome): void {
    const returned = unified(outcome.returned)
    const tested = outcome.refused === true ? { ...returned, __run_num__: this.#takeNumber(index) } : returned
    this.#tests.set(node.tag, tested)
    this.#ended.add(index)
  }

  #endRun(active: ActiveStep, node: PlanNode, outcome: StepOutcome): void {
    const low = this.#lowOf(node)
    const key = `${active.node}:${active.kind}`
    const attempts = this.#attemptsOf(key, active, outcome)
    // Beside others all attempts are one call, with one number.
    const number = isParallel(low, node) ? attempts[0]?.number : undefined
    let result = dated(low, outcome, number ?? this.#takeNumber(active.node))
    const retry = outcome.refused === true ? undefined : retryOf(low)
    if (retry !== undefined && this.#state.options.test !== true) {
      if (isRetryDue(retry, result, active.attempt, isParallel(low, node))) {
        this.#again(key, [...attempts, attemptOf(result, outcome, retry.interval)], active, retry)
        return
      }
      result = afterAttempts(attempts, result, isParallel(low, node))
    } else if (retry !== undefined) result = withRetryNote(result, retry)
    this.#forget(key)
    this.#afterRun(active, node, low, result)
  }

  #afterRun(active: ActiveStep, node: PlanNode, low: Low, result: StateResult): void {
    if (active.kind === 'watch') {
      this.#settle(active.node, node, low, result)
      return
    }
    const skip = pythonTruth(result.skip_watch ?? null)
    const next = afterRun(this.#requirements(node), node, hasChanges(result), skip)
    if (next === 'watch') this.#start({ id: `${active.node}:watch`, node: active.node, kind: 'watch', attempt: 1 })
    else if (next === 'settle') this.#settle(active.node, node, low, result)
    else {
      const comment = `${textOf(result)} mod_watch was not run because requisites were skipped by another state`
      this.#settle(active.node, node, low, { ...result, comment })
    }
  }

  /** The attempts so far, the last one with what was really waited since. */
  #attemptsOf(key: string, { wait }: ActiveStep, { waited }: StepOutcome): readonly Attempt[] {
    const attempts = this.#state.attempts[key] ?? []
    const last = attempts.at(-1)
    if (last === undefined || wait === undefined) return attempts
    return [...attempts.slice(0, -1), { ...last, waited: waited ?? wait.seconds }]
  }

  #again(
    key: string,
    attempts: readonly Attempt[],
    active: ActiveStep,
    { interval, splay }: { readonly interval: number; readonly splay: number },
  ): void {
    const attempt = active.attempt + 1
    this.#set({ attempts: { ...this.#state.attempts, [key]: attempts } })
    const wait = { seconds: interval, splay }
    this.#start({ id: `${key}:${attempt}`, node: active.node, kind: active.kind, attempt, wait })
  }

  #forget(key: string): void {
    const { [key]: _, ...attempts } = this.#state.attempts
    this.#set({ attempts })
  }

  /** Salt's order: what waits for something beside it first, then one after the other. */
  #startInOrder(): void {
    for (;;) {
      for (const index of this.#state.pending) {
        if (!this.#isReady(index) || this.#isFull() || this.#state.halted) continue
        this.#set({ pending: this.#state.pending.filter((other) => other !== index) })
        this.#begin(index)
      }
      const index = this.#state.cursor
      const node = this.#phase.nodes[index]
      if (node === undefined || this.#state.halted || this.#isBusy() || this.#isPaused(node)) return
      const beside = isParallel(this.#lowOf(node), node)
      if (this.#isReady(index) && !(beside && this.#isFull())) this.#begin(index)
      else if (beside) this.#set({ pending: [...this.#state.pending, index] })
      else return
      this.#set({ cursor: index + 1 })
    }
  }

  /** Whether something runs that nothing may run beside. */
  #isBusy(): boolean {
    return this.#state.active.some(({ node: index }) => {
      const node = this.#phase.nodes[index]
      return node === undefined || !isParallel(this.#lowOf(node), node)
    })
  }

  #isFull(): boolean {
    const most = this.#state.options.maxParallel ?? 0
    return most > 0 && this.#state.active.length >= most
  }

  #startReady(): void {
    const active = new Set(this.#state.active.map(({ node }) => node))
    for (const [index, node] of this.#phase.nodes.entries()) {
      if (this.#ended.has(index) || active.has(index)) continue
      if (this.#state.halted || this.#isFull()) return
      if (this.#isReady(index) && !this.#isPaused(node)) this.#begin(index)
    }
  }

  #isReady(index: number): boolean {
    return this.#phase.nodes[index]?.needs.every(({ node }) => this.#ended.has(node)) ?? true
  }

  #isPaused(node: PlanNode): boolean {
    const ids = this.#state.paused
    if (ids.length === 0) return false
    return ids.includes('__all__') || ids.includes(pythonStr(get(this.#lowOf(node), '__id__') ?? null))
  }

  /** A node whose turn it is: what has a result already is passed over. */
  #begin(index: number): void {
    const node = this.#phase.nodes[index]
    if (node === undefined || this.#results.has(node.tag)) {
      this.#ended.add(index)
      return
    }
    const low = this.#lowOf(node)
    const decision = decide(this.#requirements(node), node.test ? undefined : this.#tests.get(node.tag))
    if (decision.kind === 'start') {
      this.#start({ id: `${index}${node.test ? ':test' : ''}`, node: index, kind: 'run', attempt: 1 })
    } else if (decision.kind === 'as-tested') {
      const fields = {
        changes: {},
        __run_num__: this.#takeNumber(index),
        ...origin(low),
        name: get(low, 'name') ?? null,
      }
      this.#settle(index, node, low, withFields(decision.tested, fields))
    } else {
      const result = this.#notRun(index, low, decision.result, decision.comment)
      if (node.test) this.#tests.set(node.tag, result)
      this.#settle(index, node, low, result)
    }
  }

  #notRun(index: number, low: Low, result: boolean, comment: string): StateResult {
    const { __sls__, __id__ } = origin(low)
    return {
      changes: {},
      result,
      duration: float(0),
      start_time: this.#at,
      comment,
      // As in Salt: what was skipped for a failure says so by its comment alone.
      ...(result ? { __state_ran__: false } : {}),
      __run_num__: this.#takeNumber(index),
      __sls__,
      __id__,
      name: get(low, 'name') ?? null,
    }
  }

  #start(step: ActiveStep): void {
    const active = { ...step, id: this.#state.phase === 'chunks' ? step.id : `${this.#state.phase}:${step.id}` }
    this.#set({ active: [...this.#state.active, active] })
    this.#started.push(active)
  }

  #settle(index: number, node: PlanNode, low: Low, result: StateResult): void {
    this.#results.set(node.tag, result)
    this.#ended.add(index)
    this.#settled.push({ tag: node.tag, low, result })
    if (this.#state.options.test === true || resultOf(result) !== false) return
    const own = get(low, 'failhard')
    if (own === undefined ? this.#state.options.failhard === true : isSet(low, 'failhard')) this.#set({ halted: true })
  }

  #requirements(node: PlanNode): Requirement[] {
    return node.needs.flatMap(({ kind, node: index }) => {
      const needed = this.#phase.nodes[index]
      if (needed === undefined) return []
      const tested = this.#tests.get(needed.tag)
      const result = kind === 'prereq' ? tested : this.#results.get(needed.tag)
      return result === undefined ? [] : [{ kind, result, tested, low: this.#lowOf(needed) }]
    })
  }

  #leavePhase(): void {
    if (this.#state.options.mode === 'parallel') this.#renumber()
    const { phase, stopped } = this.#state
    const { chunks } = this.#plan
    if (stopped || phase === 'beacon') this.#enter('done', NOTHING)
    else if (phase === 'chunks') this.#enter('listen', listening(chunks, Object.fromEntries(this.#results)).plan)
    else {
      for (const [tag, error] of listening(chunks, Object.fromEntries(this.#results)).errors) {
        this.#results.set(tag, { ...error, __run_num__: this.#takeNumber(undefined) })
      }
      this.#enter('beacon', beaconPlan(chunks))
    }
  }

  #enter(phase: RunState['phase'], extra: Plan): void {
    this.#ended.clear()
    this.#used.clear()
    const firstNumber = this.#state.number
    this.#set({ phase, extra, cursor: 0, pending: [], attempts: {}, firstNumber, halted: false })
  }

  /** What started in any order is numbered as if it had run in Salt's. */
  #renumber(): void {
    let number = this.#state.firstNumber
    for (const [index, { tag }] of this.#phase.nodes.entries()) {
      const used = this.#used.get(index) ?? 0
      number += used
      const result = this.#results.get(tag)
      if (used > 0 && result !== undefined) this.#results.set(tag, { ...result, __run_num__: number - 1 })
    }
  }

  #takeNumber(index: number | undefined): number {
    const { number } = this.#state
    this.#set({ number: number + 1 })
    if (index !== undefined) this.#used.set(index, (this.#used.get(index) ?? 0) + 1)
    return number
  }

  #lowOf(node: PlanNode): Low {
    return this.#phase.chunks[node.chunk] ?? {}
  }

  get #phase(): Plan {
    return this.#state.phase === 'chunks' ? this.#plan : this.#state.extra
  }

  #set(change: Partial<RunState>): void {
    this.#state = { ...this.#state, ...change }
  }
}

/** What a state returned, with the fields that a run adds. */
function dated(low: Low, outcome: StepOutcome, number: number): StateResult {
  const returned = unified(outcome.returned)
  if (outcome.refused === true) return withFields(returned, { __run_num__: number })
  const { __sls__, __id__ } = origin(low)
  const times = { start_time: outcome.startTime, duration: float(outcome.duration) }
  const beside = isParallel(low, undefined) ? { __parallel__: true } : {}
  return withFields(returned, { __sls__, __run_num__: number, ...times, __id__, ...beside })
}

function attemptOf(result: StateResult, outcome: StepOutcome, waited: number): Attempt {
  const { startTime, duration } = outcome
  const number = Number(result.__run_num__ ?? 0)
  return { result: resultOf(result), comment: textOf(result), startTime, duration, waited, number }
}
