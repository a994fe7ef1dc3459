// The engine: parallel as sequential, once each, through crashes and repeats, and what halts or holds a run.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Mapping, parseJson, stringifyJson, type Value } from '../value/index.ts'
import { compileHigh } from './compile-low.ts'
import { thawed } from './high.ts'
import { lowText } from './low.ts'
import { lowstate, type Plan } from './plan.ts'
import { activeSteps, advance, runResults } from './run.ts'
import { newRun, paused, type RunOptions, type RunState, resumed, stopped } from './run-state.ts'
import type { Step, StepOutcome } from './step.ts'

const SEQUENTIAL: RunOptions = { mode: 'sequential' }
const PARALLEL: RunOptions = { mode: 'parallel' }
const AT = '12:00:00.000000'

type States = Readonly<Record<string, readonly [fun: string, ...args: Mapping[]]>>

function compiledOf(states: States): ReturnType<typeof compileHigh> {
  const bodies = Object.entries(states).map(([id, [fun, ...args]], index): [string, Value] => {
    return [id, { test: [fun, ...args, { order: 10000 + index }], __sls__: 't', __env__: 'base' }]
  })
  return compileHigh(thawed(Object.fromEntries(bodies)), { has: () => true })
}

/** A plan of states by ID: the function, and arguments. */
function planOf(states: States): Plan {
  const compiled = compiledOf(states)
  if (compiled.kind === 'errors') throw new Error(compiled.errors.join('\n'))
  return compiled.plan
}

/** What the pretended states return: `ok`, `changes`, `fails`, and `mod_watch`. */
function ended(step: Step): StepOutcome {
  const fun = lowText(step.low, 'fun')
  const changes: Mapping = fun === 'changes' || fun === 'mod_watch' ? { x: 1 } : {}
  const result = fun === 'fails' ? false : step.test && fun === 'changes' ? null : true
  const returned = { name: lowText(step.low, 'name'), result, changes, comment: fun }
  return { step: step.id, returned, startTime: AT, duration: 1 }
}

interface Told {
  readonly state: RunState
  readonly begun: readonly string[]
  /** The most steps that were active at once. */
  readonly most: number
}

/** Runs to the end; `pick` chooses which of the active steps ends next, `keep` stores the state between two turns. */
function runThrough(
  plan: Plan,
  options: RunOptions,
  pick: (count: number) => number = () => 0,
  keep: (state: RunState) => RunState = (state) => state,
): Told {
  const begun: string[] = []
  let active: Step[] = []
  let most = 0
  let turn = advance(plan, newRun(options), AT)
  for (;;) {
    active.push(...turn.start)
    begun.push(...turn.start.map(({ id }) => id))
    most = Math.max(most, active.length)
    const next = active[pick(active.length)]
    if (next === undefined) return { state: turn.state, begun, most }
    active = active.filter((step) => step !== next)
    turn = advance(plan, keep(turn.state), AT, ended(next))
  }
}

function comments(state: RunState): Record<string, Value> {
  return Object.fromEntries(
    Object.values(runResults(state)).map(({ __id__, comment }) => [String(__id__), comment ?? null]),
  )
}

const KINDS = [
  'require',
  'require_any',
  'watch',
  'watch_any',
  'onchanges',
  'onchanges_any',
  'onfail',
  'onfail_all',
  'prereq_in',
]

const requisites = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.array(fc.nat(20), { minLength: 1, maxLength: 3 })), {
  maxLength: 3,
})
type Node = typeof node extends fc.Arbitrary<infer T> ? T : never

const node = fc.record({
  fun: fc.constantFrom('ok', 'changes', 'fails'),
  requisites,
  listen: fc.option(fc.nat(20), { nil: undefined }),
  retry: fc.boolean(),
})

/** Plans whose requisites point backwards in the order of writing; a `prereq` may close a cycle, which is left out. */
const plans = fc
  .array(node, { minLength: 1, maxLength: 12 })
  .map((nodes) =>
    compiledOf(Object.fromEntries(nodes.map((given, index) => [`s${index}`, stateOf(given, index, nodes.length)]))),
  )
  .filter((compiled) => compiled.kind === 'plan')
  .map((compiled) => compiled.plan)

function stateOf(given: Node, index: number, count: number): [string, ...Mapping[]] {
  const named = (places: readonly number[]): Value[] => {
    return [...new Set(places.map((place) => place % index))].map((place) => ({ test: `s${place}` }))
  }
  const args: Mapping[] = index === 0 ? [] : given.requisites.map(([kind, places]) => ({ [kind]: named(places) }))
  if (given.listen !== undefined) args.push({ listen: [{ test: `s${given.listen % count}` }] })
  if (given.retry) args.push({ retry: { attempts: 2, interval: 1 } })
  return [given.fun, ...args]
}

describe('a run', () => {
  it('gives in parallel what it gives in order, however the steps end', () => {
    fc.assert(
      fc.property(plans, fc.infiniteStream(fc.nat()), (plan, choices) => {
        const random = (count: number): number => (choices.next().value ?? 0) % Math.max(count, 1)
        const parallel = runThrough(plan, PARALLEL, random)
        const sequential = runThrough(plan, SEQUENTIAL)
        expect(runResults(parallel.state)).toEqual(runResults(sequential.state))
        expect(parallel.begun.toSorted()).toEqual(sequential.begun.toSorted())
      }),
      { numRuns: 200 },
    )
  })

  it('begins each step once, and goes on the same from a state that was stored', () => {
    const stored = (state: RunState): RunState =>
      parseJson(stringifyJson(state as unknown as Value)) as unknown as RunState
    fc.assert(
      fc.property(plans, fc.constantFrom(SEQUENTIAL, PARALLEL), (plan, options) => {
        const told = runThrough(plan, options, undefined, stored)
        expect(new Set(told.begun).size).toBe(told.begun.length)
        expect(runResults(told.state)).toEqual(runResults(runThrough(plan, options).state))
      }),
    )
  })

  it('runs one at a time in sequential order', () => {
    fc.assert(fc.property(plans, (plan) => runThrough(plan, SEQUENTIAL).most <= 1))
  })

  it('has a result for every chunk', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const results = runResults(runThrough(plan, PARALLEL).state)
        for (const { tag } of plan.nodes) expect(results[tag]).toBeDefined()
      }),
    )
  })

  it('ignores an outcome that is told twice', () => {
    const plan = planOf({ a: ['ok'], b: ['ok'] })
    const first = advance(plan, newRun(PARALLEL), AT)
    const [a] = first.start
    if (a === undefined) throw new Error('nothing started')
    const once = advance(plan, first.state, AT, ended(a))
    const twice = advance(plan, once.state, AT, ended(a))
    expect(twice.state).toEqual(once.state)
    expect(twice.start).toEqual([])
    expect(twice.settled).toEqual([])
  })

  it('says after a crash what was under way', () => {
    const plan = planOf({ a: ['changes'], b: ['ok', { watch: [{ test: 'a' }] }] })
    const first = advance(plan, newRun(SEQUENTIAL), AT)
    const second = advance(plan, first.state, AT, ended(first.start[0] as Step))
    const third = advance(plan, second.state, AT, ended(second.start[0] as Step))
    expect(activeSteps(plan, third.state)).toEqual(third.start)
    expect(third.start[0]?.low).toMatchObject({ fun: 'mod_watch', sfun: 'ok', __reqs__: { watch: [{ __id__: 'a' }] } })
  })
})

describe('parallel', () => {
  it('starts independent branches together', () => {
    const plan = planOf({ a: ['ok'], b: ['ok'], c: ['ok', { require: [{ test: 'a' }] }] })
    expect(advance(plan, newRun(PARALLEL), AT).start.map(({ tag }) => tag)).toEqual([
      'test_|-a_|-a_|-ok',
      'test_|-b_|-b_|-ok',
    ])
  })

  it('holds to maxParallel', () => {
    const plan = planOf({ a: ['ok'], b: ['ok'], c: ['ok'] })
    expect(runThrough(plan, { mode: 'parallel', maxParallel: 2 }).most).toBe(2)
  })

  it('lets a chunk with `parallel` run beside others in sequential order', () => {
    const plan = planOf({
      a: ['ok', { parallel: true }],
      b: ['ok'],
      c: ['ok', { require: [{ test: 'a' }] }],
    })
    const turn = advance(plan, newRun(SEQUENTIAL), AT)
    expect(turn.start.map(({ id, parallel }) => [id, parallel])).toEqual([
      ['0', true],
      ['1', false],
    ])
    const b = advance(plan, turn.state, AT, ended(turn.start[1] as Step))
    expect(b.start).toEqual([])
    expect(advance(plan, b.state, AT, ended(turn.start[0] as Step)).start.map(({ id }) => id)).toEqual(['2'])
  })
})

describe('failhard', () => {
  it('keeps what comes after from starting', () => {
    const plan = planOf({ a: ['fails', { failhard: true }], b: ['ok'] })
    expect(Object.keys(comments(runThrough(plan, SEQUENTIAL).state))).toEqual(['a'])
  })

  it('lets what is under way end', () => {
    const plan = planOf({ a: ['fails', { failhard: true }], b: ['ok'], c: ['ok', { require: [{ test: 'b' }] }] })
    expect(Object.keys(comments(runThrough(plan, PARALLEL).state))).toEqual(['a', 'b'])
  })

  it('holds for all where the run says so, unless a chunk says otherwise', () => {
    const options: RunOptions = { mode: 'sequential', failhard: true }
    expect(Object.keys(comments(runThrough(planOf({ a: ['fails'], b: ['ok'] }), options).state))).toEqual(['a'])
    const own = planOf({ a: ['fails', { failhard: false }], b: ['ok'] })
    expect(Object.keys(comments(runThrough(own, options).state))).toEqual(['a', 'b'])
  })
})

describe('pausing', () => {
  const plan = planOf({ a: ['ok'], b: ['ok'] })

  it('keeps an ID from starting until it is resumed', () => {
    const held = advance(plan, paused(newRun(PARALLEL), ['a']), AT)
    expect(held.start.map(({ id }) => id)).toEqual(['1'])
    const after = advance(plan, held.state, AT, ended(held.start[0] as Step))
    expect([after.done, after.start]).toEqual([false, []])
    expect(advance(plan, resumed(after.state, ['a']), AT).start.map(({ id }) => id)).toEqual(['0'])
  })

  it('holds all with __all__', () => {
    expect(advance(plan, paused(newRun(SEQUENTIAL), ['__all__']), AT).start).toEqual([])
  })

  it('ends a run that is stopped when what runs has ended', () => {
    const turn = advance(plan, newRun(SEQUENTIAL), AT)
    const over = advance(plan, stopped(turn.state), AT, ended(turn.start[0] as Step))
    expect(over.done).toBe(true)
    expect(Object.keys(comments(over.state))).toEqual(['a'])
  })
})

describe('retry', () => {
  it('asks to wait, and adds up what was waited', () => {
    const plan = planOf({ a: ['fails', { retry: { attempts: 2, interval: 5, splay: 3 } }] })
    const first = advance(plan, newRun(SEQUENTIAL), AT)
    const again = advance(plan, first.state, AT, ended(first.start[0] as Step))
    expect(again.start).toMatchObject([{ attempt: 2, wait: { seconds: 5, splay: 3 } }])
    const over = advance(plan, again.state, AT, { ...ended(again.start[0] as Step), waited: 7 })
    const [result] = Object.values(runResults(over.state))
    expect(result?.comment).toBe('Attempt 1: Returned a result of "False", with the following comment: "fails"\nfails')
    expect(stringifyJson(result?.duration ?? null)).toBe('7002.0')
    expect(result?.__run_num__).toBe(1)
  })
})

describe('prereq', () => {
  it('tests what is named before either runs, and shows it twice in the lowstate', () => {
    const plan = planOf({ a: ['ok', { prereq: [{ test: 'b' }] }], b: ['changes'] })
    expect(lowstate(plan).map((low) => lowText(low, '__id__'))).toEqual(['b', 'a', 'b'])
    const turn = advance(plan, newRun(SEQUENTIAL), AT)
    expect(turn.start).toMatchObject([{ test: true, tag: 'test_|-b_|-b_|-changes' }])
  })
})
