// The filters Salt takes from Python's itertools: combinations, permutations, product, zip and their kin.
import { type Datum, type Kwargs, truth, tuple } from '../datum.ts'
import { collect, Generator, iterate } from '../iterate.ts'
import { asIndex } from '../numbers.ts'
import { typeError, valueError } from '../python-error.ts'
import type { Run } from '../run.ts'
import type { NamedFilter } from './define.ts'
import { findUndefined } from './find-undefined.ts'

type Tuples = globalThis.Generator<Datum, void>

function iterator(name: string, tuples: Tuples): Generator {
  const next = (): Datum | undefined => {
    const step = tuples.next()
    return step.done === true ? undefined : step.value
  }
  return new Generator({ next }, name.replace('itertools.', ''), `${name} object`)
}

function named(
  name: string,
  make: (input: Datum, args: readonly Datum[], kwargs: Kwargs, run: Run) => Tuples,
): NamedFilter {
  const shown = name.startsWith('zip') && name !== 'zip_longest' ? name : `itertools.${name}`
  return [
    name,
    {
      plain: false,
      apply: (input, args, kwargs, run) => findUndefined(input, run) ?? iterator(shown, make(input, args, kwargs, run)),
    },
  ]
}

/** The size that a filter cannot do without. */
function needed(name: string, datum: Datum | undefined): number {
  if (datum === undefined) throw typeError(`${name}() missing required argument 'r' (pos 2)`)
  return count(datum, 0)
}

function count(datum: Datum | undefined, otherwise: number): number {
  const found = datum === undefined || datum === null ? otherwise : (asIndex(datum) ?? otherwise)
  if (found < 0) throw valueError('r must be non-negative')
  return found
}

function* combinations(items: readonly Datum[], size: number, run: Run, repeats: boolean): Tuples {
  const picked: number[] = []
  function* from(start: number): Tuples {
    if (picked.length === size) {
      run.charge(size + 1)
      yield tuple(picked.map((index) => items[index] ?? null))
      return
    }
    for (let index = start; index < items.length; index++) {
      picked.push(index)
      yield* from(repeats ? index : index + 1)
      picked.pop()
    }
  }
  yield* from(0)
}

function* permutations(items: readonly Datum[], size: number, run: Run): Tuples {
  const picked: number[] = []
  function* rest(): Tuples {
    if (picked.length === size) {
      run.charge(size + 1)
      yield tuple(picked.map((index) => items[index] ?? null))
      return
    }
    for (let index = 0; index < items.length; index++) {
      if (picked.includes(index)) continue
      picked.push(index)
      yield* rest()
      picked.pop()
    }
  }
  yield* rest()
}

function* product(pools: readonly (readonly Datum[])[], run: Run): Tuples {
  const picked: Datum[] = []
  function* from(index: number): Tuples {
    const pool = pools[index]
    if (pool === undefined) {
      run.charge(pools.length + 1)
      yield tuple(picked)
      return
    }
    for (const item of pool) {
      picked.push(item)
      yield* from(index + 1)
      picked.pop()
    }
  }
  yield* from(0)
}

function* zip(lists: readonly Datum[], run: Run, fill: Datum | undefined): Tuples {
  const sources = lists.map((list) => iterate(list, run))
  for (;;) {
    const row: Datum[] = []
    let ended = 0
    for (const source of sources) {
      const item = source.next()
      if (item === undefined) {
        if (fill === undefined) return
        ended++
      }
      row.push(item ?? fill ?? null)
    }
    if (ended === sources.length) return
    yield tuple(row)
  }
}

function* compress(data: Datum, selectors: Datum, run: Run): Tuples {
  const items = iterate(data, run)
  const keep = iterate(selectors, run)
  for (let item = items.next(); item !== undefined; item = items.next()) {
    const wanted = keep.next()
    if (wanted === undefined) return
    if (truth(wanted)) yield item
  }
}

/** The filters, by Salt's names. */
export const ITERTOOLS_FILTERS: readonly NamedFilter[] = [
  named('combinations', (input, [size], kwargs, run) =>
    combinations(collect(input, run), needed('combinations', size ?? kwargs.get('r')), run, false),
  ),
  named('combinations_with_replacement', (input, [size], kwargs, run) =>
    combinations(collect(input, run), needed('combinations_with_replacement', size ?? kwargs.get('r')), run, true),
  ),
  named('permutations', (input, [size], kwargs, run) => {
    const items = collect(input, run)
    return permutations(items, count(size ?? kwargs.get('r'), items.length), run)
  }),
  named('product', (input, others, kwargs, run) => {
    const pools = [input, ...others].map((pool) => collect(pool, run))
    const times = count(kwargs.get('repeat'), 1)
    return product(Array.from({ length: times }, () => pools).flat(), run)
  }),
  named('compress', (input, [selectors], kwargs, run) =>
    compress(input, selectors ?? kwargs.get('selectors') ?? [], run),
  ),
  named('zip', (input, others, _, run) => zip([input, ...others], run, undefined)),
  named('zip_longest', (input, others, kwargs, run) => zip([input, ...others], run, kwargs.get('fillvalue') ?? null)),
]
