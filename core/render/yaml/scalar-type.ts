// Gives a scalar's text its type: YAML 1.1 as PyYAML resolves it, with Salt's decimal reading of leading zeros.
import { float, integer, type Value } from '../../value/value.ts'

/** What a plain text is, by its look alone. */
export type PlainType = 'null' | 'bool' | 'int' | 'float' | 'merge' | 'value' | 'timestamp' | 'str'

const BOOL = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/
const INT = /^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$/
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const TIMESTAMP =
  /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/
const MIGHT_BE_TYPED = /^(?:[-+.0-9~<=]|[yYnNtTfFoO][a-zA-Z]{1,4}$|$)/

/** The type PyYAML resolves a plain scalar to. */
export function plainType(text: string): PlainType {
  if (!MIGHT_BE_TYPED.test(text)) return 'str'
  if (text === '' || text === '~' || text === 'null' || text === 'Null' || text === 'NULL') return 'null'
  if (BOOL.test(text)) return 'bool'
  if (FLOAT.test(text)) return 'float'
  if (INT.test(text)) return 'int'
  if (text === '<<') return 'merge'
  if (text === '=') return 'value'
  return TIMESTAMP.test(text) ? 'timestamp' : 'str'
}

/** Python reads no decimal integer of more digits; reading them takes time that grows with the square. */
const LONGEST_INTEGER = 4300

/** A scalar that its own type cannot read (`0_`, `!!int x`); Python's words. */
export class UnreadableScalar extends Error {}

/**
 * A printed text as YAML types it: what looks like a date, a merge or a default is text, for it must not become
 * structure. So is what only looks like a number (`0_`).
 */
export function typedText(text: string): Value {
  const type = plainType(text)
  if (type === 'str') return text
  try {
    return type === 'merge' || type === 'value' ? text : readScalar(type, text)
  } catch (error) {
    if (error instanceof UnreadableScalar) return text
    throw error
  }
}

/** Reads a text as a type. Throws {@link UnreadableScalar} where Python's constructor would fail. */
export function readScalar(type: 'null' | 'bool' | 'int' | 'float' | 'timestamp' | 'str', text: string): Value {
  switch (type) {
    case 'null':
      return null
    case 'bool':
      return readBool(text)
    case 'int':
      return readInt(text)
    case 'float':
      return readFloat(text)
    case 'timestamp':
    case 'str':
      return text
  }
}

const BOOLS: Readonly<Record<string, boolean>> = {
  yes: true,
  no: false,
  true: true,
  false: false,
  on: true,
  off: false,
}

function readBool(text: string): boolean {
  const value = BOOLS[text.toLowerCase()]
  if (value === undefined) throw new UnreadableScalar(`'${text}' is not a boolean`)
  return value
}

/** Zeros in front are dropped, so `010` is 10; after a sign they still mean octal, so `-010` is -8. */
function readInt(text: string): Value {
  const unpadded = text.startsWith('0') && !/^0[bx]/.test(text) ? text.replace(/^0+/, '') || '0' : text
  const plain = unpadded.replaceAll('_', '')
  const negative = plain.startsWith('-')
  const digits = plain.replace(/^[-+]/, '')
  const size = magnitude(digits)
  return typeof size === 'number' && Number.isSafeInteger(size)
    ? negative && size !== 0
      ? -size
      : size
    : integer(negative ? -BigInt(size) : BigInt(size))
}

function magnitude(digits: string): number | bigint {
  if (digits === '') throw new UnreadableScalar('string index out of range')
  if (digits.length > LONGEST_INTEGER && !/^0[bx]/.test(digits)) {
    throw new UnreadableScalar(`Exceeds the limit (${LONGEST_INTEGER} digits) for integer string conversion`)
  }
  if (/^\d{1,15}$/.test(digits) && (digits === '0' || !digits.startsWith('0'))) return Number(digits)
  if (/^0b[01]+$|^0x[0-9a-fA-F]+$/.test(digits)) return BigInt(digits)
  if (/^0[0-7]+$/.test(digits)) return BigInt(`0o${digits.slice(1)}`)
  if (/^[1-9]\d*$/.test(digits)) return BigInt(digits)
  if (/^\d+(?::\d+)+$/.test(digits)) return digits.split(':').reduce((sum, part) => sum * 60n + BigInt(part), 0n)
  throw new UnreadableScalar(`invalid literal for int() with base 10: '${digits}'`)
}

function readFloat(text: string): Value {
  const plain = text.replaceAll('_', '').toLowerCase()
  if (plain === '') throw new UnreadableScalar('string index out of range')
  const sign = plain.startsWith('-') ? -1 : 1
  const digits = plain.replace(/^[-+]/, '')
  if (digits === '.inf' || digits === 'inf' || digits === 'infinity') return sign * Number.POSITIVE_INFINITY
  if (digits === '.nan' || digits === 'nan') return Number.NaN
  if (/^\d+(?::\d+)+(?:\.\d*)?$/.test(digits)) {
    return float(sign * digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0))
  }
  if (!/^(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/.test(digits)) {
    throw new UnreadableScalar(`could not convert string to float: '${digits}'`)
  }
  return float(sign * Number(digits))
}
