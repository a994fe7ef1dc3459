// Jinja's filters on numbers.
import { Float, float, integer, isFloat, numberOf } from '../../../value/index.ts'
import { type Datum, textOf, typeName } from '../datum.ts'
import { roundHalfEven } from '../float-format.ts'
import { arithmetic, asIndex } from '../numbers.ts'
import { PythonError, typeError } from '../python-error.ts'
import { stripLeft, stripRight } from '../python-string.ts'
import { defined } from '../undefined.ts'
import { filter, type NamedFilter } from './define.ts'

const DIGITS: Readonly<Record<number, string>> = { 2: '01', 8: '0-7', 10: '0-9', 16: '0-9a-f' }
const PREFIXES: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 16: '0x' }

/** Python's `int(text, base)`, `undefined` where the text is none. */
export function parseInteger(text: string, base: number): Datum | undefined {
  const trimmed = stripRight(stripLeft(text))
  const match = /^([-+]?)(.*)$/s.exec(trimmed)
  if (match === null) return undefined
  const [, sign, rest = ''] = match
  let body = rest.toLowerCase()
  let radix = base
  if (base === 0) {
    radix = body.startsWith('0x') ? 16 : body.startsWith('0o') ? 8 : body.startsWith('0b') ? 2 : 10
    if (radix === 10 && /^0[0-9_]*[1-9]/.test(body)) return undefined
  }
  const prefix = PREFIXES[radix]
  const hadPrefix = prefix !== undefined && body.startsWith(prefix)
  if (hadPrefix) body = body.slice(2)
  if (hadPrefix && body.startsWith('_')) body = body.slice(1)
  if (!/^[0-9a-z]+(?:_[0-9a-z]+)*$/.test(body)) {
    body = body.replace(/\p{Nd}/gu, decimalDigit)
    if (!/^[0-9a-z]+(?:_[0-9a-z]+)*$/.test(body)) return undefined
  }
  const digits = body.replaceAll('_', '')
  const known = DIGITS[radix]
  if (known !== undefined) {
    if (!new RegExp(`^[${known}]+$`).test(digits)) return undefined
    const value = BigInt((prefix ?? '') + digits)
    return integer(sign === '-' ? -value : value)
  }
  let value = 0n
  for (const digit of digits) {
    const number = Number.parseInt(digit, 36)
    if (number >= radix) return undefined
    value = value * BigInt(radix) + BigInt(number)
  }
  return integer(sign === '-' ? -value : value)
}

/** The ASCII digit of a decimal digit in any script: they stand in runs of ten. */
function decimalDigit(char: string): string {
  let code = char.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
    code--
    value++
  }
  return String(value)
}

/** Python's `float(text)`, `undefined` where the text is none. */
export function parseFloatText(text: string): number | undefined {
  const trimmed = stripRight(stripLeft(text)).toLowerCase()
  if (/^[-+]?(?:inf|infinity)$/.test(trimmed)) return trimmed.startsWith('-') ? -Infinity : Infinity
  if (/^[-+]?nan$/.test(trimmed)) return Number.NaN
  if (!/^[-+]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[-+]?\d+(?:_\d+)*)?$/.test(trimmed))
    return undefined
  return Number(trimmed.replaceAll('_', ''))
}

function truncated(value: number): Datum | undefined {
  if (!Number.isFinite(value)) return undefined
  const whole = Math.trunc(value)
  return Number.isSafeInteger(whole) ? whole + 0 : integer(BigInt(whole))
}

function toInteger(input: Datum, otherwise: Datum, base: number): Datum {
  const text = textOf(input)
  if (text !== undefined) {
    const parsed = parseInteger(text, base)
    if (parsed !== undefined) return parsed
    const float = parseFloatText(text)
    return (float === undefined ? undefined : truncated(float)) ?? otherwise
  }
  defined(input)
  const number = numberOf(input)
  if (number === undefined) return otherwise
  if (typeof number === 'bigint' || Number.isSafeInteger(number)) return isFloat(input) ? Number(number) : number
  if (Math.abs(number) === Infinity) throw new PythonError('OverflowError', 'cannot convert float infinity to integer')
  return truncated(number) ?? otherwise
}

/** Python's `round(value, digits)`: half to even on the exact binary value. */
function roundFloat(value: number, digits: number): number {
  return Number.isFinite(value) && digits <= 300 ? roundHalfEven(value, Math.max(digits, -400)) : value
}

function round(input: Datum, precision: Datum, method: Datum): Datum {
  const name = textOf(method)
  if (name !== 'common' && name !== 'ceil' && name !== 'floor') {
    throw new PythonError('TemplateRuntimeError', 'method must be common, ceil or floor')
  }
  const number = numberOf(input)
  if (name === 'common') {
    if (number === undefined) throw typeError(`type ${typeName(input)} doesn't define __round__ method`)
    const digits = asIndex(precision)
    if (digits === undefined) {
      throw typeError(`'${typeName(precision)}' object cannot be interpreted as an integer`)
    }
    if (isFloat(input)) return float(roundFloat(Number(number), digits))
    return digits >= 0 ? (typeof number === 'bigint' ? number : Number(number)) : roundInteger(BigInt(number), -digits)
  }
  const scale = arithmetic('**', 10, precision)
  const scaled = scale === undefined ? undefined : arithmetic('*', input, scale)
  if (scaled === undefined || scale === undefined) {
    throw typeError(`must be real number, not ${typeName(defined(input))}`)
  }
  const exact = Number(numberOf(scaled) ?? 0)
  const whole = truncated(name === 'ceil' ? Math.ceil(exact) : Math.floor(exact)) ?? 0
  return arithmetic('/', whole, scale) ?? null
}

function roundInteger(value: bigint, zeros: number): Datum {
  const scale = 10n ** BigInt(Math.min(zeros, 400))
  const rest = ((value % scale) + scale) % scale
  const down = value - rest
  const twice = rest * 2n
  const up = twice > scale || (twice === scale && (down / scale) % 2n !== 0n)
  return integer(up ? down + scale : down)
}

/** The filters, by Jinja's names. */
export const NUMBER_FILTERS: readonly NamedFilter[] = [
  filter('abs', '', (input) => {
    const number = numberOf(input)
    if (number === undefined) throw typeError(`bad operand type for abs(): '${typeName(input)}'`)
    if (isFloat(input)) return float(Math.abs(Number(number)))
    return typeof number === 'bigint' ? integer(number < 0n ? -number : number) : Math.abs(number)
  }),
  filter('int', 'default? base?', (input, [otherwise = 0, base = 10]) =>
    toInteger(input, otherwise, asIndex(base) ?? 10),
  ),
  filter('float', 'default?', (input, [otherwise = new Float(0)]) => {
    const text = textOf(input)
    if (text !== undefined) {
      const parsed = parseFloatText(text)
      return parsed === undefined ? otherwise : float(parsed)
    }
    defined(input)
    const number = numberOf(input)
    return number === undefined ? otherwise : float(Number(number))
  }),
  filter('round', 'precision? method?', (input, [precision = 0, method = 'common']) => round(input, precision, method)),
]
