// The order in which chunks start: Salt 3008's, by `order`, then by type, name and function, after what they require.
import { Float, float, get, isFloat, isInteger, type Value } from '../value/index.ts'
import type { Draft } from './chunk.ts'

const LAST = 1_000_000

/**
 * The number that a chunk without `order` gets: a hundred above the last explicit integer that exceeded it, 1 where
 * there is none. Order matters as in Salt: a number counts only where it reaches the cap that those before it led to.
 */
export function orderCap(drafts: readonly Draft[]): number {
  let cap = 1
  for (const { low } of drafts) {
    const order = get(low, 'order')
    if (order === undefined || !(isInteger(order) || typeof order === 'boolean')) continue
    const number = Number(order)
    if (number > cap - 1 && number > 0) cap = number + 100
  }
  return cap
}

/** The `order` a chunk ends up with: what was written where that is a number, otherwise a number in its place. */
export function settledOrder(draft: Draft, cap: number): Value {
  const written = get(draft.low, 'order')
  let order: Value = written === undefined ? cap : numeric(written, cap)
  if (draft.nameOrder > 0) order = float(numberOfOrder(order) + draft.nameOrder / 10_000)
  if (numberOfOrder(order) < 0) order = shift(order, cap + LAST)
  return order
}

/**
 * The order of a chunk that may not be settled yet, as Salt sees it through a requisite: a missing one is infinite, a
 * negative one stays negative.
 */
export function rawOrder(draft: Draft, cap: number): number {
  const written = get(draft.low, 'order')
  return written === undefined ? Number.POSITIVE_INFINITY : numberOfOrder(numeric(written, cap))
}

function numeric(order: Value, cap: number): Value {
  if (isInteger(order) || isFloat(order) || typeof order === 'boolean') return order
  if (order === 'last') return cap + LAST
  return order === 'first' ? 0 : cap
}

function shift(order: Value, by: number): Value {
  const sum = numberOfOrder(order) + by
  return isFloat(order) ? float(sum) : sum
}

/** The number of a settled order. */
export function numberOfOrder(order: Value): number {
  return order instanceof Float ? order.value : Number(order)
}
