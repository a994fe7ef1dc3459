// Salt's `strftime` and `date_format`: a time in seconds, or now, in C's date format; times are UTC.
import { numberOf } from '../../../value/index.ts'
import { type Datum, str, textOf } from '../datum.ts'
import { PythonError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { defined } from '../undefined.ts'
import { filter, type NamedFilter } from './define.ts'
import { parseFloatText } from './number.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

function two(value: number, fill = '0'): string {
  return String(value).padStart(2, fill)
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1
}

/** Week and year by ISO 8601. */
function isoWeek(date: Date): { year: number; week: number } {
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  return { year: thursday.getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) }
}

function twelve(date: Date): number {
  return date.getUTCHours() % 12 || 12
}

const DIRECTIVES: Readonly<Record<string, (date: Date, micros: number) => string>> = {
  Y: (date) => String(date.getUTCFullYear()),
  C: (date) => two(Math.floor(date.getUTCFullYear() / 100)),
  y: (date) => two(date.getUTCFullYear() % 100),
  m: (date) => two(date.getUTCMonth() + 1),
  d: (date) => two(date.getUTCDate()),
  e: (date) => two(date.getUTCDate(), ' '),
  H: (date) => two(date.getUTCHours()),
  k: (date) => two(date.getUTCHours(), ' '),
  I: (date) => two(twelve(date)),
  l: (date) => two(twelve(date), ' '),
  M: (date) => two(date.getUTCMinutes()),
  S: (date) => two(date.getUTCSeconds()),
  f: (_, micros) => String(micros).padStart(6, '0'),
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  P: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  j: (date) => String(dayOfYear(date)).padStart(3, '0'),
  a: (date) => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
  A: (date) => DAYS[date.getUTCDay()] ?? '',
  b: (date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  h: (date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  B: (date) => MONTHS[date.getUTCMonth()] ?? '',
  w: (date) => String(date.getUTCDay()),
  u: (date) => String(date.getUTCDay() || 7),
  U: (date) => two(Math.floor((dayOfYear(date) + 6 - date.getUTCDay()) / 7)),
  W: (date) => two(Math.floor((dayOfYear(date) + 6 - ((date.getUTCDay() + 6) % 7)) / 7)),
  V: (date) => two(isoWeek(date).week),
  G: (date) => String(isoWeek(date).year),
  g: (date) => two(isoWeek(date).year % 100),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
  z: () => '',
  Z: () => '',
  D: (date, micros) => strftime('%m/%d/%y', date, micros),
  x: (date, micros) => strftime('%m/%d/%y', date, micros),
  F: (date, micros) => strftime('%Y-%m-%d', date, micros),
  T: (date, micros) => strftime('%H:%M:%S', date, micros),
  X: (date, micros) => strftime('%H:%M:%S', date, micros),
  R: (date, micros) => strftime('%H:%M', date, micros),
  r: (date, micros) => strftime('%I:%M:%S %p', date, micros),
  c: (date, micros) => strftime('%a %b %e %H:%M:%S %Y', date, micros),
}

function strftime(format: string, date: Date, micros: number): string {
  return format.replace(/%(-?)([\s\S])/gu, (all, bare: string, directive: string) => {
    const write = Object.hasOwn(DIRECTIVES, directive) ? DIRECTIVES[directive] : undefined
    if (write === undefined) return all
    const text = write(date, micros)
    return bare === '' ? text : text.replace(/^[0 ]+(?=.)/, '')
  })
}

function seconds(input: Datum, run: Run): number {
  if (input === null) return run.outside('now', 'strftime')()
  defined(input)
  const text = textOf(input)
  const number = text === undefined ? numberOf(input) : parseFloatText(text)
  if (number === undefined || !Number.isFinite(Number(number))) {
    throw new PythonError('RuntimeError', `Unable to parse ${str(input)}. Consider installing timelib`)
  }
  return Number(number)
}

function formatted(input: Datum, format: Datum, run: Run): string {
  const time = seconds(input, run)
  const micros = Math.round(time * 1e6)
  const whole = Math.floor(micros / 1e6)
  const date = new Date(whole * 1000)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) {
    throw new PythonError('RuntimeError', `Unable to parse ${str(input)}. Consider installing timelib`)
  }
  return strftime(str(format), date, micros - whole * 1e6)
}

/** The filters, by Salt's names. */
export const DATE_FILTERS: readonly NamedFilter[] = ['strftime', 'date_format'].map((name) =>
  filter(name, 'format?', (input, [format = '%Y-%m-%d'], run) => formatted(input, format, run)),
)
