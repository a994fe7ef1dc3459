// Completes and prolongs lifecycle actions of Auto Scaling groups.
import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling'
import type { Lifecycle, LifecycleAction } from '../../../master/fleet/ports.ts'
import { asking, awsErrorName } from '../aws-error.ts'
import type { ClientOptions } from '../clients.ts'

/** Actions in their own regions. An action that Auto Scaling does not know any more is `gone`. */
export function scalingLifecycle(options: ClientOptions): Lifecycle {
  const clients = new Map<string, Promise<AutoScalingClient>>()
  const load = async (region: string): Promise<AutoScalingClient> => {
    const [{ AutoScalingClient }, { clientConfig }] = await Promise.all([
      import('../sdk/auto-scaling.ts'),
      import('../clients.ts'),
    ])
    return new AutoScalingClient(clientConfig({ ...options, region }))
  }
  const clientOf = (region: string): Promise<AutoScalingClient> => {
    const client = clients.get(region) ?? load(region)
    clients.set(region, client)
    return client
  }
  return {
    async complete(action, result) {
      const { CompleteLifecycleActionCommand } = await import('../sdk/auto-scaling.ts')
      const client = await clientOf(action.region)
      const command = new CompleteLifecycleActionCommand({ ...inputOf(action), LifecycleActionResult: result })
      return unlessGone(() => client.send(command))
    },
    async heartbeat(action) {
      const { RecordLifecycleActionHeartbeatCommand } = await import('../sdk/auto-scaling.ts')
      const client = await clientOf(action.region)
      return unlessGone(() => client.send(new RecordLifecycleActionHeartbeatCommand(inputOf(action))))
    },
  }
}

function inputOf({ group, hook, token, instance }: LifecycleAction) {
  return { AutoScalingGroupName: group, LifecycleHookName: hook, LifecycleActionToken: token, InstanceId: instance }
}

/** Auto Scaling answers a ValidationError that names the action for one it does not wait for. */
async function unlessGone(work: () => Promise<unknown>): Promise<'done' | 'gone'> {
  return asking('a lifecycle action', async () => {
    try {
      await work()
      return 'done'
    } catch (error) {
      const isGone = error instanceof Error && /no active lifecycle action/i.test(error.message)
      if (isGone && ['ValidationError', 'ValidationException'].includes(awsErrorName(error))) return 'gone'
      throw error
    }
  })
}
