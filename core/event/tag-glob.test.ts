// Tag globs against what Python's fnmatch answers, and the place a mismatch is reported at.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainMismatch, matchTag, tagGlob } from './tag-glob.ts'

describe('matchTag', () => {
  it.each<[string, string, boolean]>([
    ['salt/minion/*/start', 'salt/minion/web1/start', true],
    ['salt/minion/*/start', 'salt/minion/a/b/start', true],
    ['salt/minion/*/start', 'salt/minion/start', false],
    ['salt/*/*', 'salt//', true],
    ['*', '', true],
    ['*', 'a\nb', true],
    ['a*a', 'a', false],
    ['a*b*c', 'aXbXbc', true],
    ['a*bc*c', 'abc', false],
    ['?', '😀', true],
    ['??', '😀', false],
    ['[!a]', 'b', true],
    ['[^a]', '^', true],
    ['[^a]', 'b', false],
    ['[z-a]', 'z', false],
    ['[z-a!x]', 'y', true],
    ['[z-a!x]', 'x', false],
    ['[]', '[]', true],
    ['[!]', '[!]', true],
    ['[]]', ']', true],
    ['[!]]', ']', false],
    ['[a-]', '-', true],
    ['[-a]', '-', true],
    ['[!-]', '-', false],
    ['[--0]', '.', true],
    ['[a-c-e]', '-', true],
    ['[a-c-e]', 'd', false],
    ['[\\]', '\\', true],
    ['[[]x', '[x', true],
    ['[*]', '*', true],
    ['{a,b}', 'a', false],
    ['A', 'a', false],
    ['[a-c]*', 'bx', true],
  ])('%j on %j is %j', (pattern, tag, expected) => {
    expect(matchTag(pattern, tag)).toBe(expected)
  })

  it('takes any text with its metacharacters in brackets', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(matchTag(text.replace(/[*?[]/g, '[$&]'), text)).toBe(true)
        expect(matchTag(`*${text.replace(/[*?[]/g, '[$&]')}*`, `x${text}y`)).toBe(true)
      }),
    )
  })

  it('ends soon on patterns that make a backtracking matcher explode', () => {
    const started = performance.now()
    expect(matchTag('*a'.repeat(40), 'a'.repeat(5000))).toBe(true)
    expect(matchTag(`${'*?a'.repeat(40)}b`, 'a'.repeat(5000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('still answers after many other patterns', () => {
    for (let index = 0; index < 5000; index++) tagGlob(`p${index}/*`)
    expect(matchTag('p0/*', 'p0/x')).toBe(true)
  })
})

describe('explainMismatch', () => {
  it.each([
    ['salt/minion/*/start', 'salt/minion/web1/stop', 14 + 5, 'start', 'stop'],
    ['salt/auth', 'salt/authx', 9, '', 'authx'],
    ['salt/auth/x', 'salt/auth', 9, '/x', ''],
    ['foo/*', 'salt/auth', 0, 'foo', 'salt'],
  ])('%s on %s', (pattern, tag, position, expected, seen) => {
    expect(explainMismatch(pattern, tag)).toEqual({ position, expected, seen })
  })

  it('says nothing where the tag matches', () => {
    expect(explainMismatch('salt/*', 'salt/x')).toBeUndefined()
  })

  it('reports a mismatch exactly where there is none of a match', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '?', '[', ']'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (pattern, tag) => {
        expect(explainMismatch(pattern, tag) === undefined).toBe(matchTag(pattern, tag))
      }),
    )
  })
})
