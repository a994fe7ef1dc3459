// Times as people write them: cron's fields, formats, moments. All of them are this machine's local times.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDate, parseDate, usualFormat } from '../date-format.ts'
import { parseCron } from './cron.ts'
import { nextOf, parseMoment } from './moment.ts'

const at = (text: string): number => new Date(text).getTime()
const shown = (time: number | undefined): string => (time === undefined ? 'never' : formatDate(time, '%a %F %R'))

describe('cron', () => {
  // From Saturday, 2026-11-21 12:34:56.
  const cases: [expression: string, ...next: string[]][] = [
    ['* * * * *', 'Sat 2026-11-21 12:35', 'Sat 2026-11-21 12:36'],
    ['*/15 * * * *', 'Sat 2026-11-21 12:45', 'Sat 2026-11-21 13:00'],
    ['5,10-12 3 * * *', 'Sun 2026-11-22 03:05', 'Sun 2026-11-22 03:10', 'Sun 2026-11-22 03:11'],
    ['0 0 1 1 *', 'Fri 2027-01-01 00:00', 'Sat 2028-01-01 00:00'],
    ['0 12 * * mon-fri', 'Mon 2026-11-23 12:00'],
    ['0 12 * * 7', 'Sun 2026-11-22 12:00'],
    ['0 0 13 * fri', 'Fri 2026-11-27 00:00', 'Fri 2026-12-04 00:00', 'Fri 2026-12-11 00:00', 'Sun 2026-12-13 00:00'],
    ['0 0 29 feb *', 'Tue 2028-02-29 00:00'],
    ['30 10/6 * * *', 'Sat 2026-11-21 16:30', 'Sat 2026-11-21 22:30', 'Sun 2026-11-22 10:30'],
    ['@daily', 'Sun 2026-11-22 00:00'],
  ]
  it.each(cases)('%s', (expression, ...expected) => {
    const next = parseCron(expression)
    let time = at('2026-11-21T12:34:56')
    const found: string[] = []
    for (const _ of expected) {
      time = next(time)
      found.push(shown(time))
    }
    expect(found).toEqual(expected)
  })

  it.each(['', '* * * *', '60 * * * *', '* * 0 * *', 'a * * * *', '5-1 * * * *', '*/0 * * * *', '* * * * * *'])(
    'refuses %j',
    (expression) => expect(() => parseCron(expression)).toThrow(/not understood/),
  )

  it('says of a day that never comes that it does not', () => {
    expect(() => parseCron('0 0 30 2 *')(at('2026-11-21T00:00:00'))).toThrow(/never comes/)
  })

  it('always names a later minute that its fields allow', () => {
    const field = (least: number, most: number) =>
      fc.oneof(fc.constant('*'), fc.integer({ min: least, max: most }).map(String))
    fc.assert(
      fc.property(
        field(0, 59),
        field(0, 23),
        fc.date({ min: new Date(2020, 0), max: new Date(2040, 0), noInvalidDate: true }),
        (minute, hour, date) => {
          const next = parseCron(`${minute} ${hour} * * *`)(date.getTime())
          expect(next).toBeGreaterThan(date.getTime())
          expect(next - date.getTime()).toBeLessThanOrEqual(25 * 3_600_000)
          if (minute !== '*') expect(new Date(next).getMinutes()).toBe(Number(minute))
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a format', () => {
  it.each([
    ['2026-11-21T05:06:07', usualFormat, '2026-11-21T05:06:07'],
    ['11/21/26 5:06 pm', '%m/%d/%y %I:%M %p', '2026-11-21T17:06:00'],
    ['Nov 1 2026', '%b %d %Y', '2026-11-01T00:00:00'],
    ['November 1, 2026 12:00 AM', '%B %d, %Y %I:%M %p', '2026-11-01T00:00:00'],
  ])('reads %j', (text, format, expected) => {
    const time = parseDate(text, format)
    expect(time === undefined ? undefined : formatDate(time, usualFormat)).toBe(expected)
  })

  it.each([
    ['2026-02-30T00:00:00', usualFormat],
    ['soon', usualFormat],
    ['2026-11-21T25:00:00', usualFormat],
    ['x', '%Q'],
  ])('refuses %j', (text, format) => expect(parseDate(text, format)).toBeUndefined())

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(1970, 1), max: new Date(2060, 0), noInvalidDate: true }), (date) => {
        const time = Math.floor(date.getTime() / 1000) * 1000
        for (const format of [usualFormat, '%d %b %Y %T', '%A %B %d %Y %I:%M:%S %p']) {
          const text = formatDate(time, format)
          expect(formatDate(parseDate(text, format) ?? 0, format)).toBe(text)
        }
      }),
    )
  })
})

describe('a moment', () => {
  const now = at('2026-11-21T12:00:00')
  it.each([
    ['5:00pm', 'Sat 2026-11-21 17:00'],
    ['11am', 'Sun 2026-11-22 11:00'],
    ['Monday 8:30am', 'Mon 2026-11-23 08:30'],
    ['saturday 12:00', 'Sat 2026-11-21 12:00'],
    ['sat 11:59', 'Sat 2026-11-28 11:59'],
    ['November 30, 2026 3:00am', 'Mon 2026-11-30 03:00'],
    ['30 Nov 15:00', 'Mon 2026-11-30 15:00'],
    ['2026-12-01', 'Tue 2026-12-01 00:00'],
    ['2026-12-01T10:30:00', 'Tue 2026-12-01 10:30'],
    ['12/24/2026 6pm', 'Thu 2026-12-24 18:00'],
    ['2020-01-01 10:00', 'never'],
  ])('reads %j', (text, expected) => {
    const moment = parseMoment(text, now)
    expect(moment === undefined ? 'nothing' : shown(nextOf(moment, now))).toBe(expected)
  })

  it.each(['', 'soon', '25:00', 'November 31, 2026', '99/99/2026', 'the day after'])('refuses %j', (text) =>
    expect(parseMoment(text, now)).toBeUndefined(),
  )
})
