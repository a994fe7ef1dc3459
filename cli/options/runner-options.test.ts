// Options after a runner's name are its arguments; all others stay what they are.
import { expect, it } from 'vitest'
import { runnerOptions } from './runner-options.ts'

it.each([
  ['event.replay --from 2h --to=1h --tag salt/* --dry-run', 'event.replay from=2h to=1h tag=salt/* dry_run=True'],
  ['--out json event.replay --again --out yaml', '--out json event.replay again=True --out yaml'],
  ['reactor.redrive --all', 'reactor.redrive all=True'],
  ['reactor.redrive --since 1d', 'reactor.redrive since=1d'],
  ['reactor.redrive --from 1d', 'reactor.redrive --from 1d'],
  ['reactor.redrive --since', 'reactor.redrive --since'],
  ['reactor.failed --all=x', 'reactor.failed --all=x'],
  ['jobs.active --all', 'jobs.active --all'],
])('%s', (line, expected) => {
  expect(runnerOptions(line.split(' ')).join(' ')).toBe(expected)
})
