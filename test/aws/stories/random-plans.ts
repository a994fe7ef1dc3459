// Random orchestrations through the state machine: their results are those of the state compiler's order, each step runs
// once, and neither changes when the function that takes turns is killed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMap, type Mapping, type Value } from '../../../core/value/index.ts'
import { highData, idOf, type PlannedStep, plans, reference, toldOf } from '../../master/random-plans.ts'
import { startKiller, workersOf } from '../killer.ts'
import type { OrchestrationStage } from './orchestrations.ts'

/** How many plans there are in all: a tenth of what BRINE_ORCH_RUNS=200 asks. */
const wanted = Number(process.env.BRINE_ORCH_RUNS ?? 20)
/** Plans that run at once. */
const together = 5
const rounds = Math.ceil(wanted / together)
/** Rounds during which turns are killed, how often in each, and milliseconds within which the next death comes. */
const mortalRounds = Math.max(1, Math.round(rounds / 4))
const deathsOfRound = 4
const within = 2_500
/** Milliseconds that a round may take on a machine that is busy. */
const patience = 360_000

/** The program that a step runs: it notes its call, and fails where it is told to. */
const step = '[ "$2" = ok ]\n'

/** Their tests need `web01`. */
export function randomPlanStories(there: () => OrchestrationStage): void {
  let number = 0
  const runs = fc.array(plans, { minLength: together, maxLength: together })

  const run = async (plan: readonly PlannedStep[]): Promise<void> => {
    const { world, log } = there().stage
    const name = `r${number++}`
    const high = highData(name, plan, 'web01', 'step ')
    const request = { client: 'runner' as const, fun: 'state.orchestrate_high', arg: [high], kwarg: {}, async: true }
    const { jid } = await world.connection.run(request)
    const { data } = await world.waitForEvent({ tag: `salt/run/${jid}/ret` }, patience)
    const told = toldOf(resultsIn(data.return as Value))
    expect(told).toEqual(await reference(high))
    const expected = plan.flatMap(({ kind, fails }, index) => {
      const id = idOf(name, index)
      return kind === 'job' && told[id]?.[1] === true ? [`step ${id} ${fails ? 'fail' : 'ok'}`] : []
    })
    expect(
      log()
        .filter((line) => line.startsWith(`step ${name}s`))
        .sort(),
    ).toEqual(expected.sort())
  }
  const all = (numRuns: number, around = (round: () => Promise<void>) => round()) =>
    fc.assert(
      fc.asyncProperty(runs, (some) =>
        around(async () => {
          await Promise.all(some.map(run))
        }),
      ),
      { numRuns, endOnFailure: true },
    )

  describe('random orchestrations', () => {
    it(
      `${rounds * together} of them end as the order of the state compiler ends them`,
      async () => {
        there().stage.program('step', step)
        const begin = performance.now()
        await all(rounds)
        console.log(`orchestrations: ${number} plans in ${Math.round((performance.now() - begin) / 1000)} s`)
      },
      rounds * patience,
    )

    it(
      `${mortalRounds * together} more, while turns are killed at random moments`,
      async ({ skip }) => {
        const { stage, machine } = there()
        stage.program('step', step)
        const begin = number
        if (workersOf(machine.turnFunction).length === 0)
          skip('the emulator runs its functions where they cannot be killed')
        let deaths = 0
        const mortal = async (round: () => Promise<void>): Promise<void> => {
          const killer = startKiller(machine.turnFunction, deathsOfRound, within)
          try {
            await round()
          } finally {
            deaths += await killer.stop()
          }
        }
        await all(mortalRounds, mortal)
        // A quick machine may be done before the first death.
        for (let more = 0; deaths === 0 && more < 20; more++) await all(1, mortal)
        console.log(`orchestrations: ${deaths} deaths of the turn function during ${number - begin} plans`)
        expect(deaths).toBeGreaterThan(0)
      },
      (mortalRounds + 4) * patience,
    )
  })
}

/** The results below the master's id, which an orchestration without SLS files is told as alone. */
function resultsIn(returned: Value): Value {
  return Object.values((isMap(returned) ? returned : {}) as Mapping)[0] ?? null
}
