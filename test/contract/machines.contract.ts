// What every door to machines must do.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Mapping } from '../../core/value/index.ts'
import type { Machines, Place } from '../../master/cloud/index.ts'
import { nodeOf, stateOf, tagsOf } from '../../master/cloud/nodes.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

const place: Place = { region: 'us-east-1' }
const order: Mapping = { ImageId: 'ami-0abcdef1234567890', InstanceType: 't3.micro', MinCount: 1, MaxCount: 1 }

async function made(machines: Machines, name: string, token = randomUUID()): Promise<string> {
  const { machine, account } = await machines.run(place, order, token, { Name: name, role: 'web' })
  expect(account).toMatch(/^\d{12}$/)
  return String(machine.instanceId)
}

const cases: Cases<Machines> = {
  'makes a machine that has its tags at once, and tells of it in EC2’s words': async ({ port: machines }) => {
    const name = `m-${randomUUID()}`
    const id = await made(machines, name)
    expect(id).toMatch(/^i-[0-9a-f]{8,17}$/)
    const [machine = {}, ...more] = await machines.list(place, { id })
    expect(more).toEqual([])
    expect(Object.fromEntries(tagsOf(machine))).toMatchObject({ Name: name, role: 'web' })
    expect(nodeOf(machine)).toMatchObject({
      name,
      id,
      instanceId: id,
      image: 'ami-0abcdef1234567890',
      size: 't3.micro',
      state: expect.stringMatching(/^(pending|running)$/),
      instanceState: { code: expect.any(String), name: expect.any(String) },
      private_ips: expect.any(String),
    })
    expect((await machines.list(place, { name })).map(({ instanceId }) => instanceId)).toEqual([id])
    expect((await machines.list(place)).map(({ instanceId }) => instanceId)).toContain(id)
  },

  'makes one machine for a token': async ({ port: machines }) => {
    const [name, token] = [`m-${randomUUID()}`, randomUUID()]
    const ids = await Promise.all([1, 2, 3].map(() => made(machines, name, token)))
    expect(new Set(ids).size).toBe(1)
    expect(await machines.list(place, { name })).toHaveLength(1)
    expect(await made(machines, name)).not.toBe(ids[0])
  },

  'stops, starts, renames and ends it': async ({ port: machines }) => {
    const id = await made(machines, `m-${randomUUID()}`)
    expect(await machines.change(place, id, 'stop')).toMatchObject({
      instanceId: id,
      currentState: { name: expect.stringMatching(/^stopp/) },
      previousState: { name: expect.any(String) },
    })
    expect(await machines.change(place, id, 'start')).toMatchObject({ instanceId: id })
    await machines.change(place, id, 'reboot')
    const other = `n-${randomUUID()}`
    await machines.tag(place, id, { Name: other })
    expect((await machines.list(place, { name: other })).map(({ instanceId }) => instanceId)).toEqual([id])
    expect(await machines.change(place, id, 'terminate')).toMatchObject({
      currentState: { name: expect.stringMatching(/^(shutting-down|terminated)$/) },
    })
    const [machine] = await machines.list(place, { id })
    expect(machine === undefined ? 'terminated' : stateOf(machine)).toMatch(/^(shutting-down|terminated)$/)
  },

  'knows nothing of what is not there, and says what EC2 refused': async ({ port: machines }) => {
    const id = 'i-00000000000000000'
    expect(await machines.list(place, { id })).toEqual([])
    expect(await machines.list(place, { name: 'no such name' })).toEqual([])
    await expect(machines.change(place, id, 'terminate')).rejects.toMatchObject({
      code: 'ec2',
      message: expect.stringContaining('InvalidInstanceID.NotFound: '),
    })
    expect(await machines.find(place, 'subnet', 'no-such-subnet')).toBeUndefined()
  },
}

/** The contract of {@link Machines}. */
export function describeMachinesContract(adapter: string, make: MakeSubject<Machines>, skips?: Skips): void {
  describeContract<Machines>('Machines', adapter, cases, make, skips)
}
