// The functions that log: what they are given is in the minion's log at its level, and they return True as Salt's.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'

let minion: FakeMinion
beforeAll(async () => {
  minion = await fakeMinion()
})
afterAll(() => minion.close())

it.each([
  ['trace', 'debug'],
  ['debug', 'debug'],
  ['info', 'info'],
  ['warning', 'warn'],
  ['error', 'error'],
  ['critical', 'error'],
  ['exception', 'error'],
])('log.%s says it at %s', async (level, kept) => {
  expect(await minion.run(`log.${level}`, [`a message of ${level}`])).toBe(true)
  expect(minion.fake.said).toContain(`${kept} a message of ${level}`)
})

it('takes any value, as a state may give one', async () => {
  expect(await minion.run('log.info', [], { message: { a: [1, true] } })).toBe(true)
  expect(minion.fake.said).toContain("info {'a': [1, True]}")
  const done = await minion.state('module.run', { name: 'x', 'log.error': [{ message: 'of a state' }] })
  expect(done).toMatchObject({ result: true })
  expect(minion.fake.said).toContain('error of a state')
})
