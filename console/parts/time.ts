// Times as people read them.

/** `13:49:15.141`, local time, of milliseconds since 1970. */
export function clockOf(at: number): string {
  const date = new Date(at)
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** Milliseconds since 1970 of an event's stamp (UTC, no zone), or NaN. */
export function stampTime(stamp: string): number {
  return Date.parse(`${stamp.slice(0, 23)}Z`)
}

/** `20261121134954330054` as milliseconds since 1970, or NaN. */
export function jidTime(jid: string): number {
  const [, year, month, day, hour, minute, second, milli] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})/.exec(jid) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`)
}

/** `12 s ago`, `3 min ago`, else day and time. */
export function agoOf(at: number, now = Date.now()): string {
  if (Number.isNaN(at)) return ''
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`
  return new Date(at).toLocaleString(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
}

/** `+0.138 s` between two moments in milliseconds. */
export function afterOf(from: number, to: number): string {
  return Number.isNaN(to - from) ? '' : `+${((to - from) / 1000).toFixed(3)} s`
}
