// Dates in a format written as C's strptime and strftime have it. Times are this machine's where no other zone is named.

/** Salt's, where none is named. */
export const usualFormat = '%Y-%m-%dT%H:%M:%S'

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const three = (names: readonly string[]): string[] => names.map((name) => name.slice(0, 3))
const padded = (number: number, length = 2): string => String(number).padStart(length, '0')
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
  /** The UTC fields of `date` are those to write. */
  readonly write: (date: Date) => string
}

const indexIn = (names: readonly string[], text: string): number =>
  names.findIndex((name) => name.toLowerCase().startsWith(text.toLowerCase()))

const directives: Readonly<Record<string, Directive>> = {
  Y: {
    pattern: '\\d{4}',
    read: (text) => ({ year: Number(text) }),
    write: (date) => padded(date.getUTCFullYear(), 4),
  },
  y: {
    pattern: '\\d{2}',
    read: (text) => ({ year: Number(text) + (Number(text) < 69 ? 2000 : 1900) }),
    write: (date) => padded(date.getUTCFullYear() % 100),
  },
  m: {
    pattern: '\\d{1,2}',
    read: (text) => ({ month: Number(text) }),
    write: (date) => padded(date.getUTCMonth() + 1),
  },
  d: {
    pattern: '\\d{1,2}',
    read: (text) => ({ day: Number(text) }),
    write: (date) => padded(date.getUTCDate()),
  },
  H: {
    pattern: '\\d{1,2}',
    read: (text) => ({ hour: Number(text) }),
    write: (date) => padded(date.getUTCHours()),
  },
  I: {
    pattern: '\\d{1,2}',
    read: (text) => ({ hour: Number(text) }),
    write: (date) => padded(date.getUTCHours() % 12 || 12),
  },
  M: {
    pattern: '\\d{1,2}',
    read: (text) => ({ minute: Number(text) }),
    write: (date) => padded(date.getUTCMinutes()),
  },
  S: {
    pattern: '\\d{1,2}',
    read: (text) => ({ second: Number(text) }),
    write: (date) => padded(date.getUTCSeconds()),
  },
  f: {
    pattern: '\\d{1,6}',
    read: (text) => ({ millisecond: Math.floor(Number(text.padEnd(6, '0')) / 1000) }),
    write: (date) => padded(date.getUTCMilliseconds() * 1000, 6),
  },
  p: {
    pattern: '[AaPp][Mm]',
    read: (text) => ({ afternoon: text.toLowerCase() === 'pm' }),
    write: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  },
  B: {
    pattern: anyOf(months),
    read: (text) => ({ month: indexIn(months, text) + 1 }),
    write: (date) => months[date.getUTCMonth()] ?? '',
  },
  b: {
    pattern: anyOf(three(months)),
    read: (text) => ({ month: indexIn(months, text) + 1 }),
    write: (date) => three(months)[date.getUTCMonth()] ?? '',
  },
  A: { pattern: anyOf(days), write: (date) => days[date.getUTCDay()] ?? '' },
  a: { pattern: anyOf(three(days)), write: (date) => three(days)[date.getUTCDay()] ?? '' },
  '%': { pattern: '%', write: () => '%' },
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
      if (name === undefined) return (literal ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
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
const zoneMinutes = (time: number): number => -new Date(time).getTimezoneOffset()

/** A time in a format, `ahead` minutes from UTC; a directive that is not known stays as it is. */
export function formatDate(time: number, format: string, ahead = zoneMinutes(time)): string {
  const date = new Date(time + ahead * 60_000)
  return spelled(format).replace(/%(.)/g, (directive, name: string) => directives[name]?.write(date) ?? directive)
}
