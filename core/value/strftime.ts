// Python's `strftime`, of a time without a zone, in the C locale.

/** From Sunday on. */
export const days: readonly string[] = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** From January on. */
export const months: readonly string[] =
  'January February March April May June July August September October November December'.split(' ')

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
  a: (date) => (days[date.getUTCDay()] ?? '').slice(0, 3),
  A: (date) => days[date.getUTCDay()] ?? '',
  b: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  h: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  B: (date) => months[date.getUTCMonth()] ?? '',
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
  D: (date, micros) => written('%m/%d/%y', date, micros),
  x: (date, micros) => written('%m/%d/%y', date, micros),
  F: (date, micros) => written('%Y-%m-%d', date, micros),
  T: (date, micros) => written('%H:%M:%S', date, micros),
  X: (date, micros) => written('%H:%M:%S', date, micros),
  R: (date, micros) => written('%H:%M', date, micros),
  r: (date, micros) => written('%I:%M:%S %p', date, micros),
  c: (date, micros) => written('%a %b %e %H:%M:%S %Y', date, micros),
}

/**
 * A time in a format of strftime(3). Whole `microseconds` since 1970 on the clock that is shown: a zone's offset is added already,
 * and `%z` and `%Z` print nothing. `%-d` leaves out zeros and spaces in front; a directive that is not known stays as it is.
 */
export function strftime(microseconds: number, format: string): string {
  const second = Math.floor(microseconds / 1e6)
  return written(format, new Date(second * 1000), microseconds - second * 1e6)
}

function written(format: string, date: Date, micros: number): string {
  return format.replace(/%(-?)([\s\S])/gu, (all, bare: string, directive: string) => {
    const write = Object.hasOwn(DIRECTIVES, directive) ? DIRECTIVES[directive] : undefined
    if (write === undefined) return all
    const text = write(date, micros)
    return bare === '' ? text : text.replace(/^[0 ]+(?=.)/, '')
  })
}
