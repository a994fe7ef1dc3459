// Jobs of steps whose minions return and answer while the master looks.
import { expect, it } from 'vitest'
import type { StoredReturn } from '../ports.ts'
import { type JobCallNeeds, pollJobs } from './job-calls.ts'

const second = 1_000_000

it('waits for a return that came in while it looked who is still at it', async () => {
  const kept: Record<string, StoredReturn[]> = {
    job: [{ id: 'web1', at: 1, load: { return: 'late', retcode: 0 } }],
    asking: [{ id: 'web1', at: 1, load: { return: {}, retcode: 0 } }],
  }
  // Both are stored behind the first look of a turn.
  let looks = 0
  const needs = {
    jobs: { returns: async (jid: string) => (looks++ === 0 ? [] : (kept[jid] ?? [])) },
    mailbox: { settle: async () => undefined },
    clock: { now: () => 10 * second },
    timeout: 5,
    gatherJobTimeout: 10,
  } as unknown as JobCallNeeds
  const request = { fun: 'cmd.run', arg: [], kwarg: {}, tgt: 'web1', tgtType: 'glob', ret: '', expectMinions: true }
  const part = { jid: 'job', tgt: 'web1', tgtType: 'glob', minions: ['web1'], lost: [] }
  const call = {
    kind: 'jobs' as const,
    began: 0,
    told: {},
    request: request as unknown as Parameters<typeof pollJobs>[0]['request'],
    parts: [{ ...part, deadline: 5 * second, asking: { jid: 'asking', until: 20 * second } }],
  }
  const place = { origin: 'o/s', user: 'root' }
  let progress = await pollJobs(call, place, needs)
  if (progress.kind === 'waiting') progress = await pollJobs(progress.call, place, needs)
  expect(progress).toMatchObject({ kind: 'ended', answers: [{ id: 'web1', failed: false, returned: 'late' }] })
})
