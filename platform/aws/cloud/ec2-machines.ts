// Machines of EC2, made, asked for and changed by the SDK. It is loaded at the first call.
import { BrineError, messageOf } from '../../../core/error.ts'
import type { Mapping } from '../../../core/value/index.ts'
import type { MachineChange, Machines, Place, WhichMachines } from '../../../master/cloud/index.ts'
import { awsErrorName, translated } from '../aws-error.ts'
import type { ClientOptions } from '../clients.ts'
import type { Ec2 } from './ec2.ts'
import { findByName } from './find-by-name.ts'
import { offersOf } from './offers.ts'
import { instanceShape, wireShape } from './wire-shape.ts'

/** Machines over the SDK. What a place leaves open (credentials, endpoint) `options` and the environment say. */
export function ec2Machines(options: ClientOptions = {}): Machines {
  const clients = new Map<string, Promise<Ec2>>()

  const open = async ({ region, credentials, endpoint }: Place): Promise<Ec2> => {
    const [sdk, { clientConfig }] = await Promise.all([import('../sdk/ec2-machines.ts'), import('../clients.ts')])
    const client = new sdk.EC2Client(
      clientConfig({
        ...options,
        region,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(credentials === undefined
          ? {}
          : { credentials: { accessKeyId: credentials.id, secretAccessKey: credentials.key } }),
      }),
    )
    return { sdk, client }
  }

  const ask = async <T>(place: Place, what: string, work: (ec2: Ec2) => Promise<T>): Promise<T> => {
    const key = JSON.stringify(place)
    const opened = clients.get(key) ?? open(place)
    clients.set(key, opened)
    try {
      return await work(await opened)
    } catch (error) {
      throw refused(translated(error, what))
    }
  }

  return {
    list: (place, which) => ask(place, 'EC2 instances', (ec2) => listed(ec2, which)),
    run: (place, order, token, tags) =>
      ask(place, 'a new EC2 instance', async ({ sdk, client }) => {
        const input = { ...order, ClientToken: token, TagSpecifications: tagSpecifications(tags) }
        const { Instances = [], OwnerId = '' } = await client.send(
          new sdk.RunInstancesCommand(input as unknown as ConstructorParameters<typeof sdk.RunInstancesCommand>[0]),
        )
        const [instance] = Instances
        if (instance === undefined)
          throw new BrineError(
            'EC2 answered no instance to RunInstances. Ask it with brine-cloud -Q before trying again.',
            {
              code: 'ec2',
            },
          )
        return { machine: instanceShape(instance), account: OwnerId }
      }),
    change: (place, id, change) => ask(place, `to ${change} ${id}`, (ec2) => changed(ec2, id, change)),
    tag: (place, id, tags) =>
      ask(place, `the tags of ${id}`, async ({ sdk, client }) => {
        await client.send(new sdk.CreateTagsCommand({ Resources: [id], Tags: tagList(tags) }))
      }),
    find: (place, what, name) => ask(place, `the ${what} ${name}`, (ec2) => findByName(ec2, what, name)),
    offers: (place, what, owner) => ask(place, `the ${what} of ${place.region}`, (ec2) => offersOf(ec2, what, owner)),
  }
}

/** What EC2 refuses has its code and its sentence. */
function refused(error: unknown): unknown {
  if (error instanceof BrineError) return error
  const name = awsErrorName(error)
  if (name === 'CredentialsProviderError')
    return new BrineError(
      `There are no AWS credentials: ${messageOf(error)}. Give the provider id and key, or the master AWS_PROFILE or a role.`,
      { code: 'ec2', cause: error },
    )
  return new BrineError(`${name}: ${messageOf(error)}`, { code: 'ec2', cause: error })
}

async function listed({ sdk, client }: Ec2, which: WhichMachines = {}): Promise<Mapping[]> {
  const machines: Mapping[] = []
  const filters = which.name === undefined ? [] : [{ Name: 'tag:Name', Values: [which.name] }]
  const input = {
    ...(which.id === undefined ? {} : { InstanceIds: [which.id] }),
    ...(filters.length === 0 ? {} : { Filters: filters }),
  }
  try {
    for await (const { Reservations = [] } of sdk.paginateDescribeInstances({ client }, input))
      for (const { Instances = [] } of Reservations) machines.push(...Instances.map(instanceShape))
    return machines
  } catch (error) {
    // A new instance is not known everywhere at once.
    if (awsErrorName(error) === 'InvalidInstanceID.NotFound') return []
    throw error
  }
}

async function changed({ sdk, client }: Ec2, id: string, change: MachineChange): Promise<Mapping> {
  const input = { InstanceIds: [id] }
  switch (change) {
    case 'start':
      return stateOf((await client.send(new sdk.StartInstancesCommand(input))).StartingInstances)
    case 'stop':
      return stateOf((await client.send(new sdk.StopInstancesCommand(input))).StoppingInstances)
    case 'terminate':
      return stateOf((await client.send(new sdk.TerminateInstancesCommand(input))).TerminatingInstances)
    case 'reboot':
      await client.send(new sdk.RebootInstancesCommand(input))
      return {}
    case 'protect':
    case 'unprotect': {
      const value = { Value: change === 'protect' }
      await client.send(new sdk.ModifyInstanceAttributeCommand({ InstanceId: id, DisableApiTermination: value }))
      return {}
    }
  }
}

function stateOf(changes: readonly object[] | undefined): Mapping {
  return wireShape(changes?.[0] ?? {})
}

function tagSpecifications(tags: Readonly<Record<string, string>>) {
  return (['instance', 'volume'] as const).map((ResourceType) => ({ ResourceType, Tags: tagList(tags) }))
}

function tagList(tags: Readonly<Record<string, string>>) {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
}
