// `kill -9`, judged by a file that jobs append to, not by what the ledger says of itself.
//
// Promises: an acknowledged event's job runs, exactly once, although the master dies while events are fired; a minion that
// dies never runs a job twice, and each job it lost is returned as interrupted.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { connect } from '../../client/index.ts'
import { createLab, type Lab } from './lab.ts'
import { waitFor } from './wait.ts'

const REACTOR = `reactor:
  - 'test/append':
    - /srv/reactor/append.sls
`
const APPEND = `append:
  local.cmd.run:
    - tgt: worker
    - arg:
      - echo {{ data['n'] }} >> @LAB@/appended
`
const EVENTS = 500

let lab: Lab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

async function start(): Promise<Lab> {
  lab = await createLab({ master: 'auto_accept: True\n' })
  lab.write('etc/brine/master.d/reactor.conf', REACTOR)
  lab.write('srv/reactor/append.sls', APPEND)
  lab.write('appended', '')
  await lab.startMaster()
  lab.startMinion('worker')
  await lab.waitForEvent({ tag: 'salt/minion/worker/start' })
  return lab
}

const appended = (in_: Lab): number[] =>
  readFileSync(join(in_.root, 'appended'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(Number)

/** Fires numbered events, 20 at a time, over connections of its own; answers which were acknowledged. `onAcknowledged` may kill. */
async function fireAll(into: Lab, onAcknowledged: (count: number) => void): Promise<number[]> {
  const acknowledged: number[] = []
  const socket = into.socket()
  let next = 0
  const worker = async (): Promise<void> => {
    const connection = connect({ kind: 'socket', path: socket })
    while (next < EVENTS) {
      const n = next++
      try {
        await connection.fire('test/append', { n })
        acknowledged.push(n)
        onAcknowledged(acknowledged.length)
      } catch {
        // Not acknowledged: it may have been taken or not, and either is right.
      }
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: 20 }, worker))
  return acknowledged
}

/** Waits until the file has not grown for a while. */
async function settled(in_: Lab, atLeast: () => number): Promise<number[]> {
  let last = -1
  let since = Date.now()
  await waitFor(
    () => `${atLeast()} lines; there are ${appended(in_).length}`,
    () => {
      const count = appended(in_).length
      if (count !== last) [last, since] = [count, Date.now()]
      return count >= atLeast() && Date.now() - since > 3000 ? true : undefined
    },
    180_000,
  )
  return appended(in_)
}

test('kill -9 of the master under load: every acknowledged event, exactly once', { timeout: 400_000 }, async () => {
  const running = await start()
  let killed: Promise<unknown> | undefined
  const acknowledged = await fireAll(running, (count) => {
    if (count >= EVENTS / 3) killed ??= running.stopMaster('SIGKILL')
  })
  await killed
  expect(killed).toBeDefined()
  expect(acknowledged.length).toBeGreaterThan(0)
  await running.startMaster()
  const lines = await settled(running, () => acknowledged.length)
  const counts = new Map<number, number>()
  for (const n of lines) counts.set(n, (counts.get(n) ?? 0) + 1)
  console.log(
    `master killed: ${EVENTS} fired, ${acknowledged.length} acknowledged, ${lines.length} ran, ${acknowledged.filter((n) => !counts.has(n)).length} lost, ${[...counts.values()].filter((count) => count > 1).length} twice`,
  )
  expect(acknowledged.filter((n) => !counts.has(n))).toEqual([])
  expect([...counts].filter(([, count]) => count > 1)).toEqual([])
})

test('kill -9 of the minion under load: none twice, and what is missing was returned as interrupted', {
  timeout: 400_000,
}, async () => {
  const running = await start()
  let killed: Promise<unknown> | undefined
  // A return that is told twice is one.
  const returned = (): number =>
    new Set(running.events.flatMap(({ tag }) => (/^salt\/job\/\d+\/ret\/worker$/.test(tag) ? [tag] : []))).size
  const acknowledged = await fireAll(running, () => {
    if (returned() >= 30) killed ??= running.stopMinion('worker', 'SIGKILL')
  })
  killed ??= running.stopMinion('worker', 'SIGKILL')
  await killed
  expect(acknowledged).toHaveLength(EVENTS)
  running.startMinion('worker')
  await waitFor(
    () => `${EVENTS} returns; there are ${returned()}`,
    () => (returned() >= EVENTS ? true : undefined),
    180_000,
  )

  const lines = appended(running)
  const jobs = new Map<string, number>()
  const interrupted: number[] = []
  for (const { tag, data } of running.events) {
    const fields = data instanceof Map ? Object.fromEntries(data) : data
    const made = /^salt\/job\/(\d+)\/new$/.exec(tag)
    if (made?.[1] !== undefined) jobs.set(made[1], Number(/echo (\d+)/.exec(JSON.stringify(fields.arg))?.[1]))
    const ended = /^salt\/job\/(\d+)\/ret\/worker$/.exec(tag)
    if (ended?.[1] !== undefined && JSON.stringify(fields).includes('interrupted'))
      interrupted.push(jobs.get(ended[1]) ?? -1)
  }
  const seen = new Set(lines)
  const missing = acknowledged.filter((n) => !seen.has(n))
  console.log(
    `minion killed: ${EVENTS} jobs, ${lines.length} ran, ${interrupted.length} returned as interrupted, ${missing.length} missing, ${lines.length - seen.size} twice`,
  )
  expect(lines.length).toBe(seen.size)
  // A job may have appended its line and been cut off before it could say so: it is interrupted and not missing.
  expect(missing.filter((n) => !interrupted.includes(n))).toEqual([])
})
