// Orchestrations whose master is killed at random moments, with minions as real processes: each step runs once, and every
// orchestration ends as one does that nobody disturbs.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Connection } from '../../client/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'
import { randomOf, rounds, seedOf } from './rounds.ts'

/** Steps in a row, side by side, on several minions at once, in a batch, one that fails, and one for that. */
const sls = `
{% macro step(name, tgt, word) %}
{{ name }}:
  salt.function:
    - name: mark.{{ word }}
    - tgt: {{ tgt }}
    - arg: ['{{ pillar['n'] }} {{ name }}']
{% endmacro %}
{{ step('drain', 'one', 'add') }}
{{ step('left', 'one', 'add') }}
    - require: [{salt: drain}]
{{ step('right', '"*"', 'add') }}
    - require: [{salt: drain}]
{{ step('rolling', '"*"', 'add') }}
    - batch: 1
    - require: [{salt: left}, {salt: right}]
{{ step('check', 'two', 'fail') }}
    - require: [{salt: rolling}]
{{ step('never', 'one', 'add') }}
    - require: [{salt: check}]
{{ step('repair', 'two', 'add') }}
    - onfail: [{salt: check}]
`

/** What a whole orchestration leaves behind: step and minion. */
const marks = [
  'drain one',
  'left one',
  'right one',
  'right two',
  'rolling one',
  'rolling two',
  'check two',
  'repair two',
]

const minions = ['one', 'two']

/** `mark.add WORDS` notes them and who ran it; `mark.fail` does, and fails. */
const markModule = (file: string): string => `import { appendFileSync } from 'node:fs'
export function add({ grains }, words) {
  appendFileSync(${JSON.stringify(file)}, words + ' ' + grains.id + '\\n')
  return words
}
add.params = 'words'
export function fail(context, words) {
  add(context, words)
  throw new Error('as it was told to')
}
fail.params = 'words'
`

let running: Lab | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

async function startLab(): Promise<{ lab: Lab; marked: () => string[] }> {
  // A minion that finds its master dead again and again comes back after a while: its steps wait for it.
  const lab = await createLab({ master: 'auto_accept: True\ntimeout: 900\n', follow: false })
  running = lab
  const file = join(lab.root, 'marked')
  lab.write('srv/salt/orch/marks.sls', sls)
  lab.write('srv/salt/_modules/mark.mjs', markModule(file))
  await lab.startMaster()
  for (const id of minions) lab.startMinion(id)
  await waitFor('both minions', async () => {
    const { success, return: value } = await call(lab, 'manage.present', [])
    return success === true && Array.isArray(value) && value.length === minions.length ? true : undefined
  })
  return { lab, marked: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []) }
}

const call = (lab: Lab, fun: string, arg: string[]): ReturnType<Connection['run']> =>
  lab.connection().run({ client: 'runner', fun, arg })

async function begin(lab: Lab, n: number): Promise<string> {
  const kwarg: Mapping = { pillar: { n } }
  const run = lab
    .connection()
    .run({ client: 'runner', fun: 'state.orchestrate', arg: ['orch.marks'], kwarg, async: true })
  return (await run).jid
}

/** Each step and how it ended, once the orchestration is done. */
async function endOf(lab: Lab, jid: string): Promise<unknown> {
  let shown: unknown
  return waitFor(
    () => `the end of ${jid}; it stands:\n${JSON.stringify(shown, undefined, 1)}`,
    async () => {
      shown = (await call(lab, 'orch.show', [jid])).return
      const { status, steps } = shown as { status: string; steps: { id: string; state: string; comment: string }[] }
      return status === 'done' ? steps.map(({ id, state, comment }) => ({ id, state, comment })) : undefined
    },
    600_000,
  )
}

/** Numbers of orchestrations that are only timed. */
const undisturbed = [-1, -2, -3]

const ofRun = (lines: readonly string[], n: number): string[] => lines.filter((line) => line.startsWith(`${n} `))

/** Milliseconds from the beginning of an orchestration to its last step, at the slowest of some. */
async function timeOf(lab: Lab, marked: () => string[]): Promise<number> {
  const times: number[] = []
  for (const n of undisturbed) {
    const jid = await begin(lab, n)
    const from = Date.now()
    await waitFor('the last step', () => (ofRun(marked(), n).length === marks.length ? true : undefined), 120_000)
    times.push(Date.now() - from)
    await endOf(lab, jid)
  }
  return Math.max(...times)
}

test('the master is killed: each step of an orchestration runs once, and the end is the same', async () => {
  const kills = rounds(100)
  const random = randomOf(seedOf('orchestrations killed'))
  const { lab, marked } = await startLab()
  const wanted = await endOf(lab, await begin(lab, 0))
  expect(wanted).toMatchObject(
    ['done', 'done', 'done', 'done', 'failed', 'not run', 'done'].map((state) => ({ state })),
  )
  const whole = await timeOf(lab, marked)
  const begun: string[] = []
  let under = 0
  for (let round = 1; round <= kills; round++) {
    begun.push(await begin(lab, round))
    await new Promise((resolve) => setTimeout(resolve, whole * random()))
    await lab.stopMaster('SIGKILL')
    if (ofRun(marked(), round).length < marks.length) under++
    await lab.startMaster()
  }
  const ends = []
  for (const jid of begun) ends.push(await endOf(lab, jid))
  const counts = new Map<string, number>()
  for (const line of marked()) counts.set(line, (counts.get(line) ?? 0) + 1)
  const expected = [0, ...undisturbed, ...Array.from({ length: kills }, (_, n) => n + 1)].flatMap((n) =>
    marks.map((mark) => `${n} ${mark}`),
  )
  const twice = [...counts].filter(([, count]) => count > 1).map(([line]) => line)
  const missing = expected.filter((line) => !counts.has(line))
  const others = [...counts.keys()].filter((line) => !expected.includes(line))
  const different = ends.filter((end) => JSON.stringify(end) !== JSON.stringify(wanted)).length
  console.log(
    `orchestrations killed: ${kills} kills, ${under} of them with steps to come, ${begun.length} orchestrations, ` +
      `${marked().length} steps ran, ${twice.length} twice, ${missing.length} never, ${different} ended otherwise`,
  )
  expect({ twice, missing, others }).toEqual({ twice: [], missing: [], others: [] })
  expect(ends).toEqual(ends.map(() => wanted))
  expect(under).toBeGreaterThan(0)
})
