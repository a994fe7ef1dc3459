// Job ids: 20 digits of UTC time down to the microsecond.
import type { Jid } from './event.ts'
import { secondAndMicro } from './stamp.ts'

/** Salt's `is_jid`: text of 20 characters that is a number, or such a beginning followed by `_` and more. */
export function isJid(value: unknown): value is Jid {
  if (typeof value !== 'string') return false
  if (value.length !== 20 && (value.length <= 21 || value[20] !== '_')) return false
  return isPythonInteger(value.slice(0, 20))
}

/** The jid of an instant in microseconds since 1970, `%Y%m%d%H%M%S%f` in UTC. */
export function jidOf(microseconds: number | bigint): Jid {
  const [second, micro] = secondAndMicro(microseconds)
  return second.replace(/\D/g, '') + micro
}

const MONTHS = ['', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Salt's StartTime: `2026, Nov 21 05:25:55.620700`; empty for what has not a jid's length or month. */
export function jidStartTime(jid: Jid): string {
  if (jid.length !== 20 && (jid.length <= 21 || jid[20] !== '_')) return ''
  const month = MONTHS[Number(jid.slice(4, 6))]
  if (month === undefined) return ''
  const clock = `${jid.slice(8, 10)}:${jid.slice(10, 12)}:${jid.slice(12, 14)}.${jid.slice(14, 20)}`
  return `${jid.slice(0, 4)}, ${month} ${jid.slice(6, 8)} ${clock}`
}

/** What Python's `int()` reads: digits with single underscores between them, a sign, spaces around. */
function isPythonInteger(text: string): boolean {
  return /^\s*[-+]?\d+(?:_\d+)*\s*$/.test(text)
}
