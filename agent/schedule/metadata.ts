// The metadata of a scheduled job's return: the job's own, and when and where it ran, in Salt's three fields.
import type { Mapping } from '../../core/value/index.ts'
import { asctime } from '../asctime.ts'
import { formatDate } from './date-format.ts'

/** `_TOS` the zone's offset, `_TS` the local time, `_TT` the UTC date in words. */
export function runMetadata(own: Mapping, now: number): Mapping {
  const date = new Date(now)
  const minutes = -date.getTimezoneOffset()
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0')
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}${two(Math.abs(minutes) % 60)}`
  const universal = now - minutes * 60_000
  return { ...own, _TOS: offset, _TS: asctime(date), _TT: formatDate(universal, '%Y %B %d %a %H %m') }
}
