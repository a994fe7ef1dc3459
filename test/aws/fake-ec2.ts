// EC2 and Auto Scaling as far as a master asks them, on this machine: emulators know no launch, and answer 200 to any
// lifecycle call. The deployed functions talk to it over the SDK, so that what they asked can be read here.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An instance, as both services tell of it. */
export interface FakeInstance {
  readonly id: string
  /** EC2's word; `running` where nothing is said. */
  readonly state?: string
  readonly launchedAt: Date
  readonly group?: string
  /** Auto Scaling's word; `Pending:Wait` where nothing is said. */
  readonly lifecycle?: string
}

/** A call that ends or prolongs a lifecycle action. */
export interface LifecycleCall {
  readonly action: 'CompleteLifecycleAction' | 'RecordLifecycleActionHeartbeat'
  readonly group: string
  readonly hook: string
  readonly token: string
  readonly instance: string
  /** `CONTINUE` or `ABANDON`; empty for a heartbeat. */
  readonly result: string
}

/** The two services. */
export interface FakeEc2 {
  readonly url: string
  readonly calls: readonly LifecycleCall[]
  put(instance: FakeInstance): void
  close(): Promise<void>
}

/** Starts it on a free port of loopback. */
export async function startFakeEc2(): Promise<FakeEc2> {
  const instances = new Map<string, FakeInstance>()
  const calls: LifecycleCall[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { status, xml } = answerTo(new URLSearchParams(Buffer.concat(chunks).toString()), instances, calls)
      response.writeHead(status, { 'content-type': 'text/xml' }).end(xml)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    put: (instance) => void instances.set(instance.id, instance),
    close: () => close(server),
  }
}

type Answer = { readonly status: number; readonly xml: string }

function answerTo(form: URLSearchParams, instances: Map<string, FakeInstance>, calls: LifecycleCall[]): Answer {
  const action = form.get('Action') ?? ''
  const ids = [...form].filter(([key]) => /^InstanceIds?\./.test(key)).map(([, id]) => id)
  switch (action) {
    case 'DescribeInstances': {
      const unknown = ids.find((id) => !instances.has(id))
      if (unknown !== undefined)
        return error('InvalidInstanceID.NotFound', `The instance ID '${unknown}' does not exist`)
      return ok(
        `<DescribeInstancesResponse><reservationSet><item><instancesSet>${ids.map((id) => ec2Item(instances.get(id))).join('')}</instancesSet></item></reservationSet></DescribeInstancesResponse>`,
      )
    }
    case 'DescribeAutoScalingInstances':
      return result(
        action,
        `<AutoScalingInstances>${ids.map((id) => scalingItem(instances.get(id))).join('')}</AutoScalingInstances>`,
      )
    case 'CompleteLifecycleAction':
    case 'RecordLifecycleActionHeartbeat':
      calls.push({
        action,
        group: form.get('AutoScalingGroupName') ?? '',
        hook: form.get('LifecycleHookName') ?? '',
        token: form.get('LifecycleActionToken') ?? '',
        instance: form.get('InstanceId') ?? '',
        result: form.get('LifecycleActionResult') ?? '',
      })
      return result(action, '')
    default:
      return error('InvalidAction', `${action} is not asked by a master`)
  }
}

function ec2Item(instance: FakeInstance | undefined): string {
  if (instance === undefined) return ''
  const { id, state = 'running', launchedAt } = instance
  return `<item><instanceId>${id}</instanceId><instanceState><name>${state}</name></instanceState><launchTime>${launchedAt.toISOString()}</launchTime></item>`
}

function scalingItem(instance: FakeInstance | undefined): string {
  if (instance?.group === undefined) return ''
  const { id, group, lifecycle = 'Pending:Wait' } = instance
  return `<member><InstanceId>${id}</InstanceId><AutoScalingGroupName>${group}</AutoScalingGroupName><LifecycleState>${lifecycle}</LifecycleState></member>`
}

function ok(xml: string): Answer {
  return { status: 200, xml }
}

function result(action: string, xml: string): Answer {
  return ok(`<${action}Response><${action}Result>${xml}</${action}Result></${action}Response>`)
}

function error(code: string, message: string): Answer {
  return {
    status: 400,
    xml: `<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors></Response>`,
  }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
