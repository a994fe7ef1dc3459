// Processes that are killed under load, at random moments, again and again.
import { afterEach, expect, test } from 'vitest'
import { waitFor } from '../system/wait.ts'
import { expectNothingLost, judged, noted } from './observer.ts'
import { randomOf, rounds, seedOf } from './rounds.ts'
import { type FailureLab, failureLab } from './stage.ts'

let running: FailureLab | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

/** Jobs by jid with how many returns each has on the bus. */
function returns(events: FailureLab['lab']['events']): Map<string, number> {
  const jobs = new Map<string, number>()
  for (const { tag, data } of events) {
    const fields = data instanceof Map ? Object.fromEntries(data) : data
    const made = /^salt\/job\/(\d+)\/new$/.exec(tag)?.[1]
    if (made !== undefined && fields.fun === 'note.add') jobs.set(made, jobs.get(made) ?? 0)
    const ended = /^salt\/job\/(\d+)\/ret\//.exec(tag)?.[1]
    if (ended !== undefined && fields.fun === 'note.add') jobs.set(ended, (jobs.get(ended) ?? 0) + 1)
  }
  return jobs
}

/** As long as returns still come, it waits: how many wait for their turn depends on the machine. */
async function settledReturns(lab: FailureLab['lab']): Promise<Map<string, number>> {
  for (let open = Number.POSITIVE_INFINITY; ; ) {
    const left = (): number => [...returns(lab.events).values()].filter((count) => count === 0).length
    const before = open
    open = await waitFor(
      () => `a return of one more job; ${left()} have none`,
      () => (left() === 0 || left() < before ? left() : undefined),
      60_000,
    )
    if (open === 0) return returns(lab.events)
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

test('the master is killed: no acknowledged event is lost, no job runs twice, no return is lost', async () => {
  const kills = rounds(100)
  const random = randomOf(seedOf('master killed'))
  running = await failureLab()
  const { lab, file, fire } = running
  running.startMinion('worker')
  await lab.waitForEvent({ tag: 'salt/minion/worker/start' })
  const acknowledged: number[] = []
  for (let round = 0; round < kills; round++) {
    let alive = true
    const taken: number[] = []
    const firing = fire({ sides: 4, more: () => alive, into: taken })
    // The load is on when it dies.
    await waitFor('an event to be taken', () => (taken.length > 0 ? true : undefined))
    await new Promise((resolve) => setTimeout(resolve, 20 + 280 * random()))
    await lab.stopMaster('SIGKILL')
    alive = false
    acknowledged.push(...(await firing))
    await lab.startMaster()
  }
  const verdict = await judged(file, acknowledged)
  const jobs = await settledReturns(lab)
  const doubled = [...jobs.values()].filter((count) => count > 1).length
  expectNothingLost('master killed', verdict, {
    kills,
    acknowledged: acknowledged.length,
    jobs: jobs.size,
    'returns doubled': doubled,
  })
  expect(acknowledged.length).toBeGreaterThan(kills)
  expect(doubled).toBe(0)
})

test('the agent is killed: no job runs twice, each has one return, and what did not run says interrupted', async () => {
  const kills = rounds(50)
  const random = randomOf(seedOf('agent killed'))
  running = await failureLab()
  const { lab, file, fire } = running
  running.startMinion('worker')
  await lab.waitForEvent({ tag: 'salt/minion/worker/start' })
  const acknowledged: number[] = []
  for (let round = 0; round < kills; round++) {
    const from = noted(file).length
    let firing = true
    const fired = fire({ sides: 4, more: () => firing })
    // The load is on when it dies: some jobs ran since it came back, others wait.
    await waitFor('a job of this life', () => (noted(file).length > from ? true : undefined), 120_000)
    await new Promise((resolve) => setTimeout(resolve, 150 * random()))
    await lab.stopMinion('worker', 'SIGKILL')
    firing = false
    acknowledged.push(...(await fired))
    running.startMinion('worker')
  }
  const jobs = await waitFor(
    () => `the jobs of ${acknowledged.length} events; there are ${returns(lab.events).size}`,
    () => (returns(lab.events).size >= acknowledged.length ? returns(lab.events) : undefined),
    120_000,
  ).then(() => settledReturns(lab))
  const interrupted = new Set(
    lab.events.flatMap(({ tag, data }) => {
      const fields = data instanceof Map ? Object.fromEntries(data) : data
      return /\/ret\/worker$/.test(tag) && fields.interrupted === true
        ? [Number((fields.fun_args as unknown[])[0])]
        : []
    }),
  )
  const lines = noted(file)
  const seen = new Set(lines)
  const missing = acknowledged.filter((n) => !seen.has(n))
  const verdict = {
    lost: missing.filter((n) => !interrupted.has(n)),
    twice: lines.length === seen.size ? [] : [1],
  }
  const doubled = [...jobs.values()].filter((count) => count > 1).length
  expectNothingLost('agent killed', verdict, {
    kills,
    acknowledged: acknowledged.length,
    ran: seen.size,
    interrupted: interrupted.size,
    'returns doubled': doubled,
  })
  expect(doubled).toBe(0)
})
