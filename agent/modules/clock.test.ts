// The clock at offsets from UTC, and the machine's other name.
import { describe, expect, it } from 'vitest'
import { clockText } from './clock.ts'
import { hostsRenamed } from './hostname.ts'

describe('clockText', () => {
  const time = Date.UTC(2026, 10, 21, 23, 45, 7)

  it.each([
    ['+0000', '%Y-%m-%d %H:%M:%S', '2026-11-21 23:45:07'],
    ['-0530', '%I:%M:%S %p', '06:15:07 PM'],
    ['0100', '%a %m/%d/%Y', 'Sun 11/22/2026'],
  ])('at %s in %s', (offset, format, text) => {
    expect(clockText(time, offset, format)).toBe(text)
  })

  it.each(['+5', 'UTC', '+05:30'])('refuses %s', (offset) => {
    expect(() => clockText(time, offset, '%H')).toThrow('Invalid UTC offset')
  })
})

describe('hostsRenamed', () => {
  it('replaces the name alone, and leaves addresses, other names and comments', () => {
    expect(hostsRenamed('127.0.0.1\tlocalhost\n127.0.1.1  old.example old # old\n\n::1 old-not\n', 'old', 'new')).toBe(
      '127.0.0.1\tlocalhost\n127.0.1.1  old.example new # old\n\n::1 old-not\n',
    )
  })
})
