// `cloud.*` in the functions of a deployment: a run makes the machine, the gateway gives it the agent and accepts its minion.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeRecord, encodeRecord } from '../../core/value/record-text.ts'
import type { RunOutcome } from '../../master/run.ts'
import { openGateway } from '../../platform/aws/handlers/gateway.ts'
import { openRuns } from '../../platform/aws/handlers/run.ts'
import { storeFiles } from '../../platform/aws/index.ts'
import { agentFiles } from '../../platform/aws/layout/index.ts'
import { type AwsStore, openAwsStore } from '../../platform/aws/store/aws-store.ts'
import { testMinion } from '../master/harness.ts'
import { waitFor } from '../system/wait.ts'
import { functionEnvironment, silentTelemetry } from './function-environment.ts'
import { identityDocument, newSignatory, signedBy } from './instance.ts'
import { emulatorClients, makeResources, type Resources } from './resources.ts'

const url = 'https://brine.example.org'
const signatory = newSignatory()
const name = `run-${process.pid}`
let resources: Resources
let store: AwsStore
let environment: Record<string, string>

beforeAll(async () => {
  resources = await makeResources({ tables: true, bucket: true, bus: true, secret: true })
  const { places } = resources
  store = openAwsStore({ places, clients: emulatorClients() })
  const settings = {
    clouds: { tags: { 'brine:master': 'test' } },
    fleet: { accounts: [], regions: [], groups: [], certificates: { 'us-east-1': signatory.pem } },
  }
  environment = functionEnvironment(places, settings)
  const files = {
    'cloud.providers.d/ec2.conf': 'my-ec2:\n  driver: ec2\n',
    'cloud.profiles': 'web:\n  provider: my-ec2\n  image: ami-0abcdef1234567890\n  size: t3.micro\n',
    [agentFiles.program]: '// the agent',
    [agentFiles.unit]: '[Service]\n',
  }
  const bytes = Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const)
  await storeFiles(store.objects, { 'cloud:base': Object.fromEntries(bytes) })
})
afterAll(() => resources.remove())

async function run(fun: string, ...arg: string[]): Promise<RunOutcome> {
  const order = { client: 'runner', fun, arg, kwarg: {}, user: 'test', jid: store.clock.jid() }
  const { outcome } = await openRuns(environment, silentTelemetry).run({ request: encodeRecord(order) })
  return decodeRecord<RunOutcome>(outcome ?? '')
}

it('gives the agent to everybody, as it was deployed', async () => {
  const gateway = openGateway(environment, silentTelemetry)
  const answer = (await gateway({ brine: 1, method: 'GET', path: '/minion/agent' })) as { body: string; status: number }
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.body).toContain('// the agent')
})

it('makes a machine that bears the master’s tag, accepts its minion by the document, and ends it', async () => {
  const making = run('cloud.profile', 'web', name)
  const instance = await waitFor('the machine to be expected', async () => {
    const listed = (await run('cloud.query')).return as Record<string, { ec2: Record<string, { id: string }> }>
    const id = listed['my-ec2']?.ec2[name]?.id
    return id !== undefined && (await store.clouds.expected(id)) !== undefined ? id : undefined
  })
  const gateway = openGateway(environment, silentTelemetry)
  const minion = testMinion(name)
  const document = identityDocument(instance)
  const body = JSON.stringify({
    ...(await minion.request({ audience: url })),
    identity: { document, signature: signedBy(signatory, document) },
  })
  const headers = { 'content-type': 'application/json' }
  const answer = (await gateway({ brine: 1, method: 'POST', path: '/minion/token', headers, body })) as { body: string }
  expect(JSON.parse(answer.body)).toHaveProperty('token')
  const made = (await making).return as Record<string, Record<string, unknown>>
  expect(made[name]).toMatchObject({ deployed: true, instanceId: instance })
  expect(JSON.stringify(made[name]?.tagSet)).toContain('{"key":"brine:master","value":"test"}')
  expect((await store.keys.get(name))?.current).toMatchObject({
    state: 'accepted',
    identity: { instance_id: instance, expected: true },
  })
  expect((await run('cloud.destroy', name)).success).toBe(true)
  expect((await store.keys.get(name))?.current).toBeUndefined()
})

it('knows no clouds where none were deployed', async () => {
  const plain = functionEnvironment(resources.places)
  const order = { client: 'runner', fun: 'cloud.query', arg: [], kwarg: {}, user: 'test', jid: store.clock.jid() }
  const { outcome } = await openRuns(plain, silentTelemetry).run({ request: encodeRecord(order) })
  expect(decodeRecord<RunOutcome>(outcome ?? '').return).toContain('This master makes no machines')
})

it('pins what it gives', async () => {
  const { openClouds } = await import('../../platform/aws/compose-clouds.ts')
  const { openDesk } = await import('../../platform/aws/compose.ts')
  const clouds = openClouds(openDesk(environment, silentTelemetry))
  expect((await clouds.agent())?.hash).toBe(createHash('sha256').update('// the agent').digest('hex'))
  expect(await clouds.master()).toMatchObject({
    url,
    id: url,
    finger: expect.stringMatching(/^[0-9a-f]{2}(:[0-9a-f]{2}){31}$/),
  })
})
