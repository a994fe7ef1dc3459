// The reactor's handler dies in the middle of batches that come twice: every event leads to its job, and to one alone.

import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AwsStore, openAwsStore } from '../../platform/aws/index.ts'
import { variables } from '../../platform/aws/layout/index.ts'
import { testMinion } from '../master/harness.ts'
import { type Background, startProgram } from '../system/process.ts'
import { waitFor } from '../system/wait.ts'
import { functionEnvironment } from './function-environment.ts'
import { emulatorClients, makeResources, type Resources } from './resources.ts'

const events = 60
const deaths = 4
/** After how many requests each comes: a job takes about nine, so that the dead have not done all. */
const life = [5, 90] as const
/** Seconds: a lease is 30 s longer, and what died in one is waited for. */
const reactorTimeout = 1

const sls = `ask:
  local.test.echo:
    - tgt: web1
    - arg:
      - {{ data['n'] }}
`

let resources: Resources
let store: AwsStore
let folder: string
let started = 0

beforeAll(async () => {
  resources = await makeResources({ tables: true, bucket: true, bus: true, secret: true, visibility: 2 })
  store = openAwsStore({ places: resources.places, clients: emulatorClients() })
  folder = mkdtempSync(join(tmpdir(), 'brine-crash-'))
  const { pub } = testMinion('web1')
  await store.keys.update(
    { id: 'web1', epoch: 1, denied: [], current: { state: 'accepted', pub, since: 0 } },
    undefined,
  )
  await store.config.install({
    entries: [{ glob: 'crash/*', files: ['/srv/reactor/ask.sls'] }],
    files: [{ name: '/srv/reactor/ask.sls', text: sls }],
  })
})
afterAll(async () => {
  await resources.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** A process that does what Lambda does with the queue. */
function startPoller(more: Readonly<Record<string, string>> = {}): Background {
  const { places } = resources
  const { endpoint } = emulatorClients()
  const env = {
    ...functionEnvironment(places),
    [variables.connectionsEndpoint]: endpoint,
    [variables.url]: endpoint,
    [variables.socketUrl]: endpoint.replace('http', 'ws'),
    [variables.reactorTimeout]: String(reactorTimeout),
  }
  const program = join(import.meta.dirname, 'poller.ts')
  return startProgram(process.execPath, ['--import', 'tsx', program], join(folder, `poller-${started++}`), {
    env: { ...env, ...more, AWS_ENDPOINT_URL: endpoint, AWS_REGION: 'us-east-1' },
  })
}

/** The numbers that jobs in the mailbox were given, one a job. */
async function asked(): Promise<unknown[]> {
  const jobs = await store.jobs.list({ limit: 10 * events })
  return jobs.map(({ arg }) => arg[0])
}

it(`reacts to each of ${events} events once, although each comes twice and the handler is killed ${deaths} times`, async () => {
  const fired = Array.from({ length: events }, (_, n) => ({
    id: store.clock.eventId(),
    tag: `crash/${n}`,
    data: { n },
    source: 'master' as const,
  }))
  await store.bus.publish(fired)
  await store.bus.publish([...fired].reverse())
  for (let death = 0; death < deaths; death++) {
    // By requests and not by time, so that a quick machine is no further then than a slow one.
    const poller = startPoller({ BRINE_DEATH: String(randomInt(...life)) })
    await waitFor('the death', () => poller.exit())
    expect(poller.stdout(), poller.stderr()).toContain('taken')
  }
  const left = (await asked()).length
  expect(left).toBeLessThan(events)
  const last = startPoller()
  try {
    await waitFor(
      () => 'every event to have its job',
      async () => ((await asked()).length >= events && (await store.queue.depth()) === 0 ? true : undefined),
      300_000,
    )
  } finally {
    await last.stop('SIGKILL')
  }
  const numbers = (await asked()).map(Number).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: events }, (_, n) => n))
  expect(await store.queue.dead()).toEqual([])
}, 600_000)
