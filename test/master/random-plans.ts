// Random orchestrations, and what Salt's order makes of them.
import fc from 'fast-check'
import { compileHigh, newRun, runHere, thawed } from '../../core/state/index.ts'
import { isMap, type Mapping, type Value } from '../../core/value/index.ts'
import { orchestrationStates } from '../../master/orchestrate/step-functions.ts'

/** A step: what it is, whether it fails, what it needs of those before it. */
export interface PlannedStep {
  readonly kind: 'job' | 'test'
  readonly fails: boolean
  readonly needs: readonly { readonly how: 'require' | 'onfail' | 'onchanges' | 'require_any'; readonly of: number }[]
  readonly failhard: boolean
}

/** Plans of up to nine steps. */
export const plans: fc.Arbitrary<readonly PlannedStep[]> = fc
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

/** The id of a step of a run. */
export const idOf = (run: string, step: number): string => `${run}s${step}`

/** The plan as high data; its jobs have a minion run `<program> <id> ok`, or `fail`. */
export function highData(run: string, plan: readonly PlannedStep[], minion: string, program = ''): Mapping {
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
        : { salt: ['function', { name: 'cmd.run' }, { tgt: minion }, { arg: [`${program}${id} ${word}`] }, ...args] }
    high[id] = { ...body, __sls__: 'orch', __env__: 'base' }
  }
  return high
}

/** By id: its result, whether it ran, its number. */
export type Told = Record<string, readonly [result: Value, ran: boolean, number: Value]>

/** What results tell, whatever they took. Throws for what are none. */
export function toldOf(results: Value): Told {
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
export async function reference(high: Mapping): Promise<Told> {
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
