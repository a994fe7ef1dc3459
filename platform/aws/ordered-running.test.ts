// Runs that were cut off and may not run twice: what is told of them is what they would have told.
import { describe, expect, it } from 'vitest'
import type { Mapping } from '../../core/value/index.ts'
import { encodeRecord } from '../../core/value/record-text.ts'
import type { Draft } from '../../master/fire.ts'
import { createStartRun, type MasterFunction, type RunRequest } from '../../master/run.ts'
import { createTellInterrupted, type RunTables } from '../../master/run-events.ts'
import { type OrderedRunning, runOrdered } from './ordered-running.ts'

const jid = '20261121120000000001'
const function_ = (over: Partial<MasterFunction> = {}): MasterFunction => ({
  signature: { params: [{ name: 'a', default: null }] },
  doc: '',
  run: async () => ({ all: 'well' }),
  ...over,
})
const anyKeyword = { params: [], varArgs: true, varKwargs: true }
const functions = new Map([
  ['lab.one', function_()],
  ['lab.any', function_({ signature: anyKeyword })],
  ['lab.secret', function_({ told: () => 'a secret' })],
  ['lab.looks', function_({ readOnly: true })],
])

/** A master on AWS, with what it fired and kept; `dies` has each run end with its process. */
function stand(dies: boolean) {
  const fired: Draft[] = []
  const kept: [jid: string, told: Mapping][] = []
  const used = new Set<string>()
  const tables: RunTables = { runner: () => functions, wheel: () => functions }
  const telling = {
    fire: async (...drafts: Draft[]) => {
      fired.push(...drafts)
      return []
    },
    keep: async (of: string, told: Mapping) => void kept.push([of, told]),
  }
  const startRun = createStartRun(tables, telling, { jid: () => jid } as never)
  const running: OrderedRunning = {
    startRun: dies
      ? (request) => ({ jid: request.jid ?? jid, started: Promise.resolve(), outcome: new Promise(() => undefined) })
      : startRun,
    tellInterrupted: createTellInterrupted(tables, telling),
    isIdempotent: () => false,
    tokens: {
      useOnce: async (name: string) => {
        const isNew = !used.has(name)
        used.add(name)
        return isNew
      },
    } as unknown as OrderedRunning['tokens'],
    clock: { now: () => 0 },
    driver: { unlessHandedOver: async (outcome) => (dies ? undefined : outcome) },
  }
  const order = (request: Omit<RunRequest, 'user'>, times: number) =>
    runOrdered(running, { request: encodeRecord({ user: 'ann', jid, ...request }), times })
  return { fired, kept, order }
}

describe('a run that was cut off and may not run twice', () => {
  const cause = { root: '01ARZ3NDEKTSV4RRFFQ69G5FAV', parent: '01ARZ3NDEKTSV4RRFFQ69G5FAV', depth: 1, path: ['a\nb'] }
  const cases: Readonly<Record<string, Omit<RunRequest, 'user'>>> = {
    'a runner': { client: 'runner', fun: 'lab.one', arg: [1], kwarg: { a: 2 }, cause },
    'a wheel function': { client: 'wheel', fun: 'lab.one', arg: [], kwarg: {} },
    'a wheel call through the API': { client: 'wheel', fun: 'lab.one', arg: [1], kwarg: {}, tagged: true },
    'a runner through the API': { client: 'runner', fun: 'lab.one', arg: [], kwarg: { a: 1, b: 2 }, isLoose: true },
    'a runner step': { client: 'runner', fun: 'lab.any', arg: [1], kwarg: { b: 2 }, isStep: true },
    'a wheel step': { client: 'wheel', fun: 'lab.one', arg: [], kwarg: { a: 2 }, isStep: true },
    'what returns a secret': { client: 'runner', fun: 'lab.secret', arg: [], kwarg: {} },
    'what only looks': { client: 'runner', fun: 'lab.looks', arg: [], kwarg: {} },
  }

  it.each(Object.entries(cases))('tells its end as if it had ended: %s', async (_, request) => {
    const [whole, cut] = [stand(false), stand(true)]
    await whole.order(request, 1)
    await cut.order(request, 1)
    expect(cut.fired).toEqual([])
    expect(await cut.order(request, 2)).toEqual({})

    const end = { return: expect.stringContaining('was interrupted'), success: false }
    const [told] = whole.fired.filter(({ tag }) => tag.endsWith('/ret'))
    expect(cut.fired).toEqual([{ ...told, data: { ...(told?.data as Mapping), ...end } }])
    expect(cut.kept).toEqual(whole.kept.map(([of, data]) => [of, { ...data, ...end }]))
  })
})
