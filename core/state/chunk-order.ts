// The number by which a chunk is ordered, from what is written at `order`.
import { Float, float, get, isFloat, isInteger, type Value } from '../value/index.ts'
import { type DraftLow, putLow } from './low.ts'

const LAST = 1_000_000

/** A hundred above the last explicit integer that reached the cap so far; 1 where there is none. */
export class OrderCap {
  #cap = 1

  /** Takes a chunk's order into account; the chunks come in the order in which they were written. */
  take({ low }: DraftLow): void {
    const order = get(low, 'order')
    if (order === undefined || !(isInteger(order) || typeof order === 'boolean')) return
    const number = Number(order)
    if (number > this.#cap - 1 && number > 0) this.#cap = number + 100
  }

  /** Where chunks without a number of their own go. */
  get value(): number {
    return this.#cap
  }
}

/** Settles a chunk's `order`, in place: words and what is missing become numbers, names follow one another, a negative number counts from the end. */
export function settleOrder(draft: DraftLow, cap: number): number {
  let order = numeric(get(draft.low, 'order'), cap)
  if (draft.nameOrder > 0) order = float(numberOf(order) + draft.nameOrder / 10_000)
  draft.nameOrder = 0
  if (numberOf(order) < 0) order = isFloat(order) ? float(numberOf(order) + cap + LAST) : numberOf(order) + cap + LAST
  draft.low = putLow(draft.low, 'order', order)
  return numberOf(order)
}

/** The order of a chunk that may not be settled yet, as it is seen through a requisite: words become numbers, in place. */
export function seenOrder(draft: DraftLow, cap: number): number {
  const written = get(draft.low, 'order')
  if (written === undefined) return Number.POSITIVE_INFINITY
  const order = numeric(written, cap)
  draft.low = putLow(draft.low, 'order', order)
  return numberOf(order)
}

function numeric(order: Value | undefined, cap: number): Value {
  if (order !== undefined && (isInteger(order) || isFloat(order) || typeof order === 'boolean')) return order
  if (order === 'last') return cap + LAST
  return order === 'first' ? 0 : cap
}

function numberOf(order: Value): number {
  return order instanceof Float ? order.value : Number(order)
}
