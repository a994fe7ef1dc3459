// Random orchestrations: side by side they end as the state compiler's order ends them, and whenever the master dies, each
// step has run once.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mapping } from '../../core/value/index.ts'
import type { Master } from '../../master/master.ts'
import type { Ports } from '../../master/ports.ts'
import { type OrchestrationStage, orchestrationStage } from './orchestration-stage.ts'
import { highData, idOf, plans, reference, toldOf } from './random-plans.ts'

/** Ports that answer so many calls and then never again, as those of a process that was killed. */
function mortal(ports: Ports, calls: number): Ports {
  let left = calls
  const dying = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, key) {
        const value = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (left-- <= 0) return new Promise(() => undefined)
          const answer = Reflect.apply(value, target, args)
          // The last call may have reached the store before the end, and nobody hears of it.
          return left === 0 && answer instanceof Promise ? answer.then(() => new Promise(() => undefined)) : answer
        }
      },
    })
  const { orchestrations, jobs, mailbox, bus } = ports
  return {
    ...ports,
    orchestrations: dying(orchestrations),
    jobs: dying(jobs),
    mailbox: dying(mailbox),
    bus: dying(bus),
  }
}

let stage: OrchestrationStage
let number = 0
beforeAll(async () => {
  stage = await orchestrationStage(['m1'], {}, (_, { fun, arg }) => {
    if (fun === 'saltutil.find_job') return { return: {} }
    return { return: 'x', retcode: String(arg[0]).endsWith('fail') ? 1 : 0 }
  })
})
afterAll(() => stage.close())

const start = (master: Master, high: Mapping, jid: string) =>
  master.startRun({ client: 'runner', fun: 'state.orchestrate_high', arg: [high], kwarg: {}, user: 'root', jid })

const jobsOf = (run: string): string[] => stage.ran.filter((line) => line.includes(` ${run}s`)).sort()

describe('random orchestrations', () => {
  it('end as the order of the state compiler ends them', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const run = `p${number++}`
        const high = highData(run, plan, 'm1')
        const outcome = await start(stage.master(), high, stage.store.clock.jid()).outcome
        const results = (outcome.return as Mapping).vm_master ?? null
        expect(toldOf(results)).toEqual(await reference(high))
        const ran = Object.values(toldOf(results)).filter(([, hasRun]) => hasRun).length
        expect(jobsOf(run).length).toBeLessThanOrEqual(ran)
      }),
      { numRuns: Number(process.env.BRINE_ORCH_RUNS ?? 30) },
    )
  })

  it('run each step once although the master dies at any moment', { timeout: 180_000 }, async () => {
    let deaths = 0
    await fc.assert(
      fc.asyncProperty(
        plans,
        fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 4 }),
        async (plan, lives) => {
          const run = `c${number++}`
          const high = highData(run, plan, 'm1')
          const jid = stage.store.clock.jid()
          let isStored = false
          for (const calls of lives) {
            const master = await stage.restart(mortal(stage.store, calls))
            if (!isStored) start(master, high, jid).outcome.catch(() => undefined)
            else await Promise.race([master.orchestrations().then((all) => all.resumeAll()), pause(20)])
            await pause(30)
            isStored = (await stage.store.orchestrations.get(jid)) !== undefined
            deaths++
          }
          const survivor = await stage.restart()
          if (!isStored) await start(survivor, high, jid).outcome
          // What the last life began to store may have come through after we looked.
          const all = await survivor.orchestrations()
          await all.resumeAll()
          await expect.poll(async () => (await all.get(jid))?.status, { timeout: 20_000 }).toBe('done')
          const record = await all.get(jid)
          if (record === undefined) throw new Error('gone')
          const told = toldOf((all.returned(record).data as Mapping).vm_master ?? null)
          expect(told).toEqual(await reference(high))
          const expected = plan.flatMap(({ kind, fails }, step) => {
            const id = idOf(run, step)
            return kind === 'job' && told[id]?.[1] === true ? [`m1 cmd.run ${id} ${fails ? 'fail' : 'ok'}`] : []
          })
          expect(jobsOf(run)).toEqual(expected.sort())
        },
      ),
      { numRuns: Number(process.env.BRINE_ORCH_RUNS ?? 12) },
    )
    console.log(`orchestrations: ${deaths} deaths of the master, each step ran once`)
  })
})

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
