// A moment as people write it: `5:00pm`, `Monday 8am`, `November 30, 2026 3:00am`, `2026-11-21 17:00`.
import { timeOfDay } from '../beacons/time-of-day.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** A moment that was read. What names no date comes again: every day, or every week. */
export type Moment =
  | { readonly kind: 'date'; readonly at: number }
  /** Seconds since midnight; with a weekday (0 is Sunday) only on that. */
  | { readonly kind: 'time'; readonly second: number; readonly weekday?: number }

/** Reads it, dates in `now`'s year where they name none; undefined where it is not understood. */
export function parseMoment(text: string, now: number): Moment | undefined {
  const clock = /\b(\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\s*(?:[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?)(?!\w)/i.exec(
    text.replace(/(\d)T(\d)/, '$1 $2'),
  )
  const spaced = text.replace(/(\d)T(\d)/, '$1 $2')
  const second = clock === null ? 0 : timeOfDay((clock[1] ?? '').replace(/\.\d+/, ''))
  if (second === undefined) return undefined
  const rest = (clock === null ? spaced : spaced.replace(clock[0], ' ')).replace(/[,]/g, ' ').trim()
  const words = rest === '' ? [] : rest.split(/\s+/)
  const weekday = words.findIndex((word) => isName(days, word))
  const named = weekday < 0 ? undefined : days.indexOf((words[weekday] ?? '').slice(0, 3).toLowerCase())
  const date = words.filter((_, index) => index !== weekday)
  if (date.length === 0) {
    if (clock === null && named === undefined) return undefined
    return { kind: 'time', second, ...(named === undefined ? {} : { weekday: named }) }
  }
  const day = dayOf(date, new Date(now).getFullYear())
  return day === undefined ? undefined : { kind: 'date', at: day.getTime() + second * 1000 }
}

/** The first time a moment comes that is not before `from`; undefined where it is over. */
export function nextOf(moment: Moment, from: number): number | undefined {
  if (moment.kind === 'date') return moment.at >= from ? moment.at : undefined
  for (let ahead = 0; ahead <= 8; ahead++) {
    const date = new Date(from)
    date.setHours(0, 0, 0, 0)
    date.setDate(date.getDate() + ahead)
    date.setSeconds(moment.second)
    if (date.getTime() >= from && (moment.weekday === undefined || date.getDay() === moment.weekday))
      return date.getTime()
  }
  return undefined
}

/** The one moment meant by a range's or limit's text: today's, where it names no date. */
export function momentNear(moment: Moment, now: number): number {
  if (moment.kind === 'date') return moment.at
  const today = new Date(now)
  today.setHours(0, 0, 0, 0)
  return nextOf(moment, today.getTime()) ?? now
}

function isName(names: readonly string[], word: string): boolean {
  return /^[a-z]{3,}\.?$/i.test(word) && names.includes(word.slice(0, 3).toLowerCase())
}

function dayOf(words: readonly string[], year: number): Date | undefined {
  const text = words.join(' ')
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(text)
  if (iso !== null) return realDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const slashed = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{2,4}))?$/.exec(text)
  if (slashed !== null) return realDay(fullYear(slashed[3], year), Number(slashed[1]), Number(slashed[2]))
  const month = words.find((word) => isName(months, word))
  const numbers = words.filter((word) => word !== month).map((word) => word.replace(/(?:st|nd|rd|th)$/i, ''))
  if (month === undefined || numbers.length === 0 || numbers.length > 2 || !numbers.every((one) => /^\d+$/.test(one)))
    return undefined
  const [day, written] = Number(numbers[0]) > 31 ? [numbers[1], numbers[0]] : numbers
  return realDay(fullYear(written, year), months.indexOf(month.slice(0, 3).toLowerCase()) + 1, Number(day))
}

function fullYear(written: string | undefined, usual: number): number {
  if (written === undefined) return usual
  return written.length > 2 ? Number(written) : 2000 + Number(written)
}

function realDay(year: number, month: number, day: number): Date | undefined {
  const date = new Date(year, month - 1, day)
  return date.getMonth() === month - 1 && date.getDate() === day ? date : undefined
}
