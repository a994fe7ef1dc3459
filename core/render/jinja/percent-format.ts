// Python's `format % values`.
import { isFloat, numberOf, Tuple } from '../../value/index.ts'
import { checkText } from './budget.ts'
import { textLength } from './code-points.ts'
import { type Datum, isDict, repr, str, TemplateObject, textOf, typeName } from './datum.ts'
import { dictItem, keyError } from './dict.ts'
import { checkPrecision, formatFloat } from './float-format.ts'
import { asIndex } from './numbers.ts'
import { PythonError, typeError, valueError } from './python-error.ts'
import { type FormatPart, joinFormatted } from './rope.ts'
import type { Run } from './run.ts'
import { Rope } from './text-object.ts'
import { Undefined } from './undefined.ts'

const DIRECTIVE = /%(?:\(((?:[^()]|\([^()]*\))*)\))?([-#0 +]*)(\*|\d+)?(?:\.(\*|\d*))?[hlL]?([\s\S])?/g

interface Directive {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  readonly type: string
}

/** `format % values`: one value, a tuple of them, or a dict for `%(name)s`. */
export function percentFormat(format: Datum, values: Datum, run: Run): Datum {
  const source = format instanceof Rope && !format.hasHoles ? format : (textOf(format) ?? '')
  const text = textOf(source) ?? ''
  const given = new Values(values)
  const parts: FormatPart[] = []
  let at = 0
  for (const match of text.matchAll(DIRECTIVE)) {
    if (match.index < at) continue
    if (match.index > at) parts.push({ literal: text.slice(at, match.index) })
    at = match.index + match[0].length
    parts.push(directivePart(match, given))
  }
  if (at < text.length) parts.push({ literal: text.slice(at) })
  given.finish()
  return joinFormatted(source instanceof Rope ? source : format instanceof Rope ? text : format, parts, run)
}

function directivePart(match: RegExpMatchArray, given: Values): FormatPart {
  const [all, name, flags = '', width, precision, type] = match
  if (type === undefined) throw valueError('incomplete format')
  if (type === '%' && name === undefined && flags === '' && width === undefined) return { literal: '%' }
  const source = name === undefined ? undefined : given.named(name)
  const star = (part: string | undefined): number | undefined => {
    if (part !== '*') return part === undefined ? undefined : Number(part)
    const count = asIndex(given.next())
    if (count === undefined) throw typeError('* wants int')
    return count
  }
  const wanted = star(width)
  const directive: Directive = {
    flags: wanted !== undefined && wanted < 0 ? `${flags}-` : flags,
    width: Math.abs(wanted ?? 0),
    precision: star(precision),
    type,
  }
  if (!'diouxXeEfFgGcrsa%'.includes(type)) {
    const index = (match.index ?? 0) + all.length - 1
    const code = type.codePointAt(0) ?? 0
    throw valueError(`unsupported format character '${type}' (0x${code.toString(16)}) at index ${index}`)
  }
  checkText(directive.width)
  checkPrecision(directive.precision)
  return convert(source === undefined ? given.next() : source, directive)
}

function convert(value: Datum, directive: Directive): FormatPart {
  const { type, width, precision } = directive
  if (type === '%') return { literal: '%' }
  if (type === 's' && width === 0 && precision === undefined) return { datum: value }
  if (type === 's' || type === 'r' || type === 'a') {
    const full = type === 's' ? str(value) : type === 'r' ? repr(value) : asciiRepr(value)
    return { formatted: pad(precision === undefined ? full : full.slice(0, precision), directive, false) }
  }
  if (type === 'c') return { formatted: pad(character(value), directive, false) }
  return { formatted: number(value, directive) }
}

/** Python's `ascii()`. */
function asciiRepr(value: Datum): string {
  return repr(value).replace(/[^\0-\x7f]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0
    const hex = code.toString(16)
    if (code < 0x100) return `\\x${hex.padStart(2, '0')}`
    return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
  })
}

function character(value: Datum): string {
  const text = textOf(value)
  if (text !== undefined && textLength(text) === 1) return text
  const code = asIndex(value)
  if (code === undefined) throw typeError('%c requires int or char')
  if (code < 0 || code > 0x10ffff) throw new PythonError('OverflowError', '%c arg not in range(0x110000)')
  return String.fromCodePoint(code)
}

function number(value: Datum, directive: Directive): string {
  const { type, flags } = directive
  if (value instanceof Undefined) value.fail()
  const numeric = numberOf(value)
  let digits: string
  let negative: boolean
  if ('diu'.includes(type) || 'oxX'.includes(type)) {
    if (numeric === undefined || ('oxX'.includes(type) && isFloat(value))) {
      const what = 'diu'.includes(type) ? 'a real number' : 'an integer'
      throw typeError(`%${type} format: ${what} is required, not ${typeName(value)}`)
    }
    const integer = typeof numeric === 'bigint' ? numeric : BigInt(Math.trunc(numeric))
    negative = integer < 0n
    digits = integerDigits(negative ? -integer : integer, directive)
  } else {
    if (numeric === undefined) throw typeError(`must be real number, not ${typeName(value)}`)
    const float = Number(numeric)
    negative = float < 0 || Object.is(float, -0)
    digits = formatFloat(Math.abs(float), type, directive.precision ?? 6, flags.includes('#'))
  }
  const sign = negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  return pad(sign + digits, directive, true)
}

function integerDigits(value: bigint, { type, precision, flags }: Directive): string {
  let digits = value.toString(type === 'o' ? 8 : type === 'x' || type === 'X' ? 16 : 10)
  if (type === 'X') digits = digits.toUpperCase()
  if (precision !== undefined) checkText(precision)
  digits = digits.padStart(precision ?? 0, '0')
  if (!flags.includes('#')) return digits
  return type === 'o' ? `0o${digits}` : type === 'x' ? `0x${digits}` : type === 'X' ? `0X${digits}` : digits
}

function pad(text: string, { flags, width }: Directive, isNumber: boolean): string {
  if (flags.includes('-')) return text.padEnd(width + text.length - textLength(text))
  if (!isNumber || !flags.includes('0')) return text.padStart(width + text.length - textLength(text))
  const [, sign = '', digits = ''] = /^([-+ ]?(?:0[xXo])?)([\s\S]*)$/.exec(text) ?? []
  return sign + digits.padStart(width - sign.length, '0')
}

/** The right operand of `%`. */
class Values {
  private readonly list: readonly Datum[] | undefined
  private readonly single: Datum
  private at = 0
  private usedNames = false

  constructor(values: Datum) {
    this.list = Array.isArray(values) && values instanceof Tuple ? (values as Datum[]) : undefined
    this.single = values
  }

  next(): Datum {
    if (this.list === undefined) {
      if (this.at++ > 0) throw typeError('not enough arguments for format string')
      return this.single
    }
    const value = this.list[this.at++]
    if (value === undefined) throw typeError('not enough arguments for format string')
    return value
  }

  named(name: string): Datum {
    this.usedNames = true
    if (!isDict(this.single)) throw typeError('format requires a mapping')
    const value = dictItem(this.single, name)
    if (value === undefined) throw keyError(name)
    return value
  }

  /** Everything has to be used, but for a map and for lists that stand alone. */
  finish(): void {
    if (this.usedNames) return
    const isMapping = isDict(this.single) || Array.isArray(this.single) || this.single instanceof TemplateObject
    const left =
      this.list === undefined
        ? this.at === 0 && !(isMapping && textOf(this.single) === undefined)
        : this.at < this.list.length
    if (left) throw typeError('not all arguments converted during string formatting')
  }
}
