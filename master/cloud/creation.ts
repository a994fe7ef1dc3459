// One machine made: told, requested, awaited, and its minion expected.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ec2Settings } from '../../core/cloud/index.ts'
import { messageOf } from '../../core/error.ts'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { KeyRing } from '../ports.ts'
import { RunError } from '../run.ts'
import { nodeOf, stateOf } from './nodes.ts'
import { orderOf, queryParams } from './order.ts'
import type { CloudOutside, MadeMachine, Place } from './ports.ts'
import { placeOf } from './providers.ts'
import { startScript } from './start-script.ts'
import type { TellCloud } from './tell.ts'

/** What a creation works with. */
export interface CreationNeeds {
  readonly outside: CloudOutside
  readonly ring: Pick<KeyRing, 'get'>
  readonly tell: TellCloud
  readonly now: () => number
}

/** A machine to make. */
export interface Creation {
  readonly name: string
  /** Null where it is made without one. */
  readonly profile: string | null
  /** `alias:driver`. */
  readonly provider: string
  readonly settings: Ec2Settings
}

const second = 1_000_000
/** Seconds that a creation is gone on with, and that a new machine has until it speaks. */
const goneOnWith = 3600
const speaksWithin = 900
/** Seconds to wait, as Salt does, and between two looks. */
const patience = { ip: 600, interval: 5, minion: 600 }

/**
 * Makes a machine, or goes on with the making of it: all who ask for one name make one machine, also where one of them
 * was cut off. Answers what EC2 tells of it. Throws a RunError that says what EC2 refused; then nothing is left.
 */
export async function createMachine(needs: CreationNeeds, creation: Creation): Promise<Mapping> {
  const { outside, tell, now } = needs
  const { name, profile, provider, settings } = creation
  const place = placeOf(settings)
  const token = await outside.store.begin(name, randomUUID(), now() + goneOnWith * second)
  await tell.step(name, 'creating', { name, profile, provider, driver: 'ec2' }, token)
  const made = await request(needs, creation, place, token)
  const instance = pythonStr(made.machine.instanceId ?? '')
  const minion = minionOf(settings, name)
  if (settings.deploy !== false)
    await outside.store.expect(instance, {
      minion,
      account: made.account,
      region: place.region,
      profile: profile ?? '',
      provider,
      until: now() + speaksWithin * second,
    })
  await tell.step(name, 'querying', { instance_id: instance }, token)
  const machine = await untilRunning(needs, creation, place, instance)
  await tell.step(name, 'tagging', { tags: { ...settings.tag, ...outside.tags, Name: name } }, token)
  const deployed = settings.deploy === false ? notAsked : await untilMinion(needs, creation, instance, minion, token)
  await tell.step(name, 'created', { name, profile, provider: 'ec2', instance_id: instance }, instance)
  await outside.store.ended(name)
  const [latest = machine] = await outside.machines.list(place, { id: instance })
  return { ...nodeOf(latest), ...deployed }
}

/** The id of a machine's minion: `minion: {id: …}`, else the machine's name. */
export function minionOf({ minion }: Ec2Settings, name: string): string {
  return typeof minion?.id === 'string' ? minion.id : name
}

const notAsked: Mapping = { Error: { 'No Deploy': "'deploy' is not enabled. Not deploying." } }

async function request(
  needs: CreationNeeds,
  { name, settings }: Creation,
  place: Place,
  token: string,
): Promise<MadeMachine> {
  const { outside, tell } = needs
  const tags = { ...settings.tag, ...outside.tags, Name: name }
  try {
    const order = await orderOf(settings, outside.machines, place)
    const script = await userData(outside, settings, name)
    await tell.step(name, 'requesting', { kwargs: queryParams(order), location: place.region }, token)
    const whole = script === undefined ? order : { ...order, UserData: Buffer.from(script).toString('base64') }
    const made = await outside.machines.run(place, whole, token, tags)
    const state = stateOf(made.machine)
    if (state === 'terminated' || state === 'shutting-down')
      throw new RunError(`the instance ${pythonStr(made.machine.instanceId ?? '')} was ended while it was being made`)
    return made
  } catch (error) {
    // What may have been done all the same is gone on with by whoever asks next; what was refused is over.
    if (!isPassing(error)) await outside.store.ended(name)
    throw new RunError(`Failed to deploy VM: ${messageOf(error)}`)
  }
}

function isPassing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'busy' || code === 'throttled'
}

/** The user's script and the agent's; without `deploy` the user's alone, as it is. */
async function userData(outside: CloudOutside, settings: Ec2Settings, name: string): Promise<string | undefined> {
  const own = await writtenUserData(outside, settings)
  if (settings.deploy === false) return own
  const agent = await outside.agent()
  if (agent === undefined)
    throw new RunError(
      'this master has no agent to give, which dist/brine-minion.mjs would be (`npm run build` makes it). Write deploy: False to install the minion yourself',
    )
  const { minion = {}, grains = {} } = settings
  const master = await outside.master()
  return startScript(
    { minion: minionOf(settings, name), master, config: minion as Mapping, grains: grains as Mapping, agent },
    own,
  )
}

async function writtenUserData(outside: CloudOutside, settings: Ec2Settings): Promise<string | undefined> {
  const path = settings.userdata_file
  if (path === undefined) return settings.userdata
  const text = await outside.readText(path)
  if (text === undefined) throw new RunError(`there is no userdata_file ${path}`)
  return text
}

/** Waits until EC2 says that it runs, and has the address that `ssh_interface` asks for. */
async function untilRunning(
  { outside, now }: CreationNeeds,
  { settings }: Creation,
  place: Place,
  instance: string,
): Promise<Mapping> {
  const { wait_for_ip_timeout: limit = patience.ip, wait_for_ip_interval: interval = patience.interval } = settings
  const address = settings.ssh_interface === 'public_ips' ? 'ipAddress' : 'privateIpAddress'
  const end = now() + limit * second
  for (;;) {
    const [machine] = await outside.machines.list(place, { id: instance })
    const state = machine === undefined ? 'pending' : stateOf(machine)
    if (machine !== undefined && state === 'running' && machine[address] !== undefined) return machine
    if (state !== 'pending' && state !== 'running') {
      await outside.store.ended(settings.name ?? '')
      await outside.store.forget(instance)
      throw new RunError(`Failed to deploy VM: the instance ${instance} is ${state}${reasonOf(machine)}`)
    }
    if (now() > end)
      throw new RunError(
        `Failed to deploy VM: the instance ${instance} is ${state} after ${limit} s (wait_for_ip_timeout). It is left as it is; -d ends it.`,
      )
    await sleep(interval * 1000)
  }
}

function reasonOf(machine: Mapping | undefined): string {
  const { message } = (machine?.stateReason ?? {}) as Mapping
  return message === undefined ? '' : `: ${pythonStr(message)}`
}

/** Waits until the machine's minion was accepted. */
async function untilMinion(
  { outside, ring, tell, now }: CreationNeeds,
  { name, settings }: Creation,
  instance: string,
  minion: string,
  token: string,
): Promise<Mapping> {
  await tell.step(name, 'waiting_for_minion', { minion, instance_id: instance }, token)
  const end = now() + (settings.wait_for_minion_timeout ?? patience.minion) * second
  for (;;) {
    const { current } = (await ring.get(minion)) ?? {}
    if (current?.state === 'accepted' && current.identity?.instance_id === instance) return { deployed: true }
    if (now() > end) {
      outside.warn(`cloud: the minion ${minion} of ${instance} did not come; its machine is left as it is`)
      const failed: Value = { 'Not Deployed': `Failed to start Salt on host ${name}` }
      return { Error: failed }
    }
    await sleep(1000)
  }
}
