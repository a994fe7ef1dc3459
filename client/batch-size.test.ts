// How many minions of a batch run at a time, as salt's -b says it.
import { expect, it } from 'vitest'
import { batchSize } from './local-client.ts'

it.each([
  ['1', 10, 1],
  ['25', 10, 25],
  ['50%', 10, 5],
  ['%50', 10, 5],
  ['12.5%', 10, 1],
  ['1%', 10, 1],
  ['200%', 10, 20],
])('%s of %d is %d', (text, minions, size) => {
  expect(batchSize(text, minions)).toBe(size)
})

it.each(['0', '-1', '0%', '1.5', 'x', 'x%', ''])('%j is refused', (text) => {
  expect(() => batchSize(text, 10)).toThrow(`Invalid batch data sent: ${text}`)
})
