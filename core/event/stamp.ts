// The `_stamp` of an event: naive UTC, ISO-8601, six digits of microseconds, as Salt 3007 and earlier write it.

/** The stamp of an instant in microseconds since 1970: `2026-11-21T05:25:55.620700`. */
export function stampOf(microseconds: number | bigint): string {
  const [second, micro] = secondAndMicro(microseconds)
  return `${second}.${micro}`
}

/** An instant as text down to the second, `2026-11-21T05:25:55`, and its six digits of microseconds. */
export function secondAndMicro(microseconds: number | bigint): [string, string] {
  const whole = Number(microseconds)
  const micro = ((whole % 1e6) + 1e6) % 1e6
  return [new Date((whole - micro) / 1000).toISOString().slice(0, 19), String(micro).padStart(6, '0')]
}

const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|\+00:00)?$/

/** The instant of a stamp in microseconds since 1970; `undefined` for what is no UTC stamp. 3008's `+00:00` is read too. */
export function stampInstant(stamp: string): number | undefined {
  const found = STAMP.exec(stamp)
  if (found === null) return undefined
  const milliseconds = Date.parse(`${found[1]}Z`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds * 1000 + Number((found[2] ?? '').padEnd(6, '0'))
}
