// What the bus tells of an orchestration that has every kind of step: what Salt tells, on every platform.
import { expect } from 'vitest'
import type { SeenEvent, World } from './world.ts'

/** What an event tells that is compared. */
type Told = Readonly<Record<string, unknown>>

const compared = [
  'fun',
  'fun_args',
  'arg',
  'args',
  'kwargs',
  'name',
  'type',
  'tgt',
  'user',
  'minions',
  'success',
  'retcode',
]

const tgt = 'web1'
/** What jobs are told of before they are published: a function's, and a state's. */
const asked = { ret: '', timeout: null, tgt_type: 'glob', ssh: false }
const functionArgs = { ...asked, arg: ['one'], kwarg: { two: 2 }, expect_minions: false, _cmd_meta: true }
const stateArgs = { ...asked, arg: ['e2e.applied'], kwarg: { queue: false, concurrent: false }, expect_minions: true }
const stateArg = ['e2e.applied', { __kwarg__: true, queue: false, concurrent: false }]
const functionArg = ['one', { __kwarg__: true, two: 2 }]
const inner = { mods: 'e2e.inner', saltenv: 'base', orchestration_jid: '<0>' }

/** What is run, by the number of its jid; a step tells a runner that takes any keyword who asks, and nobody who asks a wheel. */
const runs: readonly [folder: string, Told][] = [
  ['run', { fun: 'runner.state.orchestrate', fun_args: ['e2e.steps', { orchestration_jid: '<0>' }], user: 'asker' }],
  ['run', { fun: 'runner.test.arg', fun_args: [1, { __pub_user: 'asker', color: 'red' }], user: 'asker' }],
  ['wheel', { fun: 'wheel.key.list', fun_args: [{ match: 'acc' }], user: 'UNKNOWN' }],
  ['run', { fun: 'runner.test.raw_arg', fun_args: [{ __pub_user: 'asker', n: 1 }], user: 'asker' }],
  ['run', { fun: 'runner.jobs.list_jobs', fun_args: [], user: 'asker' }],
  ['run', { fun: 'runner.state.orchestrate', fun_args: [inner], user: 'asker' }],
  ['wheel', { fun: 'wheel.key.list_all', fun_args: [], user: 'UNKNOWN' }],
]
const jobs: readonly { fun: string; arg: readonly unknown[] }[] = [
  { fun: 'test.arg', arg: functionArg },
  { fun: 'state.sls', arg: stateArg },
]
/** What each step is about to ask, told under the outermost orchestration. */
const steps: readonly Told[] = [
  { type: 'runner', name: 'test.arg', args: [1], kwargs: { color: 'red' } },
  { type: 'wheel', name: 'key.list', args: { match: 'acc' } },
  { type: 'runner', name: 'test.raw_arg', args: [], kwargs: { n: 1 } },
  { type: 'runner', name: 'jobs.list_jobs', args: [], kwargs: {} },
  { type: 'runner', name: 'state.orchestrate', args: [], kwargs: inner },
  { type: 'wheel', name: 'key.list_all', args: {} },
  { type: 'function', name: 'test.arg', tgt, args: functionArgs },
  { type: 'state', name: 'a_state', tgt, args: stateArgs },
]

const expected = byKey([
  ...steps.map((told) => ['salt/run/<0>/args', told] as const),
  ...runs.flatMap(([folder, told], n) => [
    [`salt/${folder}/<${n}>/new`, told] as const,
    [`salt/${folder}/<${n}>/ret`, { ...told, success: true }] as const,
  ]),
  ...jobs.flatMap(({ fun, arg }, nth) => {
    const job = `<${runs.length + nth}>`
    return [
      [job, { minions: [tgt] }] as const,
      [`salt/job/${job}/new`, { fun, arg, tgt, user: 'asker', minions: [tgt] }] as const,
      [`salt/job/${job}/publish`, { fun, arg, tgt, user: 'asker' }] as const,
      [`salt/job/${job}/ret/${tgt}`, { fun, fun_args: arg, user: 'asker', success: true, retcode: 0 }] as const,
    ]
  }),
])

/** Runs `e2e.steps` and waits until the bus has told of it what Salt would. Needs `web1`. */
export async function tellsOfSteps({ connection, events, mark }: World): Promise<void> {
  const from = mark()
  const asked = { client: 'runner' as const, fun: 'state.orchestrate', arg: ['e2e.steps'], async: true }
  const { jid } = await connection.run(asked)
  await expect.poll(() => toldSince(events.slice(from), jid), { timeout: 240_000, interval: 250 }).toEqual(expected)
}

/** What was told of what was run since: the jids numbered in their order, and who asked as `asker`. */
function toldSince(events: readonly SeenEvent[], first: string): Readonly<Record<string, readonly Told[]>> {
  const jidOf = ({ tag }: SeenEvent): string => /^(?:salt\/(?:run|wheel|job)\/)?(\d{20})(?:\/|$)/.exec(tag)?.[1] ?? ''
  // A minion that takes long is asked whether it is still at it: not every time, and of no concern here. Neither is what
  // the reactor still does about an event of an earlier test.
  const others = new Set(
    events.filter(({ data }) => data.fun === 'saltutil.find_job' || data.user === 'Reactor').map(jidOf),
  )
  const own = events.filter((event) => jidOf(event) >= first && !others.has(jidOf(event)))
  const jids = [...new Set(own.map(jidOf))].sort()
  const user = own.find(({ tag }) => tag === `salt/run/${first}/new`)?.data.user
  const masked = <T>(value: T): T => {
    let text = JSON.stringify(value).replaceAll(JSON.stringify(user ?? ''), '"asker"')
    for (const [n, jid] of jids.entries()) text = text.replaceAll(jid, `<${n}>`)
    return JSON.parse(text) as T
  }
  return byKey(
    own.map(({ tag, data }) =>
      masked([tag, Object.fromEntries(Object.entries(data).filter(([key]) => compared.includes(key)))] as const),
    ),
  )
}

/** By tag, and where one tag tells of several by what it tells of: the log of a platform need not keep their order. */
function byKey(events: readonly (readonly [tag: string, told: Told])[]): Readonly<Record<string, readonly Told[]>> {
  const found: Record<string, Told[]> = {}
  for (const [tag, told] of events) {
    const key = [tag, told.type, told.type === undefined ? undefined : told.name].filter(Boolean).join(' ')
    found[key] = [...(found[key] ?? []), told]
  }
  return found
}
