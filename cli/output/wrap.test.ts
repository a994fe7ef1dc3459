// Python's text wrapping and fixed-point numbers, against CPython's answers.
import { describe, expect, it } from 'vitest'
import { fixed } from './fixed.ts'
import { wrap } from './wrap.ts'

/** What CPython's textwrap.wrap(text, width) answers. */
const WRAPPED: readonly (readonly [string, number, string[]])[] = [
  ['', 10, []],
  ['   ', 10, []],
  ['one two three', 7, ['one two', 'three']],
  ['use --include-rejected and --include-denied to', 30, ['use --include-rejected and', '--include-denied to']],
  ['keys (use --include-rejected and', 25, ['keys (use --include-', 'rejected and']],
  ['a well-known state-of-the-art thing', 14, ['a well-known', 'state-of-the-', 'art thing']],
  ['x'.repeat(25), 10, ['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)]],
  [`aa ${'x-y'.repeat(6)}`, 8, ['aa x-yx-', 'yx-yx-', 'yx-yx-y']],
  ['tab\there\nline', 40, ['tab     here line']],
]

describe('wrap', () => {
  it.each(WRAPPED)('%j at %d columns', (text, width, lines) => {
    expect(wrap(text, { width })).toEqual(lines)
  })

  it('indents every line within the width', () => {
    expect(wrap('one two three', { width: 9, indent: '  ' })).toEqual(['  one two', '  three'])
  })
})

describe('fixed', () => {
  it.each([
    [0.0625, 3, '0.062'],
    [0.1875, 3, '0.188'],
    [2.5, 0, '2'],
    [3.5, 0, '4'],
    [-0.0625, 3, '-0.062'],
    [10.904, 3, '10.904'],
    [0, 3, '0.000'],
  ] as const)('%d with %d digits is %s', (value, digits, text) => {
    expect(fixed(value, digits)).toBe(text)
  })
})
