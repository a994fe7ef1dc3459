// The reactor set as several processes see it: who changes it sees what another changed, who reacts a little later.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAwsStore } from '../../platform/aws/index.ts'
import type { AwsStore } from '../../platform/aws/store/aws-store.ts'
import { waitFor } from '../system/wait.ts'
import { emulatorClients, makeResources, type Resources } from './resources.ts'

let resources: Resources
beforeAll(async () => {
  resources = await makeResources({ tables: true, bucket: true, bus: true })
})
afterAll(() => resources.remove())

const open = (): AwsStore => openAwsStore({ places: resources.places, clients: emulatorClients() })
const entries = [{ glob: 'work/*', files: ['/srv/reactor/work.sls'] }]
const files = [{ name: '/srv/reactor/work.sls', text: '# work.sls' }]

it('is deleted by one process right after another added to it, and is so to a third', async () => {
  const [one, other, third] = [open().config, open().config, open().config]
  const { version } = await one.install({ entries: [], files })
  for (const config of [one, other, third]) expect((await config.reactors()).entries).toEqual([])
  expect(await one.changeReactors(entries, version)).toBe(true)
  const seen = await other.reactors()
  expect(seen.entries).toEqual(entries)
  expect(await other.changeReactors([], seen.version)).toBe(true)
  expect((await third.reactors()).entries).toEqual([])
})

it('is known within seconds to who asks with every event', async () => {
  const [one, other] = [open(), open()]
  const { version } = await one.config.install({ entries: [], files })
  expect((await other.config.recentReactors()).entries).toEqual([])
  expect(await one.config.changeReactors(entries, version)).toBe(true)
  await waitFor('the change', async () => ((await other.config.recentReactors()).entries.length > 0 ? true : undefined))
  expect((await other.config.recentReactors()).entries).toEqual(entries)
})
