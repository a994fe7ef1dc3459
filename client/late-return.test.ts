// A return that is kept although the stream that would tell of it is behind.
import { expect, it } from 'vitest'
import type { Connection, WatchedEvent } from './connection.ts'
import { LocalClient } from './local-client.ts'

/** The stream of the job tells nothing; the one of the question whether somebody is at it says that nobody is. */
function behind(job: Connection['job']): Connection {
  const published = { missing: [], connected: [], cursor: 'c' }
  const nobody = {
    tag: 'salt/job/2/ret/web1',
    data: { return: {}, fun: 'saltutil.find_job' },
  } as unknown as WatchedEvent
  return {
    publish: async ({ fun }: { fun: unknown }) => ({
      ...published,
      jid: fun === 'saltutil.find_job' ? '2' : '1',
      minions: ['web1'],
    }),
    watch: async ({ tag = '' }: { tag?: string }, signal: AbortSignal) =>
      (async function* () {
        if (tag.startsWith('salt/job/2/')) yield nobody
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      })(),
    job,
  } as unknown as Connection
}

const arrivals = async (job: Connection['job']): Promise<unknown[]> => {
  const client = new LocalClient(behind(job))
  const options = { timeout: 0.05, gatherJobTimeout: 10 }
  const found: unknown[] = []
  for await (const arrival of client.gather(await client.publish('web1', 'test.ping', options), options))
    found.push(arrival)
  return found
}

it('is an arrival, and no silence', async () => {
  const load = { return: true, retcode: 0 }
  expect(await arrivals(async () => ({ returns: [{ id: 'web1', load }] }))).toEqual([
    { kind: 'return', id: 'web1', load },
  ])
})

it('is a silence where nothing is kept, or one may not look', async () => {
  const silent = [{ kind: 'silent', id: 'web1' }]
  expect(await arrivals(async () => ({ returns: [] }))).toEqual(silent)
  expect(await arrivals(() => Promise.reject(new Error('you may not')))).toEqual(silent)
})
