// Joined states: who does whose work, and what they wait for.
import { describe, expect, it } from 'vitest'
import { get, isList, type Mapping, type Value } from '../value/index.ts'
import { aggregated, type Joining } from './aggregate.ts'
import { type CompileWorld, compileHigh } from './compile-low.ts'
import { thawed } from './high.ts'
import { lowText } from './low.ts'
import type { Plan } from './plan.ts'

const world: CompileWorld = { has: () => true }

type States = Readonly<Record<string, readonly [module: string, ...args: Mapping[]]>>

function planOf(states: States): Plan {
  const bodies = Object.entries(states).map(([id, [module, ...args]], index) => [
    id,
    { [module]: ['installed', ...args, { order: 10_000 + index }], __sls__: 't', __env__: 'base' },
  ]) as [string, Value][]
  const compiled = compileHigh(thawed(Object.fromEntries(bodies)), world)
  if (compiled.kind === 'errors') throw new Error(compiled.errors.join('\n'))
  return compiled.plan
}

/** Joins all there is, under `all`. */
const joinAll: Joining = (low, others) => {
  const names = [low, ...others].map((other) => lowText(other, 'name'))
  return { low: { ...Object.fromEntries(Object.entries(low)), all: names }, taken: others.map((_, index) => index) }
}

function joined(states: States, option: Value = false): Record<string, Value> {
  const plan = aggregated(planOf(states), { ...world, option, joinings: { pkg: joinAll } })
  return Object.fromEntries(
    plan.nodes.map(({ chunk }) => [
      lowText(plan.chunks[chunk] ?? {}, '__id__'),
      get(plan.chunks[chunk] ?? {}, 'all') ?? null,
    ]),
  )
}

describe('aggregate', () => {
  it.each<[string, States, Value, Record<string, Value>]>([
    ['nobody asks', { a: ['pkg'], b: ['pkg'] }, false, { a: null, b: null }],
    ['the first asks', { a: ['pkg', { aggregate: true }], b: ['pkg'] }, false, { a: ['a', 'b'], b: null }],
    ['the second asks', { a: ['pkg'], b: ['pkg', { aggregate: true }] }, false, { a: null, b: null }],
    ['the option', { a: ['pkg'], b: ['pkg'] }, true, { a: ['a', 'b'], b: null }],
    ['the option by module', { a: ['pkg'], b: ['pkg'] }, ['pkg'], { a: ['a', 'b'], b: null }],
    ['the option of another module', { a: ['pkg'], b: ['pkg'] }, ['file'], { a: null, b: null }],
    ['the state says no', { a: ['pkg', { aggregate: false }], b: ['pkg'] }, true, { a: null, b: null }],
    ['another module', { a: ['pkg'], b: ['file'] }, true, { a: null, b: null }],
    [
      'on a condition',
      { a: ['pkg'], b: ['pkg', { onlyif: 'x' }], c: ['pkg'] },
      true,
      { a: ['a', 'c'], b: null, c: null },
    ],
  ])('%s', (_, states, option, expected) => {
    expect(joined(states, option)).toEqual(expected)
  })

  it('waits for what those wait for whose work it does', () => {
    const states: States = { a: ['pkg'], b: ['pkg', { require: [{ file: 'c' }] }], c: ['file'] }
    expect(Object.entries(joined(states, true))).toEqual([
      ['c', null],
      ['a', ['a', 'b']],
      ['b', null],
    ])
  })

  it('does not wait for those whose work it does', () => {
    expect(Object.keys(joined({ a: ['pkg'], b: ['pkg', { require: [{ pkg: 'a' }] }] }, true))).toEqual(['a', 'b'])
  })

  it('leaves a plan alone in which they would wait for each other', () => {
    const states: States = {
      a: ['pkg'],
      b: ['file', { require: [{ pkg: 'a' }] }],
      c: ['pkg', { require: [{ file: 'b' }] }],
    }
    expect(joined(states, true)).toEqual({ a: null, b: null, c: null })
  })

  it('joins nothing twice', () => {
    const all = Object.values(joined({ a: ['pkg'], b: ['pkg'], c: ['pkg'] }, true)).flatMap((names) =>
      isList(names) ? names : [],
    )
    expect(all).toEqual(['a', 'b', 'c'])
  })
})
