// Python's format specifications: what stands behind the colon in `{:>10.2f}`.
import { isFloat, numberOf } from '../../value/index.ts'
import { checkText } from './budget.ts'
import { textLength } from './code-points.ts'
import { type Datum, str, textOf, typeName } from './datum.ts'
import { checkPrecision, formatFloat } from './float-format.ts'
import { PythonError, typeError, valueError } from './python-error.ts'

const SPEC = /^(?:([\s\S])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([_,])?(?:\.(\d+))?([\s\S])?$/u

interface Spec {
  readonly fill: string
  readonly align: string | undefined
  readonly sign: string
  readonly alternate: boolean
  readonly width: number
  readonly grouping: string | undefined
  readonly precision: number | undefined
  readonly type: string | undefined
}

function parse(spec: string): Spec {
  const match = SPEC.exec(spec)
  if (match === null) throw valueError('Invalid format specifier')
  const [, fill, align, sign = '-', , alternate, zero, width = '0', grouping, precision, type] = match
  checkText(Number(width))
  checkPrecision(precision === undefined ? undefined : Number(precision))
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero === undefined ? undefined : '='),
    sign,
    alternate: alternate !== undefined,
    width: Number(width),
    grouping,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  }
}

/** `format(value, spec)`. */
export function formatValue(value: Datum, specText: string): string {
  if (specText === '') return str(value)
  const text = textOf(value)
  if (text !== undefined) return formatText(text, parse(specText))
  const number = numberOf(value)
  if (number === undefined || (typeof value === 'boolean' && /s$/.test(specText))) {
    throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`)
  }
  const spec = parse(specText)
  return formatNumber(value, number, spec)
}

function formatText(text: string, spec: Spec): string {
  if (spec.type !== undefined && spec.type !== 's') throw unknownCode(spec.type, 'str')
  if (spec.align === '=') throw valueError("'=' alignment not allowed in string format specifier")
  const cut = spec.precision === undefined ? text : Array.from(text).slice(0, spec.precision).join('')
  return align(cut, spec, '<')
}

function unknownCode(code: string, type: string): Error {
  return valueError(`Unknown format code '${code}' for object of type '${type}'`)
}

function align(text: string, { fill, align: side, width }: Spec, otherwise: string): string {
  const missing = width - textLength(text)
  if (missing <= 0) return text
  const where = side ?? otherwise
  if (where === '<') return text + fill.repeat(missing)
  if (where === '^') return fill.repeat(Math.floor(missing / 2)) + text + fill.repeat(Math.ceil(missing / 2))
  return fill.repeat(missing) + text
}

const BASES: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16, d: 10, n: 10 }

function formatNumber(value: Datum, number: number | bigint, spec: Spec): string {
  const type = spec.type
  const floats = isFloat(value)
  if (type === 'c' && (number < 0 || number > 0x10ffff)) {
    throw new PythonError('OverflowError', '%c arg not in range(0x110000)')
  }
  if (type === 'c') return align(String.fromCodePoint(Number(number)), spec, '<')
  if (!floats && (type === undefined || Object.hasOwn(BASES, type))) return formatInteger(number, spec)
  if (type !== undefined && !'eEfFgGn%'.includes(type)) throw unknownCode(type, typeName(value))
  const float = Number(number)
  const negative = float < 0 || Object.is(float, -0)
  const digits = floatDigits(value, Math.abs(float), spec)
  return numeric(digits, negative, '', spec)
}

function formatInteger(number: number | bigint, spec: Spec): string {
  if (spec.precision !== undefined) throw valueError('Precision not allowed in integer format specifier')
  const base = BASES[spec.type ?? 'd'] ?? 10
  const exact = BigInt(number)
  let digits = (exact < 0n ? -exact : exact).toString(base)
  if (spec.type === 'X') digits = digits.toUpperCase()
  const prefix = spec.alternate && base !== 10 ? `0${spec.type ?? ''}` : ''
  return numeric(digits, exact < 0n, prefix, spec)
}

function floatDigits(value: Datum, magnitude: number, spec: Spec): string {
  if (spec.type === '%') return `${formatFloat(magnitude * 100, 'f', spec.precision ?? 6, spec.alternate)}%`
  if (spec.type !== undefined && spec.type !== 'n') {
    return formatFloat(magnitude, spec.type, spec.precision ?? 6, spec.alternate)
  }
  if (spec.precision === undefined)
    return spec.type === 'n' ? formatFloat(magnitude, 'g', 6, false) : str(value).replace(/^-/, '')
  const general = formatFloat(magnitude, 'g', spec.precision, spec.alternate)
  return /[.en]/.test(general) ? general : `${general}.0`
}

function numeric(digits: string, negative: boolean, prefix: string, spec: Spec): string {
  const sign = negative ? '-' : spec.sign === '-' ? '' : spec.sign
  const lead = sign + prefix
  const every = /[box]/i.test(spec.type ?? '') && spec.grouping === '_' ? 4 : 3
  if (spec.align !== '=') return align(lead + group(digits, spec.grouping, every), spec, '>')
  const width = Math.max(0, spec.width - lead.length)
  if (spec.grouping === undefined || spec.fill !== '0') {
    return lead + group(digits, spec.grouping, every).padStart(width, spec.fill)
  }
  let padded = digits
  while (group(padded, spec.grouping, every).length < width) padded = `0${padded}`
  const grouped = group(padded, spec.grouping, every)
  return lead + grouped
}

function group(digits: string, separator: string | undefined, every: number): string {
  if (separator === undefined) return digits
  const [, whole = '', rest = ''] = /^([0-9a-fA-F]*)([\s\S]*)$/.exec(digits) ?? []
  const parts: string[] = []
  for (let end = whole.length; end > 0; end -= every) parts.unshift(whole.slice(Math.max(0, end - every), end))
  return parts.join(separator) + rest
}
