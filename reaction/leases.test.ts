// Leases of what runs long are renewed in time, and let go when they are lost.
import { describe, expect, it } from 'vitest'
import { createHeldLeases } from './leases.ts'
import type { ClaimWrite } from './ports.ts'

/** A clock and an interval moved by hand, and a ledger that answers as told. */
function bench(answer: (write: ClaimWrite) => Promise<boolean>) {
  let now = 0
  let turn: () => void = () => undefined
  const writes: ClaimWrite[] = []
  const warnings: string[] = []
  const leases = createHeldLeases({
    lease: 300,
    now: () => now,
    timer: {
      sleep: async () => undefined,
      every: (_microseconds, run) => {
        turn = run
        return () => {
          turn = () => undefined
        }
      },
    },
    write: (write) => {
      writes.push(write)
      return answer(write)
    },
    warn: (message) => void warnings.push(message),
  })
  const pass = async (time: number): Promise<void> => {
    now += time
    turn()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { leases, writes, warnings, pass }
}

describe('createHeldLeases', () => {
  it('renews what is older than a third of a lease, again and again, until it is released', async () => {
    const { leases, writes, pass } = bench(async () => true)
    leases.hold('a', 1)
    await pass(50)
    expect(writes).toEqual([])
    await pass(50)
    expect(writes).toEqual([{ key: 'a', generation: 1, at: 100, change: { kind: 'renew', until: 400 } }])
    await pass(50)
    await pass(50)
    expect(writes.length).toBe(2)
    leases.release('a')
    await pass(300)
    expect(writes.length).toBe(2)
  })

  it('lets go of what another has', async () => {
    const { leases, writes, pass } = bench(async () => false)
    leases.hold('a', 1)
    await pass(100)
    expect(leases.size()).toBe(0)
    await pass(100)
    expect(writes.length).toBe(1)
  })

  it('tries again after a store that failed, and says so', async () => {
    let fails = true
    const { leases, writes, warnings, pass } = bench(async () => {
      if (fails) throw new Error('disk full')
      return true
    })
    leases.hold('a', 1)
    await pass(100)
    expect(warnings).toEqual([expect.stringContaining('disk full')])
    fails = false
    await pass(50)
    expect(writes.length).toBe(2)
    expect(leases.size()).toBe(1)
    leases.close()
    await pass(500)
    expect(writes.length).toBe(2)
  })
})
