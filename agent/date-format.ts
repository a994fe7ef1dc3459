// Dates in a format, as C's strptime and strftime have it. Times are this machine's where no other zone is named.
import { escapeRegex } from '../core/value/escape-regex.ts'
import { days, months, strftime } from '../core/value/strftime.ts'

/** Salt's, where none is named. */
export const usualFormat = '%Y-%m-%dT%H:%M:%S'

const three = (names: readonly string[]): string[] => names.map((name) => name.slice(0, 3))
const anyOf = (names: readonly string[]): string => names.join('|')

interface Read {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
  afternoon: boolean | undefined
}

interface Directive {
  readonly pattern: string
  /** Absent where what it reads says nothing about the time. */
  readonly read?: (text: string) => Partial<Read>
}

const indexIn = (names: readonly string[], text: string): number =>
  names.findIndex((name) => name.toLowerCase().startsWith(text.toLowerCase()))

const directives: Readonly<Record<string, Directive>> = {
  Y: { pattern: '\\d{4}', read: (text) => ({ year: Number(text) }) },
  y: { pattern: '\\d{2}', read: (text) => ({ year: Number(text) + (Number(text) < 69 ? 2000 : 1900) }) },
  m: { pattern: '\\d{1,2}', read: (text) => ({ month: Number(text) }) },
  d: { pattern: '\\d{1,2}', read: (text) => ({ day: Number(text) }) },
  H: { pattern: '\\d{1,2}', read: (text) => ({ hour: Number(text) }) },
  I: { pattern: '\\d{1,2}', read: (text) => ({ hour: Number(text) }) },
  M: { pattern: '\\d{1,2}', read: (text) => ({ minute: Number(text) }) },
  S: { pattern: '\\d{1,2}', read: (text) => ({ second: Number(text) }) },
  f: { pattern: '\\d{1,6}', read: (text) => ({ millisecond: Math.floor(Number(text.padEnd(6, '0')) / 1000) }) },
  p: { pattern: '[AaPp][Mm]', read: (text) => ({ afternoon: text.toLowerCase() === 'pm' }) },
  B: { pattern: anyOf(months), read: (text) => ({ month: indexIn(months, text) + 1 }) },
  b: { pattern: anyOf(three(months)), read: (text) => ({ month: indexIn(months, text) + 1 }) },
  A: { pattern: anyOf(days) },
  a: { pattern: anyOf(three(days)) },
  '%': { pattern: '%' },
}

const whole: Readonly<Record<string, string>> = { T: '%H:%M:%S', D: '%m/%d/%y', F: '%Y-%m-%d', R: '%H:%M' }
const spelled = (format: string): string => format.replace(/%([TDFR])/g, (_, name: string) => whole[name] ?? '')

/** Milliseconds since 1970 of a text in a format; undefined where it does not fit, or names no day there is. */
export function parseDate(text: string, format: string): number | undefined {
  const read: Read = {
    year: 1900,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    millisecond: 0,
    afternoon: undefined,
  }
  const names: string[] = []
  const pattern = spelled(format).replace(
    /%(.)|([^%]+)/g,
    (_, name: string | undefined, literal: string | undefined) => {
      if (name === undefined) return (literal ?? '').split(/\s+/).map(escapeRegex).join('\\s+')
      names.push(name)
      return `(${directives[name]?.pattern ?? '(?!)'})`
    },
  )
  const found = new RegExp(`^${pattern}$`, 'i').exec(text)
  if (found === null) return undefined
  for (const [index, name] of names.entries()) Object.assign(read, directives[name]?.read?.(found[index + 1] ?? ''))
  if (read.afternoon !== undefined) read.hour = (read.hour % 12) + (read.afternoon ? 12 : 0)
  const { year, month, day, hour, minute, second, millisecond } = read
  const date = new Date(year, month - 1, day, hour, minute, second, millisecond)
  const isReal = date.getMonth() === month - 1 && date.getDate() === day && hour < 24 && minute < 60 && second < 60
  return isReal ? date.getTime() : undefined
}

/** Minutes that this machine's clock is ahead of UTC at a time. */
export const zoneMinutes = (time: number): number => -new Date(time).getTimezoneOffset()

/** A time in a format of strftime(3), `ahead` minutes from UTC; a directive that is not known stays as it is. */
export function formatDate(time: number, format: string, ahead = zoneMinutes(time)): string {
  return strftime(Math.round(time * 1000) + ahead * 60_000_000, format)
}
