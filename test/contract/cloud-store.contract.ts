// What every store of clouds must do.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { CloudStore, Expected } from '../../master/cloud/index.ts'
import type { Clock } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

/** The store and the time that things end by. */
export interface CloudPorts {
  readonly clouds: CloudStore
  readonly clock: Pick<Clock, 'now'>
}

const minute = 60_000_000

function web1(until: number): Expected {
  return { minion: 'web1', account: '000000000000', region: 'us-east-1', profile: 'web', provider: 'my-ec2:ec2', until }
}

const cases: Cases<CloudPorts> = {
  'gives one token to all who begin a name': async ({ port: { clouds, clock }, reopen }) => {
    const until = clock.now() + minute
    const tokens = await Promise.all(['a', 'b', 'c'].map((token) => clouds.begin('web1', token, until)))
    expect(new Set(tokens).size).toBe(1)
    expect(await clouds.begin('web2', 'other', until)).toBe('other')
    const again = (await reopen()).clouds
    expect(await again.begin('web1', 'd', until)).toBe(tokens[0])
    expect(await again.begun('web1')).toBe(tokens[0])
  },

  'begins anew after the end, and after its time': async ({ port: { clouds, clock } }) => {
    await clouds.begin('web1', 'a', clock.now() + minute)
    await clouds.ended('web1')
    expect(await clouds.begun('web1')).toBeUndefined()
    expect(await clouds.begin('web1', 'b', clock.now() + 50_000)).toBe('b')
    await sleep(80)
    expect(await clouds.begun('web1')).toBeUndefined()
    expect(await clouds.begin('web1', 'c', clock.now() + minute)).toBe('c')
  },

  'keeps the first claim of a machine': async ({ port: { clouds, clock }, reopen }) => {
    const expected = web1(clock.now() + minute)
    await clouds.expect('i-1', expected)
    expect(await clouds.expected('i-1')).toEqual(expected)
    const claims = await Promise.all(['k1', 'k2', 'k3'].map((finger) => clouds.claim('i-1', finger)))
    const fingers = new Set(claims.map((claim) => claim?.finger))
    expect(fingers.size).toBe(1)
    const again = (await reopen()).clouds
    await again.expect('i-1', { ...expected, until: expected.until + 1 })
    expect((await again.claim('i-1', 'k4'))?.finger).toBe([...fingers][0])
  },

  'knows nothing of a machine that is not expected, forgotten, or late': async ({ port: { clouds, clock } }) => {
    expect(await clouds.claim('i-1', 'k')).toBeUndefined()
    expect(await clouds.expected('i-1')).toBeUndefined()
    await clouds.expect('i-1', web1(clock.now() + minute))
    await clouds.forget('i-1')
    expect(await clouds.claim('i-1', 'k')).toBeUndefined()
    await clouds.expect('i-2', web1(clock.now() + 50_000))
    await sleep(80)
    expect(await clouds.claim('i-2', 'k')).toBeUndefined()
    await clouds.ended('unknown')
    await clouds.forget('unknown')
  },
}

/** The contract of {@link CloudStore}. */
export function describeCloudStoreContract(adapter: string, make: MakeSubject<CloudPorts>, skips?: Skips): void {
  describeContract<CloudPorts>('CloudStore', adapter, cases, make, skips)
}
