// What a minion sends together, and in which order it is stored.
import { expect, it } from 'vitest'
import type { Return } from '../core/protocol/index.ts'
import { createCollect } from './collect.ts'

it('stores what a minion says about a job it is done with behind the return of that job', async () => {
  const stored: string[] = []
  const ports = {
    jobs: {
      get: async (jid: string) => ({ jid, fun: jid === '1' ? 'cmd.run' : 'saltutil.find_job', minions: ['web1'] }),
      addReturn: async (jid: string) => {
        // The job's own takes longer to be stored.
        await new Promise((resolve) => setTimeout(resolve, jid === '1' ? 50 : 0))
        stored.push(jid)
        return 'new'
      },
    },
    mailbox: { settle: async () => undefined },
    minions: { seen: async () => undefined },
    writes: {
      inOrder: async (...writes: (() => Promise<unknown>)[]) => {
        for (const write of writes) await write()
      },
    },
    clock: { now: () => 0 },
  } as unknown as Parameters<typeof createCollect>[0]
  const ret = (jid: string, fun: string): Return =>
    ({ id: jid, jid, fun, fun_args: [], return: {}, retcode: 0, success: true }) as unknown as Return
  const minion = { kind: 'minion', id: 'web1', epoch: 1 } as Parameters<ReturnType<typeof createCollect>['returns']>[0]
  const fired: string[] = []
  const collect = createCollect(ports, async (...drafts) => {
    fired.push(...drafts.map(({ tag }) => tag))
    return []
  })
  await collect.returns(minion, [ret('1', 'cmd.run'), ret('2', 'saltutil.find_job')])
  expect(stored).toEqual(['1', '2'])
  expect(fired).toEqual(['salt/job/1/ret/web1', 'salt/job/2/ret/web1'])
})
