// Tests when two globs share a tag.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchTag } from '../../event/tag-glob.ts'
import { globsOverlap } from './glob-overlap.ts'

it.each([
  ['salt/job/*', 'salt/job/*/ret/*', true],
  ['salt/auth', 'salt/auth', true],
  ['salt/auth', 'salt/key', false],
  ['*', 'x', true],
  ['a*', '*b', true],
  ['a*c', 'b*', false],
  ['a?', 'a', false],
  ['[ab]x', 'bx', true],
  ['[!b]x', 'bx', false],
  ['[z-a]', '*', false],
  ['*/start', 'salt/minion/*/start', true],
  ['salt/minion/*/started', 'salt/minion/*/start', false],
  ['', '', true],
  ['**', '', true],
])('%s and %s: %s', (a, b, expected) => {
  expect(globsOverlap(a, b)).toBe(expected)
  expect(globsOverlap(b, a)).toBe(expected)
})

it('is true wherever a tag matches both', () => {
  const glob = fc.array(fc.constantFrom('a', 'b', '/', '*', '?', '[ab]', '[!a]')).map((parts) => parts.join(''))
  const tag = fc.array(fc.constantFrom('a', 'b', 'c', '/'), { maxLength: 6 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(glob, glob, tag, (a, b, text) => {
      if (matchTag(a, text) && matchTag(b, text)) expect(globsOverlap(a, b)).toBe(true)
      if (matchTag(a, text)) expect(globsOverlap(a, text)).toBe(true)
      else expect(globsOverlap(a, text)).toBe(false)
    }),
    { numRuns: 2000 },
  )
})
