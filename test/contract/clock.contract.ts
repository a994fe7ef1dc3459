// What every clock must do.
import { decodeTime, isValid } from 'ulid'
import { expect } from 'vitest'
import type { Clock } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

const cases: Cases<Clock> = {
  'tells the time in microseconds and never goes back': async ({ port: clock }) => {
    let last = clock.now()
    expect(Math.abs(last / 1000 - Date.now())).toBeLessThan(1000)
    for (let index = 0; index < 10_000; index++) {
      const now = clock.now()
      expect(now).toBeGreaterThanOrEqual(last)
      last = now
    }
  },

  'gives event ids that are ULIDs of now and rise': async ({ port: clock }) => {
    const ids = Array.from({ length: 5000 }, () => clock.eventId())
    expect(ids.every((id) => isValid(id) && Math.abs(decodeTime(id) - Date.now()) < 2000)).toBe(true)
    expect([...new Set(ids)].sort()).toEqual(ids)
  },

  'gives jids of now that never meet': async ({ port: clock }) => {
    const jids = Array.from({ length: 5000 }, () => clock.jid())
    expect([...new Set(jids)].sort()).toEqual(jids)
    const [, year, month, day, hour, minute, second] =
      /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d{6}$/.exec(jids[0] ?? '') ?? []
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    expect(Math.abs(time - Date.now())).toBeLessThan(3000)
  },
}

/** The contract of {@link Clock}. */
export function describeClockContract(adapter: string, make: MakeSubject<Clock>, skips?: Skips): void {
  describeContract<Clock>('Clock', adapter, cases, make, skips)
}
