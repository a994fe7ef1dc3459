// What a line of arguments means.
import { expect, test } from 'vitest'
import { argumentsOf } from './words.ts'

test.each([
  ['', [], {}],
  ['uptime', ['uptime'], {}],
  ["'ls -l /tmp'", ['ls -l /tmp'], {}],
  ['"a b" c', ['a b', 'c'], {}],
  ['3 true null 1.5', [3, true, null, 1.5], {}],
  ["'3'", ['3'], {}],
  ['web test=true', ['web'], { test: true }],
  ['name="a b" pillar={"a": [1, 2]}', [], { name: 'a b', pillar: { a: [1, 2] } }],
  ['[1, 2] {"a": "b c"}', [[1, 2], { a: 'b c' }], {}],
  ['/etc/a=b', ['/etc/a=b'], {}],
] as const)('%s', (line, arg, kwarg) => {
  expect(argumentsOf(line)).toEqual({ arg, kwarg })
})
