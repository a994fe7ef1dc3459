// Machines in memory, for tests of what is done with them: they run at once, and keep the promises of the port.
import { randomBytes } from 'node:crypto'
import { BrineError } from '../../core/error.ts'
import type { Mapping } from '../../core/value/index.ts'
import type { Machines, Place } from '../../master/cloud/index.ts'

/** The account they are in. */
export const fakeAccount = '123456789012'

/** One of them. */
interface FakeMachine {
  readonly id: string
  readonly token: string
  readonly region: string
  readonly order: Mapping
  state: string
  isProtected: boolean
  tags: Record<string, string>
}

/** What a test sees and steers. */
export interface FakeMachines extends Machines {
  readonly all: readonly FakeMachine[]
  /** Called before each call; what it throws the call throws. */
  before: (call: keyof Machines, place: Place) => void
  /** The state of new ones. @default running */
  first: string
}

const codes: Readonly<Record<string, string>> = { pending: '0', running: '16', terminated: '48', stopped: '80' }

/** None at first. An image whose id holds `bad` is refused. */
export function fakeMachines(): FakeMachines {
  const all: FakeMachine[] = []
  const told = (machine: FakeMachine): Mapping => {
    const tags = Object.entries(machine.tags).map(([key, value]) => ({ key, value }))
    return {
      instanceId: machine.id,
      imageId: String(machine.order.ImageId),
      instanceType: String(machine.order.InstanceType),
      instanceState: { code: codes[machine.state] ?? '', name: machine.state },
      privateIpAddress: '10.0.0.1',
      tagSet: { item: tags.length === 1 ? (tags[0] ?? {}) : tags },
    }
  }
  const one = (id: string): FakeMachine => {
    const machine = all.find((each) => each.id === id)
    if (machine !== undefined) return machine
    throw new BrineError(`InvalidInstanceID.NotFound: The instance ID '${id}' does not exist`, { code: 'ec2' })
  }
  const machines: FakeMachines = {
    all,
    before: () => undefined,
    first: 'running',
    async list(place, which = {}) {
      machines.before('list', place)
      return all
        .filter(({ region }) => region === place.region)
        .filter(({ id }) => which.id === undefined || which.id === id)
        .filter(({ tags }) => which.name === undefined || which.name === tags.Name)
        .map(told)
    },
    async run(place, order, token, tags) {
      machines.before('run', place)
      const image = String(order.ImageId)
      if (image.includes('bad'))
        throw new BrineError(`InvalidAMIID.NotFound: The image id '[${image}]' does not exist`, { code: 'ec2' })
      const known = all.find((each) => each.token === token)
      const made = known ?? {
        id: `i-${randomBytes(8).toString('hex')}0`,
        token,
        region: place.region,
        order,
        state: machines.first,
        isProtected: order.DisableApiTermination === true,
        tags: { ...tags },
      }
      if (known === undefined) all.push(made)
      return { machine: told(made), account: fakeAccount }
    },
    async change(place, id, change) {
      machines.before('change', place)
      const machine = one(id)
      const previousState = told(machine).instanceState ?? null
      if (change === 'protect' || change === 'unprotect') machine.isProtected = change === 'protect'
      if (change === 'terminate' && machine.isProtected)
        throw new BrineError(`OperationNotPermitted: The instance '${id}' may not be terminated.`, { code: 'ec2' })
      const states: Readonly<Record<string, string>> = { start: 'running', stop: 'stopped', terminate: 'terminated' }
      machine.state = states[change] ?? machine.state
      return { currentState: told(machine).instanceState ?? null, instanceId: id, previousState }
    },
    async tag(place, id, tags) {
      machines.before('tag', place)
      const machine = one(id)
      machine.tags = { ...machine.tags, ...tags }
    },
    async find(place, what, name) {
      machines.before('find', place)
      if (name.startsWith('no')) return undefined
      return { image: 'ami-found', root: '/dev/xvda', subnet: 'subnet-found', group: 'sg-found' }[what]
    },
    async offers(place, what, owner) {
      machines.before('offers', place)
      return { [what]: { of: owner, region: place.region } }
    },
  }
  return machines
}
