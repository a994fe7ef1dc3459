// The agent's journal is lost while jobs that it had fetched run, or wait behind those: none of them runs again.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { waitFor } from '../system/wait.ts'
import { noted } from './observer.ts'
import { randomOf, rounds, seedOf } from './rounds.ts'
import { type FailureLab, failureLab } from './stage.ts'

let running: FailureLab | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

/** Notes the number, and takes its time. */
const slowModule = (file: string): string => `import { appendFileSync } from 'node:fs'
export async function add(context, n) {
  appendFileSync(${JSON.stringify(file)}, n + '\\n')
  await new Promise((resolve) => setTimeout(resolve, 400))
  return n
}
add.params = 'n'
`

/** Numbers whose jobs returned: how often, and how many of them as interrupted. */
function returned(events: FailureLab['lab']['events']): { readonly all: number[]; readonly interrupted: Set<number> } {
  const all: number[] = []
  const interrupted = new Set<number>()
  for (const { tag, data } of events) {
    const fields = data instanceof Map ? Object.fromEntries(data) : data
    if (!/^salt\/job\/\d+\/ret\/worker$/.test(tag) || fields.fun !== 'slow.add') continue
    const n = Number((fields.fun_args as unknown[])[0])
    all.push(n)
    if (fields.interrupted === true) interrupted.add(n)
  }
  return { all, interrupted }
}

test('the journal is wiped: no fetched job runs again, each is returned as interrupted, and later ones run', async () => {
  const wipes = rounds(20, 2)
  const random = randomOf(seedOf('journal wiped'))
  running = await failureLab({ minion: 'process_count_max: 2\n' })
  const { lab, file } = running
  lab.write('srv/salt/_modules/slow.mjs', slowModule(file))
  lab.write('srv/reactor/note.sls', "n:\n  local.slow.add:\n    - tgt: worker\n    - arg: [{{ data['n'] }}]\n")
  running.startMinion('worker')
  await lab.waitForEvent({ tag: 'salt/minion/worker/start' })
  const fired: number[] = []
  let cut = 0
  const fire = async (count: number): Promise<number[]> => {
    const numbers = Array.from({ length: count }, (_, index) => fired.length + index)
    fired.push(...numbers)
    await Promise.all(numbers.map((n) => lab.connection().fire('note/it', { n })))
    return numbers
  }
  for (let round = 0; round < wipes; round++) {
    // Two run at a time; the agent has fetched the others with them.
    const numbers = await fire(6)
    await waitFor('a job to run', () => (numbers.some((n) => noted(file).includes(n)) ? true : undefined))
    await new Promise((resolve) => setTimeout(resolve, 300 * random()))
    await lab.stopMinion('worker', 'SIGKILL')
    rmSync(join(lab.root, 'run/worker/data/journal'))
    const before = returned(lab.events).interrupted.size
    const late = await fire(2)
    running.startMinion('worker')
    await waitFor(
      () => `returns of ${fired.length} jobs; there are ${new Set(returned(lab.events).all).size}`,
      () => (new Set(returned(lab.events).all).size === fired.length ? true : undefined),
      60_000,
    )
    cut += returned(lab.events).interrupted.size - before
    expect(late.filter((n) => !noted(file).includes(n))).toEqual([])
  }
  const { all, interrupted } = returned(lab.events)
  const ran = noted(file)
  const twice = ran.length - new Set(ran).size
  const untold = fired.filter((n) => !ran.includes(n) && !interrupted.has(n))
  console.log(
    `journal wiped: ${wipes} wipes, ${fired.length} jobs, ${ran.length} ran, ${interrupted.size} interrupted, ${untold.length} lost, ${twice} twice, ${all.length - fired.length} returns doubled`,
  )
  expect({ twice, untold, returns: all.length }).toEqual({ twice: 0, untold: [], returns: fired.length })
  expect(cut).toBeGreaterThanOrEqual(wipes)
})
