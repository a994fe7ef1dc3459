// What minions push on AWS: an object below the minion's own prefix, where the deployment takes any.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mostPushed } from '../../core/protocol/index.ts'
import { openGateway } from '../../platform/aws/handlers/gateway.ts'
import { type AwsStore, openAwsStore } from '../../platform/aws/store/aws-store.ts'
import { testMinion } from '../master/harness.ts'
import { functionEnvironment, silentTelemetry } from './function-environment.ts'
import { emulatorClients, makeResources, type Resources } from './resources.ts'

let resources: Resources
let store: AwsStore
beforeAll(async () => {
  resources = await makeResources({ tables: true, bucket: true, bus: true, secret: true })
  store = openAwsStore({ places: resources.places, clients: emulatorClients() })
})
afterAll(() => resources.remove())

async function pusher(settings: object): Promise<(path: string, data: Buffer) => Promise<unknown>> {
  const gateway = openGateway(functionEnvironment(resources.places, settings), silentTelemetry)
  const ask = async (path: string, body: object, more: Record<string, string> = {}): Promise<[number, string]> => {
    const answer = await gateway({
      version: '2.0',
      rawPath: path,
      headers: { 'content-type': 'application/json', ...more },
      requestContext: { http: { method: 'POST', sourceIp: '192.0.2.1' } },
      body: JSON.stringify(body),
    })
    const { statusCode, body: text } = answer as { statusCode: number; body: string }
    return [statusCode, text]
  }
  const proof = await testMinion(`web${Object.keys(settings).length}`).request({
    audience: 'https://brine.example.org',
  })
  const { token } = JSON.parse((await ask('/minion/token', proof))[1])
  return async (path, data) => {
    const piece = { path: path.split('/'), offset: 0, size: data.byteLength, data: data.toString('base64') }
    const [status, text] = await ask('/minion/push', piece, { authorization: `Bearer ${token}` })
    return status === 200 ? 'kept' : text
  }
}

it('keeps files below the minion’s prefix, as large as a request brings them', async () => {
  const push = await pusher({ auto_accept: true, file_recv: true })
  expect(await push('etc/ü/x', Buffer.from('x'))).toBe('kept')
  expect(new TextDecoder().decode(await store.objects.get('minions/web2/files/etc/ü/x'))).toBe('x')
  expect(await push('large', Buffer.alloc(mostPushed, 'x'))).toBe('kept')
  expect(await push('../../files.json', Buffer.from('[]'))).toContain('"path"')
})

it('takes none without file_recv', async () => {
  const push = await pusher({ auto_accept: true })
  expect(await push('x', Buffer.from('x'))).toContain('"file-recv"')
})
