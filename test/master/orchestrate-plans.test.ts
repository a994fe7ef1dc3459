// Random orchestrations: side by side they end as the state compiler's order ends them, and whenever the master dies, each
// step has run once.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileHigh, newRun, runHere, thawed } from '../../core/state/index.ts'
import { isMap, type Mapping, type Value } from '../../core/value/index.ts'
import type { Master } from '../../master/master.ts'
import { orchestrationStates } from '../../master/orchestrate/step-functions.ts'
import type { Ports } from '../../master/ports.ts'
import { type OrchestrationStage, orchestrationStage } from './orchestration-stage.ts'

/** A step: what it is, whether it fails, what it needs of those before it. */
interface PlannedStep {
  readonly kind: 'job' | 'test'
  readonly fails: boolean
  readonly needs: readonly { readonly how: 'require' | 'onfail' | 'onchanges' | 'require_any'; readonly of: number }[]
  readonly failhard: boolean
}

const plans: fc.Arbitrary<readonly PlannedStep[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('job' as const, 'job' as const, 'test' as const),
      fails: fc.boolean().map((one) => one),
      lucky: fc.nat(3),
      needs: fc.array(
        fc.record({
          how: fc.constantFrom(
            'require' as const,
            'require' as const,
            'onfail' as const,
            'onchanges' as const,
            'require_any' as const,
          ),
          of: fc.nat(100),
        }),
        { maxLength: 3 },
      ),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((steps) =>
    steps.map(({ kind, fails, lucky, needs }, index) => ({
      kind,
      fails: fails && lucky === 0,
      failhard: false,
      needs: index === 0 ? [] : needs.map(({ how, of }) => ({ how, of: of % index })),
    })),
  )

const idOf = (run: string, step: number): string => `${run}s${step}`

/** The plan as high data; its jobs append a line that names the run and the step. */
function highData(run: string, plan: readonly PlannedStep[]): Mapping {
  const high: Mapping = {}
  for (const [index, step] of plan.entries()) {
    const id = idOf(run, index)
    const requisites: Mapping = {}
    for (const { how, of } of step.needs) {
      const target = { [plan[of]?.kind === 'test' ? 'test' : 'salt']: idOf(run, of) }
      requisites[how] = [...((requisites[how] as Value[] | undefined) ?? []), target]
    }
    const args: Value[] = Object.entries(requisites).map(([how, targets]) => ({ [how]: targets }))
    const word = step.fails ? 'fail' : 'ok'
    const body: Mapping =
      step.kind === 'test'
        ? { test: [step.fails ? 'fail_without_changes' : 'succeed_with_changes', ...args] }
        : { salt: ['function', { name: 'cmd.run' }, { tgt: 'm1' }, { arg: [`${id} ${word}`] }, ...args] }
    high[id] = { ...body, __sls__: 'orch', __env__: 'base' }
  }
  return high
}

type Told = Record<string, readonly [result: Value, ran: boolean, number: Value]>

function toldOf(results: Value): Told {
  if (!isMap(results)) throw new Error(`not results: ${JSON.stringify(results)}`)
  return Object.fromEntries(
    Object.entries(results as Record<string, Mapping>).map(([tag, result]) => [
      tag.split('_|-')[1] ?? tag,
      [
        result.result ?? null,
        result.__state_ran__ !== false && !String(result.comment).startsWith('One or more requisite'),
        result.__run_num__ ?? null,
      ],
    ]),
  )
}

/** What Salt's order makes of it: one step after the other, in this process. */
async function reference(high: Mapping): Promise<Told> {
  const states = orchestrationStates(() => ({}), Math.random)
  const compiled = compileHigh(thawed(high), { has: (fun) => states(fun) !== undefined })
  if (compiled.kind === 'errors') throw new Error(compiled.errors.join('\n'))
  const results = await runHere(compiled.plan, newRun({ mode: 'sequential' }), {
    states: (fun) => {
      const known = states(fun)
      if (known === undefined || !fun.startsWith('salt.')) return known
      return {
        ...known,
        run: ({ name, arg }) => {
          const fails = String((arg as Value[])[0]).endsWith('fail')
          return { name: name ?? null, result: !fails, changes: { ret: { m1: 'x' } }, comment: '' }
        },
      }
    },
    checks: { retcode: async () => 0, call: async () => ({ value: true }), exists: async () => false },
    clock: { now: () => 0, timeOfDay: () => '12:00:00.000000', sleep: async () => undefined, random: () => 0 },
  })
  return toldOf(results as Mapping)
}

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
  it('end as the order of the state compiler ends them', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const run = `p${number++}`
        const high = highData(run, plan)
        const outcome = await start(stage.master(), high, stage.store.clock.jid()).outcome
        const results = (outcome.return as Mapping).vm_master ?? null
        expect(toldOf(results)).toEqual(await reference(high))
        const ran = Object.values(toldOf(results)).filter(([, hasRun]) => hasRun).length
        expect(jobsOf(run).length).toBeLessThanOrEqual(ran)
      }),
      { numRuns: Number(process.env.BRINE_ORCH_RUNS ?? 30) },
    )
  })

  it('run each step once although the master dies at any moment', { timeout: 120_000 }, async () => {
    let deaths = 0
    await fc.assert(
      fc.asyncProperty(
        plans,
        fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 4 }),
        async (plan, lives) => {
          const run = `c${number++}`
          const high = highData(run, plan)
          const jid = stage.store.clock.jid()
          let isStored = false
          for (const calls of lives) {
            const master = await stage.restart(mortal(stage.store, calls))
            if (!isStored) start(master, high, jid).outcome.catch(() => undefined)
            else await Promise.race([master.orchestrations.resumeAll(), pause(20)])
            await pause(30)
            isStored = (await stage.store.orchestrations.get(jid)) !== undefined
            deaths++
          }
          const survivor = await stage.restart()
          if (!isStored) await start(survivor, high, jid).outcome
          // What the last life began to store may have come through after we looked.
          await survivor.orchestrations.resumeAll()
          await expect
            .poll(async () => (await survivor.orchestrations.get(jid))?.status, { timeout: 20_000 })
            .toBe('done')
          const record = await survivor.orchestrations.get(jid)
          if (record === undefined) throw new Error('gone')
          const told = toldOf((survivor.orchestrations.returned(record).data as Mapping).vm_master ?? null)
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
