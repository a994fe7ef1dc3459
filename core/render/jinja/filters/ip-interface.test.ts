// What Python 3.11 says of IPv4 addresses that are written as IPv6 ones.
import { describe, expect, it } from 'vitest'
import { INTERFACE_OPTIONS, parseInterface } from './ip-interface.ts'

describe('an IPv4 address in an IPv6 one', () => {
  it.each([
    ['::ffff:8.8.8.8', { private: false, global: true, loopback: false, reserved: true }],
    ['::ffff:10.0.0.1', { private: true, global: false, loopback: false, reserved: true }],
    ['::ffff:127.0.0.1', { private: true, global: false, loopback: false, reserved: true }],
    ['::ffff:8.8.8.8/90', { private: false, global: true, loopback: false, reserved: true }],
  ])('%s', (text, wanted) => {
    const found = parseInterface(text)
    const told = Object.keys(wanted).map((option) => [option, found && INTERFACE_OPTIONS.get(option)?.(found)])
    expect(Object.fromEntries(told)).toEqual(wanted)
  })
})
