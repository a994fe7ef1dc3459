// Cron's five fields, and the next time they name. Times are this machine's, as cron's are.
import { BrineError } from '../../core/error.ts'

interface CronFields {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  /** Both days and weekdays are given: either is enough. */
  readonly isEither: boolean
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const words: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

/** Years that are looked through for a day that comes: February 29 may be eight years away. */
const horizon = 9

const minute = 60_000
/** What clocks are set back by somewhere. */
const steps = [30, 60, 120].map((minutes) => minutes * minute)
const longestStep = Math.max(...steps)

/**
 * A reader of one expression: the first time after another, in milliseconds since 1970. Throws a BrineError `cron` for what
 * is none, or never comes. Where clocks are set back an hour comes twice: what names its hours comes in the first, what
 * comes every hour in both. Where they are set forward, what would have come in the hour that is left out comes so long
 * after it as it would have come after its beginning.
 */
export function parseCron(expression: string): (after: number) => number {
  const fields = fieldsOf(expression)
  return (after) => {
    const now = shownAt(after)
    let [soonest, at] = [Number.POSITIVE_INFINITY, now - longestStep]
    for (;;) {
      const found = nextShown(fields, at)
      if (found === undefined) {
        throw new BrineError(`The cron expression ${JSON.stringify(expression)} names a day that never comes.`, {
          code: 'cron',
        })
      }
      at = found
      const { first, second } = timesOf(at)
      const isEveryHour = fields.hours.size === 24
      for (const time of isEveryHour ? [first, second] : [first]) if (time > after) soonest = Math.min(soonest, time)
      if (at > now && first > after) return soonest
    }
  }
}

/** What clocks show at a time, to the minute, as milliseconds of a day without changes. */
function shownAt(time: number): number {
  const date = new Date(time)
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes())
}

/** When clocks show that: the same time twice where they show it once. */
function timesOf(shown: number): { readonly first: number; readonly second: number } {
  const date = new Date(shown)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const first = new Date(year, month, day, date.getUTCHours(), date.getUTCMinutes()).getTime()
  const step = steps.find((back) => shownAt(first + back) === shown) ?? 0
  return { first, second: first + step }
}

/** The next that the fields name of what clocks show; undefined where it never comes. */
function nextShown(fields: CronFields, after: number): number | undefined {
  let next = new Date(after + minute)
  const last = next.getUTCFullYear() + horizon
  while (next.getUTCFullYear() < last) {
    const [year, month, day, hour] = [next.getUTCFullYear(), next.getUTCMonth(), next.getUTCDate(), next.getUTCHours()]
    if (!fields.months.has(month + 1)) next = new Date(Date.UTC(year, month + 1, 1))
    else if (!isDay(fields, next)) next = new Date(Date.UTC(year, month, day + 1))
    else if (!fields.hours.has(hour)) next = new Date(Date.UTC(year, month, day, hour + 1))
    else if (!fields.minutes.has(next.getUTCMinutes())) next = new Date(next.getTime() + minute)
    else return next.getTime()
  }
  return undefined
}

function isDay({ days, weekdays, isEither }: CronFields, shown: Date): boolean {
  const [day, weekday] = [days.has(shown.getUTCDate()), weekdays.has(shown.getUTCDay())]
  return isEither ? day || weekday : day && weekday
}

function fieldsOf(expression: string): CronFields {
  const parts = (words[expression.trim()] ?? expression).trim().split(/\s+/)
  const [minutes, hour, day, month, weekday] = parts
  if (
    parts.length !== 5 ||
    minutes === undefined ||
    hour === undefined ||
    day === undefined ||
    month === undefined ||
    weekday === undefined
  )
    throw wrong(expression, 'it needs five fields: minute, hour, day, month and weekday')
  return {
    minutes: values(minutes, 0, 59, [], expression),
    hours: values(hour, 0, 23, [], expression),
    days: values(day, 1, 31, [], expression),
    months: values(month, 1, 12, ['', ...monthNames], expression),
    weekdays: new Set([...values(weekday, 0, 7, dayNames, expression)].map((one) => one % 7)),
    isEither: !day.startsWith('*') && !weekday.startsWith('*'),
  }
}

function values(field: string, least: number, most: number, names: readonly string[], expression: string): Set<number> {
  const found = new Set<number>()
  for (const part of field.split(',')) {
    const [, range = '', step = '1'] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? []
    const [first, last] = boundsOf(range, least, most, names, part.includes('/'))
    if (!(first >= least && last <= most && first <= last) || Number(step) < 1)
      throw wrong(expression, `${part} is not between ${least} and ${most}`)
    for (let value = first; value <= last; value += Number(step)) found.add(value)
  }
  return found
}

function boundsOf(
  range: string,
  least: number,
  most: number,
  names: readonly string[],
  stepped: boolean,
): [number, number] {
  if (range === '*') return [least, most]
  const [from = '', to] = range.split('-')
  const number = (text: string): number => {
    const name = names.indexOf(text.toLowerCase())
    return name >= 0 && text !== '' ? name : /^\d+$/.test(text) ? Number(text) : Number.NaN
  }
  const first = number(from)
  return [first, to === undefined ? (stepped ? most : first) : number(to)]
}

function wrong(expression: string, why: string): BrineError {
  return new BrineError(`The cron expression ${JSON.stringify(expression)} is not understood: ${why}.`, {
    code: 'cron',
  })
}
