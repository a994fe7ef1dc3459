// Times in formats as Python writes them, and text as an expression that finds it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeRegex } from './escape-regex.ts'
import { strftime } from './strftime.ts'

describe('strftime', () => {
  // From `datetime(2017, 11, 8, 7, 5, 9, 620700).strftime(…)`.
  const at = Date.UTC(2017, 10, 8, 7, 5, 9) * 1000 + 620_700
  it.each([
    ['%c', 'Wed Nov  8 07:05:09 2017'],
    ['%H:%M:%S.%f', '07:05:09.620700'],
    ['%Y-%m-%dT%T', '2017-11-08T07:05:09'],
    ['%-d. %B, %I:%M %p', '8. November, 07:05 AM'],
    ['%j %U %W %V %G %u %w', '312 45 45 45 2017 3 3'],
    ['%s%%%z', '1510124709%'],
    ['100 %Q', '100 %Q'],
  ])('%s', (format, expected) => expect(strftime(at, format)).toBe(expected))

  it('writes what was before 1970', () => {
    expect(strftime(-1, '%F %T.%f')).toBe('1969-12-31 23:59:59.999999')
  })
})

it('makes an expression that finds the text and nothing else', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, other) => {
      const expression = new RegExp(`^${escapeRegex(text)}$`)
      expect(expression.test(text)).toBe(true)
      expect(expression.test(other)).toBe(other === text)
    }),
  )
})
