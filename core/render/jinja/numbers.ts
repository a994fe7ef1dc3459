// Python's arithmetic on numbers: exact integers of any size, floats that stay floats.
import { float, integer, isFloat, numberOf } from '../../value/index.ts'
import { budgetError, MAX_BITS } from './budget.ts'
import type { Datum } from './datum.ts'
import { PythonError, valueError } from './python-error.ts'

const LIMIT = 1n << BigInt(MAX_BITS)

/** Both operands as numbers, `undefined` where either is none; booleans count as 0 and 1. */
function pair(a: Datum, b: Datum): { a: number | bigint; b: number | bigint; floats: boolean } | undefined {
  const left = numberOf(a)
  const right = numberOf(b)
  if (left === undefined || right === undefined) return undefined
  return { a: left, b: right, floats: isFloat(a) || isFloat(b) }
}

function checked(value: bigint): Datum {
  if (value > LIMIT || value < -LIMIT) throw budgetError('bits in one integer', MAX_BITS)
  return integer(value)
}

function division(message: string): PythonError {
  return new PythonError('ZeroDivisionError', message)
}

/** The result of an arithmetic operator, `undefined` where an operand is no number. */
export function arithmetic(operator: '+' | '-' | '*' | '/' | '//' | '%' | '**', x: Datum, y: Datum): Datum | undefined {
  const numbers = pair(x, y)
  if (numbers === undefined) return undefined
  const { a, b, floats } = numbers
  if (operator === '**') return power(a, b, floats)
  if (floats) return floatArithmetic(operator, Number(a), Number(b))
  return typeof a === 'number' && typeof b === 'number'
    ? smallArithmetic(operator, a, b)
    : bigArithmetic(operator, BigInt(a), BigInt(b))
}

function smallArithmetic(operator: '+' | '-' | '*' | '/' | '//' | '%', a: number, b: number): Datum {
  let result: number
  if (operator === '+') result = a + b
  else if (operator === '-') result = a - b
  else if (operator === '*') result = a * b
  else if (operator === '/') {
    if (b === 0) throw division('division by zero')
    return float(a / b)
  } else if (b === 0) {
    throw division(operator === '//' ? 'integer division or modulo by zero' : 'integer modulo by zero')
  } else if (operator === '//') result = Math.floor(a / b)
  else {
    result = a % b
    if (result !== 0 && result < 0 !== b < 0) result += b
  }
  if (Number.isSafeInteger(result) && (operator !== '//' || Math.abs(a) < 2 ** 50)) return result + 0
  return bigArithmetic(operator, BigInt(a), BigInt(b))
}

function bigArithmetic(operator: '+' | '-' | '*' | '/' | '//' | '%', a: bigint, b: bigint): Datum {
  if (operator === '+') return checked(a + b)
  if (operator === '-') return checked(a - b)
  if (operator === '*') return checked(a * b)
  if (b === 0n) {
    const messages = {
      '/': 'division by zero',
      '//': 'integer division or modulo by zero',
      '%': 'integer modulo by zero',
    }
    throw division(messages[operator])
  }
  if (operator === '/') return float(divideExactly(a, b))
  let quotient = a / b
  const rest = a % b
  const down = rest !== 0n && rest < 0n !== b < 0n
  if (operator === '%') return integer(down ? rest + b : rest)
  if (down) quotient -= 1n
  return integer(quotient)
}

function divideExactly(a: bigint, b: bigint): number {
  const direct = Number(a) / Number(b)
  if (Number.isFinite(direct)) return direct
  const whole = Number(a / b)
  if (!Number.isFinite(whole)) throw new PythonError('OverflowError', 'integer division result too large for a float')
  return whole
}

function floatArithmetic(operator: '+' | '-' | '*' | '/' | '//' | '%', a: number, b: number): Datum {
  if (operator === '+') return float(a + b)
  if (operator === '-') return float(a - b)
  if (operator === '*') return float(a * b)
  if (b === 0) {
    const messages = { '/': 'float division by zero', '//': 'float floor division by zero', '%': 'float modulo' }
    throw division(messages[operator])
  }
  if (operator === '/') return float(a / b)
  let rest = a % b
  if (rest !== 0) {
    if (rest < 0 !== b < 0) rest += b
  } else rest = b < 0 ? -0 : 0
  if (operator === '%') return float(rest)
  return float(Math.round((a - rest) / b))
}

function power(a: number | bigint, b: number | bigint, floats: boolean): Datum {
  if (!floats && b >= 0) {
    const base = BigInt(a)
    if (base === 0n || base === 1n) return b === 0 ? 1 : Number(base)
    if (base === -1n) return BigInt(b) % 2n === 0n ? 1 : -1
    if (base.toString(2).length * Number(b) > MAX_BITS) throw budgetError('bits in one integer', MAX_BITS)
    return integer(base ** BigInt(b))
  }
  const left = Number(a)
  const right = Number(b)
  if (left === 0 && right < 0) throw division('0.0 cannot be raised to a negative power')
  if (left < 0 && !Number.isInteger(right)) throw valueError('complex numbers are not supported')
  const result = left ** right
  if (!Number.isFinite(result) && Number.isFinite(left) && Number.isFinite(right)) {
    throw new PythonError('OverflowError', "(34, 'Numerical result out of range')")
  }
  return float(result)
}

/** `-x`, `undefined` for what is no number. */
export function negate(datum: Datum): Datum | undefined {
  const number = numberOf(datum)
  if (number === undefined) return undefined
  if (isFloat(datum)) return float(-Number(number))
  return typeof number === 'bigint' ? integer(-number) : number === 0 ? 0 : -number
}

/** `+x`, `undefined` for what is no number. */
export function positive(datum: Datum): Datum | undefined {
  return typeof datum === 'boolean' ? Number(datum) : numberOf(datum) === undefined ? undefined : datum
}

/** An index or count: a Python int (or bool) as a JavaScript number, `undefined` for anything else. */
export function asIndex(datum: Datum): number | undefined {
  if (typeof datum === 'boolean') return Number(datum)
  if (typeof datum === 'bigint') return datum > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER
  return typeof datum === 'number' && Number.isInteger(datum) ? datum : undefined
}
