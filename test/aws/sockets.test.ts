// Sockets that open, and sockets that are gone: API Gateway answers the same for both.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAwsStore } from '../../platform/aws/index.ts'
import { SocketConnections } from '../../platform/aws/store/connections.ts'
import { emulatorClients, makeResources, type Resources } from './resources.ts'

let resources: Resources
beforeAll(async () => {
  resources = await makeResources({ tables: true })
})
afterAll(() => resources.remove())

it('keeps a socket that is still opening, and forgets one that is gone', async () => {
  const { dynamo } = openAwsStore({ places: resources.places, clients: emulatorClients() })
  let now = Date.now() * 1000
  const posted: string[] = []
  const sockets = new SocketConnections(dynamo, { now: () => now }, async (connection) => {
    posted.push(connection)
    return 'gone'
  })
  await sockets.open('web1', 'opening=')
  await sockets.ring(['web1'])
  expect(await sockets.connected()).toEqual(new Set(['web1']))
  now += 60_000_000
  await sockets.ring(['web1'])
  expect(await sockets.connected()).toEqual(new Set())
  expect(posted).toEqual(['opening=', 'opening='])
})
