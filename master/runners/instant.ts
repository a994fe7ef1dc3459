// Times as people give them to a runner: a stamp, a day, so long ago.
import { stampInstant } from '../../core/event/stamp.ts'
import { pythonStr, type Value } from '../../core/value/index.ts'
import { RunError } from '../run.ts'

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
/** Numbers from here on are seconds since 1970; smaller ones are seconds ago. */
const EPOCH = 1_000_000_000

/**
 * The instant in microseconds since 1970, `undefined` for nothing given. Understood: `2026-01-31T09:15:00` (UTC, with or
 * without a fraction), `2026-01-31`, `2026-01-31 09:15`, `15m`, `2h`, `1d` (so long ago), and seconds since 1970.
 */
export function readInstant(value: Value | undefined, name: string, now: number): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number') return value >= EPOCH ? value * 1e6 : now - value * 1e6
  const text = pythonStr(value).trim()
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? []
  if (amount !== '') return now - Number(amount) * (SECONDS[unit] ?? 0) * 1e6
  const [, day, time = '00:00:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)Z?)?$/.exec(text) ?? []
  const instant = day === undefined ? undefined : stampInstant(`${day}T${time.length === 5 ? `${time}:00` : time}`)
  if (instant !== undefined) return instant
  throw new RunError(
    `${name}=${text} is no time. Write a UTC time like 2026-01-31T09:15:00, or 15m, 2h or 1d for so long ago.`,
  )
}
