// What every clock must do.
import { decodeTime, isValid } from 'ulid'
import { expect } from 'vitest'
import type { Clock } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

const cases: Cases<Clock> = {
  'tells the time in microseconds and never goes back': async ({ port: clock }) => {
    const before = Date.now()
    let last = clock.now()
    expect(last / 1000).toBeGreaterThan(before - 1000)
    expect(last / 1000).toBeLessThan(Date.now() + 1000)
    for (let index = 0; index < 10_000; index++) {
      const now = clock.now()
      expect(now).toBeGreaterThanOrEqual(last)
      last = now
    }
  },

  'gives event ids that are ULIDs of now and rise': async ({ port: clock }) => {
    const before = Date.now()
    const ids = Array.from({ length: 5000 }, () => clock.eventId())
    const after = Date.now()
    const isNow = (time: number): boolean => time > before - 2000 && time < after + 2000
    expect(ids.every((id) => isValid(id) && isNow(decodeTime(id)))).toBe(true)
    expect([...new Set(ids)].sort()).toEqual(ids)
  },

  'gives jids of now that never meet': async ({ port: clock }) => {
    const before = Date.now()
    const jids = Array.from({ length: 5000 }, () => clock.jid())
    const after = Date.now()
    expect([...new Set(jids)].sort()).toEqual(jids)
    const [, year, month, day, hour, minute, second] =
      /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d{6}$/.exec(jids[0] ?? '') ?? []
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    expect(time).toBeGreaterThan(before - 3000)
    expect(time).toBeLessThan(after + 3000)
  },
}

/** The contract of {@link Clock}. */
export function describeClockContract(adapter: string, make: MakeSubject<Clock>, skips?: Skips): void {
  describeContract<Clock>('Clock', adapter, cases, make, skips)
}
