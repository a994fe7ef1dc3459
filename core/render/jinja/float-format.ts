// C's `%e %f %g` of a float that is not negative, with exact decimal digits.

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
  const digits = precision <= 100 && value < 1e21 ? value.toFixed(precision) : exactFixed(value, precision)
  return alternate && precision === 0 ? `${digits}.` : digits
}

/** `toFixed` beyond JavaScript's limits: the exact binary value in decimal. */
function exactFixed(value: number, precision: number): string {
  const [scaled, shift] = decompose(value)
  const scale = 10n ** BigInt(precision)
  let rounded: bigint
  if (shift >= 0) rounded = (scaled << BigInt(shift)) * scale
  else {
    const divisor = 1n << BigInt(-shift)
    const product = scaled * scale
    rounded = product / divisor
    const rest = (product % divisor) * 2n
    if (rest > divisor || (rest === divisor && rounded % 2n === 1n)) rounded += 1n
  }
  const digits = rounded.toString().padStart(precision + 1, '0')
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}

function decompose(value: number): [bigint, number] {
  let shift = 0
  let scaled = value
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    shift--
  }
  return [BigInt(scaled), shift]
}

function exponential(value: number, precision: number, alternate: boolean): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(Math.min(precision, 100)).split('e')
  const padded = precision > 100 ? mantissa.padEnd(mantissa.length + precision - 100, '0') : mantissa
  const point = alternate && precision === 0 ? '.' : ''
  const number = Number(exponent)
  return `${padded}${point}e${number < 0 ? '-' : '+'}${String(Math.abs(number)).padStart(2, '0')}`
}

function general(value: number, precision: number, alternate: boolean): string {
  const exponent = value === 0 ? 0 : Number(value.toExponential(Math.min(precision, 101) - 1).split('e')[1])
  const text =
    exponent < -4 || exponent >= precision
      ? exponential(value, precision - 1, alternate)
      : fixed(value, precision - 1 - exponent, alternate)
  if (alternate || !text.includes('.')) return text
  return text.replace(/\.?0+(?=e|$)/, '')
}
