// The metadata of a scheduled job's return: the job's own, and when and where it ran, in Salt's three fields.
import type { Mapping } from '../../core/value/index.ts'
import { formatDate, zoneMinutes } from '../date-format.ts'

/** `_TOS` the zone's offset, `_TS` the local time, `_TT` the UTC date in words. */
export function runMetadata(own: Mapping, now: number): Mapping {
  const ahead = zoneMinutes(now)
  const offset = `${ahead < 0 ? '-' : '+'}${formatDate(Math.abs(ahead) * 60_000, '%H%M', 0)}`
  return { ...own, _TOS: offset, _TS: formatDate(now, '%c'), _TT: formatDate(now, '%Y %B %d %a %H %m', 0) }
}
