// When `brine test …` means the tests of reactors, and when a target of that name.
import { expect, it } from 'vitest'
import { isBrineTest } from './brine-test.ts'

it.each([
  ['test', true],
  ['test reactors', true],
  ['test -v --filter ping', true],
  ['test -k test.ping core', true],
  ['test reactors/auth.test.yml core/a.sls', true],
  ['test --out json', true],
  ['test test.ping', false],
  ['test cmd.run ls', false],
  ['test core test.ping', false],
  ['-v test', false],
  ['tests', false],
])('brine %s: %s', (line, expected) => {
  expect(isBrineTest(line.split(' '))).toBe(expected)
})
