// When an orchestration is stored, and what its turns read again.
import { afterEach, expect, it } from 'vitest'
import { type OrchestrationStage, orchestrationStage } from './orchestration-stage.ts'

let stage: OrchestrationStage
afterEach(() => stage.close())

it('is stored before whoever waits for its start alone is answered', async () => {
  stage = await orchestrationStage(['m1'], { 'one.sls': 'a:\n  test.nop: []\n' }, () => ({ return: true }))
  const asked = { client: 'runner', fun: 'state.orchestrate', user: 'root' } as const
  const run = stage.master().startRun({ ...asked, arg: ['one'], kwarg: {} })
  await run.started
  expect(await stage.store.orchestrations.get(run.jid)).toBeDefined()
  // One that cannot begin is answered too.
  await stage.master().startRun({ ...asked, arg: ['nothing'], kwarg: {} }).started
  await run.outcome
})

it('reads the returns of a part of a batch no more once it is done', async () => {
  const minions = Array.from({ length: 15 }, (_, index) => `m${index}`)
  const sls = 's:\n  salt.function:\n    - name: cmd.run\n    - tgt: "m*"\n    - arg: [x]\n    - batch: 1\n'
  stage = await orchestrationStage(minions, { 'one.sls': sls }, () => ({ return: true }))
  const { jobs } = stage.store
  const reads = new Map<string, number>()
  await stage.restart({
    jobs: {
      create: (job) => jobs.create(job),
      get: (jid) => jobs.get(jid),
      list: (filter) => jobs.list(filter),
      addReturn: (jid, ret) => jobs.addReturn(jid, ret),
      returns: (jid) => {
        reads.set(jid, (reads.get(jid) ?? 0) + 1)
        return jobs.returns(jid)
      },
    },
  })
  expect((await stage.orchestrate({ mods: 'one' })).success).toBe(true)
  expect(stage.ran.length).toBe(15)
  // The first part was done fourteen parts before the end.
  expect(Math.max(...reads.values())).toBeLessThan(8)
})
