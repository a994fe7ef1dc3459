// Expressions matched as CPython 3.11's `re` matches them, and kept from running for ever.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { budgetError } from '../budget.ts'
import { PythonError } from '../python-error.ts'
import { type Anchor, regexOf } from '../regex.ts'
import type { Run } from '../run.ts'

interface Case {
  readonly p: string
  readonly t: string
  readonly i: boolean
  readonly m: boolean
  readonly err?: true
  readonly search?: readonly (string | null)[] | null
  readonly match?: readonly (string | null)[] | null
  readonly fullmatch?: readonly (string | null)[] | null
  readonly sub?: string
}

const cases = readFileSync(new URL('./python-cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case)

/** A run that only counts. */
function counting(limit: number): Run {
  let steps = 0
  const charge = (count: number): void => {
    steps += count
    if (steps > limit) throw budgetError('steps', limit)
  }
  return { charge } as Run
}

const run = counting(Number.POSITIVE_INFINITY)

function found(row: Case, anchor: Anchor): readonly (string | null)[] | null {
  const match = regexOf(row.p, row.i, row.m, run).exec(row.t, anchor, run)
  return match === undefined ? null : match.groups.map((group) => group ?? null)
}

describe('regular expressions', () => {
  it.each(cases.map((row) => [row.p, row.t, row] as const))('%j on %j', (_pattern, _text, row) => {
    if (row.err === true) {
      expect(() => found(row, 'search')).toThrow(PythonError)
      return
    }
    for (const anchor of ['search', 'match', 'fullmatch'] as const) expect(found(row, anchor)).toEqual(row[anchor])
    const replaced = regexOf(row.p, row.i, row.m, run).replace(row.t, ({ groups }) => `<${groups[0]}>`, run)
    expect(replaced).toBe(row.sub)
  })

  it.each([
    ['(', 'missing ), unterminated subpattern at position 0'],
    ['a)', 'unbalanced parenthesis at position 1'],
    ['*a', 'nothing to repeat at position 0'],
    ['a**', 'multiple repeat at position 2'],
    ['[a', 'unterminated character set at position 0'],
    ['[z-a]', 'bad character range z-a at position 1'],
    ['\\q', 'bad escape \\q at position 0'],
    ['(?z)', 'unknown extension ?z at position 1'],
    ['\\2', 'invalid group reference 2 at position 1'],
    ['a{2,1}', 'min repeat greater than max repeat at position 2'],
    ['(?<=a+)b', 'look-behind requires fixed-width pattern'],
    ['(?P<n>a)(?P<n>b)', "redefinition of group name 'n' as group 2; was group 1 at position 12"],
  ])("refuses %j in Python's words", (pattern, message) => {
    expect(() => regexOf(pattern, false, false, run)).toThrow(message)
  })

  it.each([
    ['(a+)+$', `${'a'.repeat(40)}!`],
    ['(a|a)*b', 'a'.repeat(5000)],
    ['a*a*a*a*b', 'a'.repeat(5000)],
    ['(.*,){20}x', 'a,'.repeat(40)],
    ['(?=(a+)+b)', 'a'.repeat(40)],
  ])('gives up on %j in time', (pattern, text) => {
    const limited = counting(200_000)
    expect(() => regexOf(pattern, false, false, limited).exec(text, 'search', limited)).toThrow('200,000 steps')
  })

  it('refuses repetitions that make a program of any size', () => {
    expect(() => regexOf('((a{1,9}b){1,99}c){1,99}d{5}'.repeat(9), false, false, run)).toThrow('instructions')
  })
})
