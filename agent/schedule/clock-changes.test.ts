// Cron's times where clocks are set back and forward: in processes of their own, since a process has one time zone.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The times that an expression names after another, in a zone; hours and minutes in UTC. */
function times(zone: string, expression: string, after: string, count: number): string {
  const program = `import { parseCron } from './agent/schedule/cron.ts'
let time = Date.parse(${JSON.stringify(after)})
for (let left = ${count}; left > 0; left--) {
  time = parseCron(${JSON.stringify(expression)})(time)
  console.log(new Date(time).toISOString().slice(8, 16))
}`
  const argv = ['--import', 'tsx', '--input-type=module', '-e', program]
  const { stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: root,
    env: { ...process.env, TZ: zone },
    encoding: 'utf8',
  })
  return stdout === '' ? stderr : stdout.trim().replaceAll('\n', ' ')
}

const [york, berlin] = ['America/New_York', 'Europe/Berlin']
// In New York clocks go from 2:00 to 1:00 at 6:00 UTC, in Berlin from 3:00 to 2:00 at 1:00 UTC.
it.each([
  ['every hour in both hours', york, '*/30 * * * *', '2026-11-01T05:10Z', '01T05:30 01T06:00 01T06:30 01T07:00'],
  ['never before the time it is asked for', york, '*/15 * * * *', '2026-11-01T06:40Z', '01T06:45 01T07:00'],
  ['a named hour once', york, '30 1 * * *', '2026-11-01T04:50Z', '01T05:30 02T06:30'],
  ['a named hour no more in the second', york, '30 1 * * *', '2026-11-01T06:10Z', '02T06:30'],
  ['every day', berlin, '0 0 * * *', '2026-10-24T20:00Z', '24T22:00 25T23:00'],
])('set back: %s', (_, zone, expression, after, expected) => {
  expect(times(zone, expression, after, expected.split(' ').length)).toBe(expected)
})

// In New York clocks go from 2:00 to 3:00 at 7:00 UTC.
it.each([
  ['a named hour that is left out, after it', york, '30 2 * * *', '2026-03-07T08:00Z', '08T07:30 09T06:30'],
  ['every hour', york, '*/30 * * * *', '2026-03-08T06:10Z', '08T06:30 08T07:00 08T07:30'],
  ['every day', york, '0 0 * * *', '2026-03-08T04:00Z', '08T05:00 09T04:00'],
])('set forward: %s', (_, zone, expression, after, expected) => {
  expect(times(zone, expression, after, expected.split(' ').length)).toBe(expected)
})
