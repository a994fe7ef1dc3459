// The operators of expressions on any operands: arithmetic, repetition, concatenation, formatting.
import { Tuple } from '../../value/index.ts'
import { checkItems } from './budget.ts'
import { type Datum, TemplateObject, textOf, typeName } from './datum.ts'
import { arithmetic, asIndex, negate, positive } from './numbers.ts'
import { percentFormat } from './percent-format.ts'
import { typeError } from './python-error.ts'
import { addTexts, repeatText } from './rope.ts'
import type { Run } from './run.ts'
import { Undefined } from './undefined.ts'

/** The arithmetic operators, as written. */
export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**'

/** `left operator right`, with Python's errors where the operands do not go together. */
export function binary(operator: BinaryOperator, left: Datum, right: Datum, run: Run): Datum {
  if (typeof left === 'number' && typeof right === 'number') {
    const quick = arithmetic(operator, left, right)
    if (quick !== undefined) return quick
  }
  const result =
    arithmetic(operator, left, right) ??
    (operator === '+'
      ? plus(left, right, run)
      : operator === '*'
        ? times(left, right, run)
        : operator === '%' && textOf(left) !== undefined
          ? percentFormat(left, right, run)
          : undefined)
  if (result !== undefined) return result
  if (left instanceof Undefined) left.fail()
  if (right instanceof Undefined) right.fail()
  const own = left instanceof TemplateObject ? left.operate(operator, right) : undefined
  if (own !== undefined) return own
  throw mismatch(operator, left, right)
}

function mismatch(operator: BinaryOperator, left: Datum, right: Datum): Error {
  if (operator === '+' && (textOf(left) !== undefined || Array.isArray(left))) {
    const name = typeName(left)
    return typeError(`can only concatenate ${name} (not "${typeName(right)}") to ${name}`)
  }
  if (operator === '*' && [left, right].some((side) => textOf(side) !== undefined || Array.isArray(side))) {
    const other = textOf(left) !== undefined || Array.isArray(left) ? right : left
    return typeError(`can't multiply sequence by non-int of type '${typeName(other)}'`)
  }
  const shown = operator === '**' ? '** or pow()' : operator
  return typeError(`unsupported operand type(s) for ${shown}: '${typeName(left)}' and '${typeName(right)}'`)
}

function plus(left: Datum, right: Datum, run: Run): Datum | undefined {
  if (textOf(left) !== undefined && textOf(right) !== undefined) return addTexts(left, right, run)
  if (!Array.isArray(left) || !Array.isArray(right) || left instanceof Tuple !== right instanceof Tuple)
    return undefined
  checkItems(left.length + right.length)
  run.charge(left.length + right.length)
  const joined: Datum[] = left instanceof Tuple ? (new Tuple() as Datum[]) : []
  for (const item of left) joined.push(item)
  for (const item of right) joined.push(item)
  return joined
}

function times(left: Datum, right: Datum, run: Run): Datum | undefined {
  const leftCount = asIndex(left)
  if (leftCount !== undefined) return repeat(right, leftCount, run)
  const rightCount = asIndex(right)
  return rightCount === undefined ? undefined : repeat(left, rightCount, run)
}

function repeat(sequence: Datum, count: number, run: Run): Datum | undefined {
  if (textOf(sequence) !== undefined) return repeatText(sequence, count, run)
  if (!Array.isArray(sequence)) return undefined
  const times = Math.max(0, count)
  checkItems(sequence.length * times)
  run.charge(sequence.length * times)
  const made: Datum[] = sequence instanceof Tuple ? (new Tuple() as Datum[]) : []
  for (let turn = 0; turn < times; turn++) for (const item of sequence) made.push(item)
  return made
}

/** `-operand` or `+operand`. */
export function unary(operator: '-' | '+', operand: Datum): Datum {
  const result = operator === '-' ? negate(operand) : positive(operand)
  if (result !== undefined) return result
  if (operand instanceof Undefined) operand.fail()
  throw typeError(`bad operand type for unary ${operator}: '${typeName(operand)}'`)
}
