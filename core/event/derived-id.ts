// The id of an event that a job or a run implies: the same each time it is computed, so that a retry repeats it.
import { createHash } from 'node:crypto'
import type { EventId, Jid } from './event.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A ULID computed from a jid and the event's part in it (`new`, `ret/db1`). Its time is the jid's, so that it sorts with
 * its neighbours; the log drops the second of two equal ids, which makes firing after a crash safe.
 */
export function derivedEventId(jid: Jid, part: string): EventId {
  const digest = createHash('sha256').update(jid).update('\n').update(part).digest()
  return (
    base32(BigInt(millisecondsOf(jid)), 10) +
    base32(digest.readBigUInt64BE(0), 12) +
    base32(digest.readBigUInt64BE(8), 4)
  )
}

/** Milliseconds since 1970 of a 20-digit jid; 0 for anything else. */
function millisecondsOf(jid: Jid): number {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})/.exec(jid)
  if (parts === null) return 0
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, milli = 0] = parts.slice(1).map(Number)
  const time = Date.UTC(year, month - 1, day, hour, minute, second, milli)
  return Number.isFinite(time) && time > 0 ? Math.min(time, 2 ** 48 - 1) : 0
}

function base32(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value, place = 0; place < digits; place++, rest >>= 5n)
    text = (alphabet[Number(rest & 31n)] ?? '0') + text
  return text
}
