// A return that is kept although the log that would tell of it is behind.
import { expect, it } from 'vitest'
import type { StoredReturn } from '../../ports.ts'
import { createApiJobs } from './jobs.ts'

const load = { return: true, retcode: 0 }

/** The log tells nothing of the job `1`, and that nobody is at it any more. */
const gathered = async (kept: readonly StoredReturn[]) => {
  let jids = 0
  const jobs = createApiJobs({
    clock: { jid: () => String(++jids) },
    publish: async ({ jid }: { jid: string }) => ({ kind: 'published', jid, minions: ['web1'], missing: [] }),
    presence: { present: async () => ['web1'] },
    returns: {
      listen: async (jid: string, onReturn: (id: string, load: object) => void) => {
        if (jid !== '1') setTimeout(() => onReturn('web1', { return: {}, retcode: 0 }), 5)
        return () => undefined
      },
    },
    jobs: { returns: async (jid: string) => (jid === '1' ? kept : []) },
  } as unknown as Parameters<typeof createApiJobs>[0])
  const job = { tgt: 'web1', tgtType: 'glob', fun: 'test.ping', arg: [], ret: '', user: 'root' }
  return (await jobs.gather(job, { timeout: 0.05, gatherJobTimeout: 10 })).loads
}

it('is gathered', async () => {
  expect(await gathered([{ id: 'web1', at: 1, load }])).toEqual(new Map([['web1', load]]))
})

it('is missing where nothing is kept', async () => {
  expect(await gathered([])).toEqual(new Map())
})
