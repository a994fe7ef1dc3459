// C's `%e %f %g` of a float that is not negative, with exact decimal digits.
import { budgetError } from './budget.ts'

/** Digits behind the point that anybody may ask for. */
const MAX_PRECISION = 10_000

/** Refuses a precision beyond what formatting can do quickly. */
export function checkPrecision(precision: number | undefined): void {
  if (precision !== undefined && precision > MAX_PRECISION) throw budgetError('digits in one number', MAX_PRECISION)
}

/** The digits of a float in the style of `type`; `alternate` keeps trailing zeros and the point. */
export function formatFloat(value: number, type: string, precision: number, alternate: boolean): string {
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'nan' : 'inf'
    return type === type.toUpperCase() ? name.toUpperCase() : name
  }
  const lower = type.toLowerCase()
  const text =
    lower === 'f'
      ? fixed(value, precision, alternate)
      : lower === 'e'
        ? exponential(value, precision, alternate)
        : general(value, precision === 0 ? 1 : precision, alternate)
  return type === lower ? text : text.toUpperCase()
}

function fixed(value: number, precision: number, alternate: boolean): string {
  const digits = scaled(value, precision)
    .toString()
    .padStart(precision + 1, '0')
  if (precision === 0) return alternate ? `${digits}.` : digits
  return `${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}

/** The exact binary value times ten to a power, rounded half to even. */
function scaled(value: number, power: number): bigint {
  let exponent = 0
  let mantissa = value
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    exponent--
  }
  const up = BigInt(mantissa) * 10n ** BigInt(Math.max(power, 0))
  const down = (10n ** BigInt(Math.max(-power, 0))) << BigInt(-exponent)
  const whole = up / down
  const twice = (up % down) * 2n
  return twice > down || (twice === down && whole % 2n === 1n) ? whole + 1n : whole
}

/** `value` rounded to decimal digits as Python's `round` does. */
export function roundHalfEven(value: number, digits: number): number {
  const rounded = Number(`${scaled(Math.abs(value), digits)}e${-digits}`)
  return value < 0 ? -rounded : rounded
}

function exponential(value: number, precision: number, alternate: boolean): string {
  let exponent = value === 0 ? 0 : Number(value.toExponential().split('e')[1])
  let digits = scaled(value, precision - exponent).toString()
  if (digits.length > precision + 1) {
    exponent++
    digits = scaled(value, precision - exponent).toString()
  }
  const padded = digits.padEnd(precision + 1, '0')
  const point = precision > 0 || alternate ? '.' : ''
  const sign = exponent < 0 ? '-' : '+'
  return `${padded.slice(0, 1)}${point}${padded.slice(1)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function general(value: number, precision: number, alternate: boolean): string {
  const exponent = Number(exponential(value, precision - 1, false).split('e')[1])
  const text =
    exponent < -4 || exponent >= precision
      ? exponential(value, precision - 1, alternate)
      : fixed(value, precision - 1 - exponent, alternate)
  if (alternate || !text.includes('.')) return text
  return text.replace(/\.?0+(?=e|$)/, '')
}
