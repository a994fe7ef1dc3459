// Calls as slots write them, against Salt's `parse_function`.
import { describe, expect, it } from 'vitest'
import { type CallText, parseCall } from './function-call.ts'

const call = (fun: string, args: string[] = [], kwargs: Record<string, string> = {}): CallText => ({
  fun,
  args,
  kwargs,
})

describe('a function call', () => {
  it.each<[string, CallText | undefined]>([
    ['test.ping()', call('test.ping')],
    ['test.arg(1, two, x=y)', call('test.arg', ['1', 'two'], { x: 'y' })],
    ['test.arg(a b)', call('test.arg', ['ab'])],
    [`test.arg("a b", 'c, d', x="e=f")`, call('test.arg', ['a b', 'c, d'], { x: 'e=f' })],
    ['test.arg([1, 2], {a: (b)})', call('test.arg', ['[1,2]', '{a:(b)}'])],
    ['test.arg(/etc/x-y.conf)', call('test.arg', ['/etc/x-y.conf'])],
    ['test.arg("a\\"b")', call('test.arg', ['a"b'])],
    ['test.arg(a).x.y ~ z', call('test.arg', ['a'])],
    ['test.arg(a, )', call('test.arg', ['a'])],
    ['test.arg(a', undefined],
    ['test.arg([a)', undefined],
    ['test.arg', undefined],
    ['(a)', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(parseCall(text)).toEqual(expected)
  })
})
