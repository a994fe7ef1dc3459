// Keys that the gateway accepts and rejects by the files of a deployment, which nobody else reads or writes.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayFunction, openGateway } from '../../platform/aws/handlers/gateway.ts'
import { type AwsStore, openAwsStore } from '../../platform/aws/store/aws-store.ts'
import { storeFiles } from '../../platform/aws/store/file-store.ts'
import { testMinion } from '../master/harness.ts'
import { functionEnvironment, silentTelemetry } from './function-environment.ts'
import { emulatorClients, makeResources, type Resources } from './resources.ts'

const origin = 'https://brine.example.org'
const uuid = '38a1ba42-5ab2-4b45-8e2f-b8b6c6b07b0a'

let resources: Resources
let store: AwsStore
let gateway: GatewayFunction
beforeAll(async () => {
  resources = await makeResources({ tables: true, bucket: true, bus: true, secret: true })
  const { places } = resources
  store = openAwsStore({ places, clients: emulatorClients() })
  const texts = { autosign_file: '# all\nauto*\n', autoreject_file: 'autobad\n', 'grains/machine': `${uuid}\n` }
  const files = Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)] as const)
  await storeFiles(store.objects, { base: {}, 'autosign:base': Object.fromEntries(files) })
  const settings = { autosign_file: '/from/there' }
  gateway = openGateway(functionEnvironment(places, settings), silentTelemetry)
})
afterAll(() => resources.remove())

/** The status and state of an answer to who asks for a token. */
async function ask(id: string, autosign_grains?: object): Promise<unknown[]> {
  const request = await testMinion(id).request({ audience: origin })
  const body = JSON.stringify({ ...request, ...(autosign_grains === undefined ? {} : { autosign_grains }) })
  const headers = { 'content-type': 'application/json' }
  const answer = await gateway({ brine: 1, method: 'POST', path: '/minion/token', headers, body })
  const { status, body: text } = answer as { status: number; body: string }
  return [status, JSON.parse(text).state]
}

it('accepts and rejects by what was deployed', async () => {
  expect(await ask('auto1')).toEqual([200, undefined])
  expect(await ask('autobad')).toEqual([403, 'rejected'])
  expect(await ask('told', { machine: uuid })).toEqual([200, undefined])
  expect(await ask('wrong', { machine: 'x' })).toEqual([202, 'pending'])
})

it('keeps the files from everything that reads and writes files', async () => {
  expect(await store.files.envs()).toEqual(['base'])
  expect(await store.files.read('autosign:base', 'autosign_file')).toBeUndefined()
  expect(await store.files.write('autosign:base', 'autosign_file', Buffer.from('*'), 0)).toEqual({
    kind: 'no-environment',
  })
  expect(await store.pillarFiles.envs()).toEqual([])
})
