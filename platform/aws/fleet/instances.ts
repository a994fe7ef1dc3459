// What EC2 and Auto Scaling say of instances. The clients are loaded when they are first used: EC2's is large.
import type { Instance, Instances } from '../../../master/fleet/ports.ts'
import { asking, awsErrorName } from '../aws-error.ts'
import type { ClientOptions } from '../clients.ts'
import { inBatches, inParallel } from '../store/parallel.ts'

/** Ids of one DescribeAutoScalingInstances: its bound. */
const BATCH = 50

/** Asks AWS in each region. Instances that are not known, even one among many, are absent. */
export function describedInstances(options: ClientOptions): Instances {
  return {
    async find(region, ids) {
      const found = new Map<string, Instance>()
      const clients = await load({ ...options, region })
      await inParallel(inBatches([...new Set(ids)], BATCH), async (batch) => {
        const [states, groups] = await Promise.all([clients.states(batch), clients.groups(batch)])
        for (const [id, state] of states) found.set(id, { ...state, ...groups.get(id) })
      })
      clients.destroy()
      return found
    },
  }
}

async function load(options: ClientOptions) {
  const [ec2, scaling, { clientConfig }] = await Promise.all([
    import('../sdk/ec2.ts'),
    import('../sdk/auto-scaling.ts'),
    import('../clients.ts'),
  ])
  const instances = new ec2.EC2Client(clientConfig(options))
  const groups = new scaling.AutoScalingClient(clientConfig(options))

  const describe = async (ids: readonly string[]): Promise<[string, Instance][]> => {
    const command = new ec2.DescribeInstancesCommand({ InstanceIds: [...ids] })
    const { Reservations = [] } = await asking('EC2 instances', () => instances.send(command))
    return Reservations.flatMap(({ Instances: list = [] }) =>
      list.map(({ InstanceId: id = '', State, LaunchTime }): [string, Instance] => [
        id,
        { id, state: State?.Name ?? '', launchedAt: (LaunchTime?.getTime() ?? 0) * 1000 },
      ]),
    )
  }

  return {
    /** EC2 refuses a whole request for one id it does not know: then each is asked by itself. */
    states: async (ids: readonly string[]): Promise<ReadonlyMap<string, Instance>> => {
      try {
        return new Map(await describe(ids))
      } catch (error) {
        if (!awsErrorName(error).startsWith('InvalidInstanceID')) throw error
        if (ids.length === 1) return new Map()
        const each = await inParallel(ids, async (id) => {
          try {
            return await describe([id])
          } catch (alone) {
            if (awsErrorName(alone).startsWith('InvalidInstanceID')) return []
            throw alone
          }
        })
        return new Map(each.flat())
      }
    },
    groups: async (ids: readonly string[]): Promise<ReadonlyMap<string, Pick<Instance, 'group' | 'lifecycle'>>> => {
      const command = new scaling.DescribeAutoScalingInstancesCommand({ InstanceIds: [...ids] })
      const { AutoScalingInstances = [] } = await asking('Auto Scaling instances', () => groups.send(command))
      return new Map(
        AutoScalingInstances.map(({ InstanceId = '', AutoScalingGroupName, LifecycleState }) => [
          InstanceId,
          {
            ...(AutoScalingGroupName === undefined ? {} : { group: AutoScalingGroupName }),
            ...(LifecycleState === undefined ? {} : { lifecycle: LifecycleState }),
          },
        ]),
      )
    },
    destroy: () => {
      instances.destroy()
      groups.destroy()
    },
  }
}
