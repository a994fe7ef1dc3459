// Python's ordering: `<` between numbers, between texts, between lists; an error between the rest.
import { numberOf, Tuple } from '../../value/index.ts'
import { compareText } from '../../value/json-writer.ts'
import { checkSize } from './budget.ts'
import { type Datum, equal, TemplateObject, textOf, typeName } from './datum.ts'
import { typeError } from './python-error.ts'
import { Undefined } from './undefined.ts'

/** Python's ordering operators. */
export type Ordering = '<' | '<=' | '>' | '>='

/** `a < b` and its kin. */
export function order(a: Datum, b: Datum, operator: Ordering): boolean {
  const left = numberOf(a)
  const right = numberOf(b)
  if (left !== undefined && right !== undefined) return decideNumbers(left, right, operator)
  const leftText = textOf(a)
  const rightText = textOf(b)
  if (leftText !== undefined && rightText !== undefined) return decide(compareText(leftText, rightText), operator)
  if (Array.isArray(a) && Array.isArray(b) && a instanceof Tuple === b instanceof Tuple)
    return orderLists(a, b, operator)
  if (a instanceof Undefined) a.fail()
  if (b instanceof Undefined) b.fail()
  const ordered = a instanceof TemplateObject ? a.order(b, operator) : undefined
  if (ordered !== undefined) return ordered
  throw typeError(`'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`)
}

function decideNumbers(a: number | bigint, b: number | bigint, operator: Ordering): boolean {
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  return operator === '>' ? a > b : a >= b
}

function decide(sign: number, operator: Ordering): boolean {
  return decideNumbers(sign, 0, operator)
}

function orderLists(a: readonly Datum[], b: readonly Datum[], operator: Ordering): boolean {
  checkSize(a)
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index++) {
    const left = a[index] ?? null
    const right = b[index] ?? null
    if (!equal(left, right)) return order(left, right, operator)
  }
  return decide(a.length - b.length, operator)
}

/** Sorts in place by a key, stable, as `sorted(…, key=…, reverse=…)`. */
export function sortBy(items: Datum[], key: (item: Datum) => Datum, reverse: boolean): Datum[] {
  const keyed = items.map((item) => [key(item), item] as const)
  if (reverse) keyed.reverse()
  keyed.sort(([a], [b]) => (order(a, b, '<') ? -1 : order(b, a, '<') ? 1 : 0))
  if (reverse) keyed.reverse()
  for (let index = 0; index < keyed.length; index++) items[index] = keyed[index]?.[1] ?? null
  return items
}
