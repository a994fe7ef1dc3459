// Cloud events in the shapes of AWS's documentation: what they become, and what happens to keys and hooks.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestMaster, testMaster, testMinion } from '../test/master/harness.ts'
import { createTakeCloudEvent, type TakeCloudEvent } from './cloud-events.ts'
import { createLaunches, defaultLaunchOptions, type Launches, sweepInstances } from './fleet/index.ts'
import { createMemoryFleet } from './fleet/memory-fleet.ts'
import type { FleetStore, LifecycleAction } from './fleet/ports.ts'

const id = 'i-1234567890abcdef0'

let running: TestMaster
let fleet: FleetStore
let calls: string[]
let launches: Launches
let take: TakeCloudEvent
let now: number

beforeEach(async () => {
  running = await testMaster()
  fleet = createMemoryFleet()
  calls = []
  now = running.store.clock.now()
  launches = launchesWith(3)
  take = createTakeCloudEvent({ ...needs(), lifecycle, launching: (launch) => launches.begin(launch) })
})
afterEach(() => running.close())

const lifecycle = {
  async complete(action: LifecycleAction, result: string) {
    calls.push(`${result} ${action.group}/${action.hook} ${action.token} ${action.instance}`)
    return 'done' as const
  },
  async heartbeat(action: LifecycleAction) {
    calls.push(`heartbeat ${action.instance}`)
    return 'done' as const
  },
}

function needs() {
  const { master, store } = running
  const clock = { now: () => now, jid: () => store.clock.jid(), eventId: () => store.clock.eventId() }
  const { fire, keys, presence } = master
  return { fire, ring: store.keys, keys, presence, store: fleet, clouds: store.clouds, clock }
}

function launchesWith(abandonLimit: number): Launches {
  const { master, store } = running
  return createLaunches(
    { ...needs(), lifecycle, jobs: store.jobs, publish: master.publish },
    { ...defaultLaunchOptions, abandonLimit },
  )
}

function envelope(type: string, detail: Record<string, unknown>, source = 'aws.autoscaling') {
  return {
    version: '0',
    id: '12345678-1234-1234-1234-123456789012',
    'detail-type': type,
    source,
    account: '123456789012',
    time: '2026-01-01T00:00:00Z',
    region: 'us-west-2',
    resources: [],
    detail,
  }
}

const state = (name: string) =>
  envelope('EC2 Instance State-change Notification', { 'instance-id': id, state: name }, 'aws.ec2')

const hook = (way: 'launch' | 'terminate', more: Record<string, unknown> = {}, instance = id) =>
  envelope(`EC2 Instance-${way} Lifecycle Action`, {
    LifecycleActionToken: `token-${instance}`,
    AutoScalingGroupName: 'web-asg',
    LifecycleHookName: `brine-${way}`,
    EC2InstanceId: instance,
    LifecycleTransition: `autoscaling:EC2_INSTANCE_${way === 'launch' ? 'LAUNCHING' : 'TERMINATING'}`,
    NotificationMetadata: 'additional-info',
    Origin: way === 'launch' ? 'EC2' : 'AutoScalingGroup',
    Destination: way === 'launch' ? 'AutoScalingGroup' : 'EC2',
    ...more,
  })

const activity = (type: string) =>
  envelope(type, {
    StatusCode: 'InProgress',
    Description: 'Launching a new EC2 instance',
    AutoScalingGroupName: 'web-asg',
    ActivityId: '87654321-4321-4321-4321-210987654321',
    Details: { 'Availability Zone': 'us-west-2b', 'Subnet ID': 'subnet-12345678' },
    RequestId: '12345678-1234-1234-1234-123456789012',
    StatusMessage: 'no capacity',
    EC2InstanceId: id,
    Cause: 'description-text',
  })

/** Makes the instance's minion: accepted, with its identity verified. */
async function join(minion = 'web1', instance = id): Promise<void> {
  const identity = { account: '123456789012', region: 'us-west-2', instance_id: instance, asg: 'web-asg' }
  const { pub } = testMinion(minion)
  await running.store.keys.update(
    { id: minion, epoch: 1, denied: [], current: { state: 'accepted', pub, since: 0, identity } },
    undefined,
  )
  await fleet.claim(instance, { minion, finger: 'f', at: now })
}

async function cloud(): Promise<string[]> {
  return (await running.events()).map(({ tag }) => tag).filter((tag) => tag.startsWith('salt/cloud/'))
}

async function returned(minion: string, success: boolean): Promise<void> {
  const [job] = await running.store.jobs.list({ limit: 1 })
  await running.store.jobs.addReturn(job?.jid ?? '', {
    id: minion,
    at: now,
    load: { success, retcode: success ? 0 : 1 },
  })
}

describe('cloud events', () => {
  it("become Salt's, with its fields and where the instance is", async () => {
    for (const name of ['pending', 'running', 'stopping', 'stopped', 'shutting-down', 'terminated'])
      await take(state(name))
    expect(await cloud()).toEqual(
      ['creating', 'requesting', 'created', 'destroying', 'destroyed'].map((step) => `salt/cloud/${id}/${step}`),
    )
    const created = (await running.events()).find(({ tag }) => tag.endsWith('/created'))
    expect(created?.data).toMatchObject({
      name: id,
      instance_id: id,
      provider: 'ec2',
      event: 'created instance',
      region: 'us-west-2',
      account: '123456789012',
    })
  })

  it('that both services tell are one event', async () => {
    await take(state('running'))
    await take(activity('EC2 Instance Launch Successful'))
    await take(state('running'))
    expect(await cloud()).toEqual([`salt/cloud/${id}/created`])
  })

  it('name the minion where its identity was verified, also after its key is gone', async () => {
    await join()
    await take(hook('terminate'))
    await take(state('terminated'))
    expect(await cloud()).toEqual(['salt/cloud/web1/destroying', 'salt/cloud/web1/destroyed'])
    const destroyed = (await running.events()).find(({ tag }) => tag.endsWith('/destroyed'))
    expect(destroyed?.data).toMatchObject({ name: 'web1', instance_id: id })
  })

  it('delete the key of an instance that ends, tell it, and let the group go on', async () => {
    await join()
    await running.store.keys.update(
      { id: 'web12', epoch: 1, denied: [], current: { state: 'accepted', pub: testMinion('web12').pub, since: 0 } },
      undefined,
    )
    await take(hook('terminate'))
    expect((await running.master.keys.lists()).minions).toEqual(['web12'])
    expect(
      (await running.events()).some(({ tag, data }) => tag === 'salt/key' && JSON.stringify(data).includes('delete')),
    ).toBe(true)
    expect(calls).toEqual([`CONTINUE web-asg/brine-terminate token-${id} ${id}`])
  })

  it('leave the key of an instance that returns to the warm pool', async () => {
    await join()
    await take(hook('terminate', { Destination: 'WarmPool' }))
    expect((await running.master.keys.lists()).minions).toEqual(['web1'])
    expect(await cloud()).toEqual([])
    expect(calls).toHaveLength(1)
  })

  it('leave the hooks of others to them, and delete the key all the same', async () => {
    await join()
    await take(hook('launch', { LifecycleHookName: 'their-launch' }))
    await take(hook('terminate', { LifecycleHookName: 'their-terminate' }))
    expect(calls).toEqual([])
    expect(await fleet.launches()).toEqual([])
    expect((await running.master.keys.lists()).minions).toEqual([])
  })

  it('tell of a launch that failed', async () => {
    await take(activity('EC2 Instance Launch Unsuccessful'))
    expect((await running.events()).map(({ tag }) => tag)).toEqual([`brine/cloud/${id}/failed`])
  })

  it('that are none of ours are left alone, and broken ones are told', async () => {
    expect(await take(envelope('EC2 Spot Instance Interruption Warning', {}))).toBeUndefined()
    await expect(take(envelope('EC2 Instance-launch Lifecycle Action', {}))).rejects.toThrow()
  })
})

describe('a launch hook', () => {
  it('goes on once the start-up job returned well, and beats until then', async () => {
    await take(hook('launch'))
    expect(await launches.advance()).toMatchObject({ open: 1 })
    await join()
    await launches.advance()
    const [job] = await running.store.jobs.list({ limit: 9 })
    expect(job).toMatchObject({ fun: 'test.ping', minions: ['web1'], metadata: { brine_launch: id } })
    await launches.advance()
    expect(await running.store.jobs.list({ limit: 9 })).toHaveLength(1)
    await returned('web1', true)
    expect(await launches.advance()).toMatchObject({ open: 0, continued: 1 })
    expect(calls).toEqual([...Array(3).fill(`heartbeat ${id}`), `CONTINUE web-asg/brine-launch token-${id} ${id}`])
    expect(await launches.advance()).toMatchObject({ open: 0, continued: 0 })
  })

  it('is begun once, however often it is told', async () => {
    await take(hook('launch'))
    await join()
    await launches.advance()
    await take(hook('launch'))
    await launches.advance()
    expect(await running.store.jobs.list({ limit: 9 })).toHaveLength(1)
  })

  it('gives the instance up where the job failed or nobody came, at most so often', async () => {
    launches = launchesWith(1)
    await take(hook('launch'))
    await join()
    await launches.advance()
    await returned('web1', false)
    expect(await launches.advance()).toMatchObject({ abandoned: 1 })
    await take(hook('launch', {}, 'i-0000000000000000b'))
    now += 901 * 1_000_000
    expect(await launches.advance()).toMatchObject({ abandoned: 0, stopped: 1 })
    expect(calls.filter((call) => !call.startsWith('heartbeat'))).toEqual([
      `ABANDON web-asg/brine-launch token-${id} ${id}`,
      'CONTINUE web-asg/brine-launch token-i-0000000000000000b i-0000000000000000b',
    ])
    expect((await running.events()).map(({ tag }) => tag)).toEqual(
      expect.arrayContaining(['brine/fleet/abandoned', 'brine/fleet/abandon-stopped']),
    )
  })

  it('that Auto Scaling refuses keeps no other from going on, and is forgotten in the end', async () => {
    const { master, store } = running
    const denying = {
      ...lifecycle,
      heartbeat: async (action: LifecycleAction) => {
        if (action.instance === 'i-gone') throw new Error('not authorized')
        return lifecycle.heartbeat(action)
      },
      complete: async (action: LifecycleAction, result: string) => {
        if (action.instance === 'i-gone') throw new Error('not authorized')
        return lifecycle.complete(action, result)
      },
    }
    const mixed = createLaunches(
      { ...needs(), lifecycle: denying, jobs: store.jobs, publish: master.publish },
      defaultLaunchOptions,
    )
    take = createTakeCloudEvent({ ...needs(), lifecycle: denying, launching: (launch) => mixed.begin(launch) })
    await take(hook('launch', {}, 'i-gone'))
    await take(hook('launch'))
    await expect(mixed.advance()).rejects.toThrow('not authorized')
    expect(calls).toEqual([`heartbeat ${id}`])
    now += 2 * 3600 * 1_000_000
    await mixed.advance()
    expect(await fleet.launches()).toEqual([])
  })

  it('of an instance bound for the warm pool goes on at once', async () => {
    await take(hook('launch', { Destination: 'WarmPool' }))
    expect(calls).toHaveLength(1)
    expect(await fleet.launches()).toEqual([])
  })
})

describe('the sweep', () => {
  it('deletes keys whose instance is gone and tells it once', async () => {
    await join('web1')
    await join('web2', 'i-00000000000000002')
    const instances = {
      find: async () =>
        new Map([['i-00000000000000002', { id: 'i-00000000000000002', state: 'running', launchedAt: 0 }]]),
    }
    expect(await sweepInstances({ ...needs(), instances })).toBe(1)
    await take(state('terminated'))
    expect(await cloud()).toEqual(['salt/cloud/web1/destroying', 'salt/cloud/web1/destroyed'])
    expect((await running.master.keys.lists()).minions).toEqual(['web2'])
  })
})
