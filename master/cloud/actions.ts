// What can be done to a machine that is there.
import type { Ec2Settings } from '../../core/cloud/index.ts'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { RunError } from '../run.ts'
import { type DestructionNeeds, destroyMachine } from './destruction.ts'
import { tagsOf } from './nodes.ts'
import { placeOf } from './providers.ts'

/** A machine, where it was found. */
export interface MachineAt {
  readonly alias: string
  readonly name: string
  /** The word it was asked for by: its name, or its id. */
  readonly asked: string
  readonly node: Mapping
  /** Its provider's. */
  readonly settings: Ec2Settings
}

type Act = (needs: DestructionNeeds, at: MachineAt, kwargs: Mapping) => Promise<Value>

const actions: Readonly<Record<string, Act>> = {
  start: (needs, at) => changed(needs, at, 'start', 'starting'),
  stop: (needs, at) => changed(needs, at, 'stop', 'stopping'),
  async reboot({ outside }, at) {
    await outside.machines.change(placeOf(at.settings), idOf(at), 'reboot')
    return { Reboot: 'Complete' }
  },
  destroy: (needs, at) => destroyMachine(needs, at),
  show_instance: async (_, { node }) => node,
  async enable_term_protect({ outside }, at) {
    await outside.machines.change(placeOf(at.settings), idOf(at), 'protect')
    return 'true'
  },
  async disable_term_protect({ outside }, at) {
    await outside.machines.change(placeOf(at.settings), idOf(at), 'unprotect')
    return 'false'
  },
  get_tags: async (_, { node }) =>
    [...tagsOf(node)].map(([key, value]) => ({ key, resourceId: node.id ?? '', resourceType: 'instance', value })),
  async set_tags({ outside }, at, kwargs) {
    const tags = Object.fromEntries(Object.entries(kwargs).map(([key, value]) => [key, pythonStr(value)]))
    if (Object.keys(tags).length === 0) throw new RunError('set_tags needs tags: set_tags NAME key=value')
    await outside.machines.tag(placeOf(at.settings), idOf(at), tags)
    const [machine] = await outside.machines.list(placeOf(at.settings), { id: idOf(at) })
    return Object.fromEntries(tagsOf(machine ?? {}))
  },
}

/** The actions there are. */
export const actionNames: readonly string[] = Object.keys(actions)

/** Does one of {@link actionNames}. */
export async function actOn(needs: DestructionNeeds, at: MachineAt, fun: string, kwargs: Mapping): Promise<Value> {
  const act = actions[fun]
  if (act === undefined) throw new RunError(`There is no action ${fun}. There are: ${actionNames.join(', ')}.`)
  return act(needs, at, kwargs)
}

async function changed(
  { outside, tell }: DestructionNeeds,
  at: MachineAt,
  change: 'start' | 'stop',
  step: 'starting' | 'stopping',
): Promise<Value> {
  await tell.step(at.name, step, { name: at.name, instance_id: idOf(at) })
  return [await outside.machines.change(placeOf(at.settings), idOf(at), change)]
}

function idOf({ node }: MachineAt): string {
  return pythonStr(node.id ?? '')
}
