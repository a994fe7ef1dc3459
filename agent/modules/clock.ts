// What time it is on this machine, or at an offset from UTC.
import { pythonStr, type Value } from '../../core/value/index.ts'
import { formatDate } from '../date-format.ts'
import { SaltInvocationError } from './errors.ts'

/** A moment in a format; at an offset such as `+0530`, or where that is null, as this machine's clock shows it. */
export function clockText(milliseconds: number, offset: Value, format: string): string {
  if (offset === null) return formatDate(milliseconds, format)
  return formatDate(milliseconds, format, offsetMinutes(pythonStr(offset)))
}

/** Minutes ahead of UTC: `+0530` is 330. */
export function offsetMinutes(offset: string): number {
  const parts = /^([+-])?(\d\d)(\d\d)$/.exec(offset)
  if (parts === null) throw new SaltInvocationError('Invalid UTC offset')
  const minutes = Number(parts[2]) * 60 + Number(parts[3])
  return parts[1] === '-' ? -minutes : minutes
}
