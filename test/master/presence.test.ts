// Presence over a real store: told at every change, whoever dropped for a short while is no change, keys decide who counts.
import { afterEach, expect, test } from 'vitest'
import { createPresence } from '../../master/presence.ts'
import { type TestMaster, testMaster, testMinion } from './harness.ts'

const GRACE = 30
let running: TestMaster | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

test('a change is told at once, a short drop is none, and present tells all who are there', async () => {
  running = await testMaster({ autoAccept: true })
  const { master, store, events } = running
  for (const id of ['web1', 'web2']) await master.authenticate(await testMinion(id).request())
  // Their requests are as if they had been made long ago.
  for (const id of ['web1', 'web2']) await store.minions.seen(id, 1)
  let now = store.clock.now()
  const presence = createPresence({ ...store, clock: { now: () => now } }, master.fire, GRACE)
  const told = async (): Promise<unknown[]> =>
    (await events()).flatMap(({ tag, data }) => {
      const { _stamp, ...rest } = data as { _stamp?: unknown }
      return tag.startsWith('salt/presence/') ? [[tag.slice('salt/presence/'.length), rest]] : []
    })
  const first = [
    ['change', { new: ['web1'], lost: [] }],
    ['present', { present: ['web1'] }],
  ]

  await presence.check()
  expect(await told()).toEqual([])
  const leave = store.connections.register('web1', () => undefined)
  await presence.check()
  await presence.check()
  expect(await told()).toEqual(first)

  // It was heard of just now and drops: no change within the grace, and none where it comes back.
  await store.minions.seen('web1', now)
  leave()
  now += (GRACE - 1) * 1_000_000
  await presence.check()
  const again = store.connections.register('web1', () => undefined)
  now += 10 * 1_000_000
  await presence.check()
  expect(await told()).toEqual(first)

  again()
  await presence.check()
  const second = [...first, ['change', { new: [], lost: ['web1'] }], ['present', { present: [] }]]
  expect(await told()).toEqual(second)

  // At its interval, whether anything changed or not; a key that is gone is nobody.
  store.connections.register('web2', () => undefined)
  store.connections.register('stranger', () => undefined)
  await presence.announce()
  await presence.announce()
  const all = ['present', { present: ['web2'] }]
  expect(await told()).toEqual([...second, all, all])
})
