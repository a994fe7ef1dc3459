// Large returns: kept once for their job and their event, whole, and gone with the last record that has them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { entries, float, type Mapping, mapOf, type Value } from '../../../core/value/index.ts'
import type { Event, StoredReturn } from '../../../master/ports.ts'
import { eventOf, jobOf } from '../../../test/contract/samples.ts'
import { claimLimit } from './claims.ts'
import { EmbeddedEventLog } from './event-log.ts'
import { EmbeddedJobStore } from './job-store.ts'
import { ParkedDeliveries } from './parked-deliveries.ts'
import { sweepAll } from './retention.ts'
import { handClock, type TemporaryStore, temporaryStore } from './temporary-store.ts'

const SECOND = 1_000_000
const DAY = 86_400

describe('large returns', () => {
  let temporary: TemporaryStore
  const clock = handClock()
  beforeEach(async () => {
    temporary = await temporaryStore()
  })
  afterEach(() => temporary.remove())

  const jobs = (): EmbeddedJobStore => new EmbeddedJobStore(temporary.store, DAY)
  const log = (): EmbeddedEventLog => new EmbeddedEventLog(temporary.store, clock, { seconds: 7 * DAY, events: 1000 })
  const rows = (table: string): number => temporary.store.table(table).count()
  const longest = (table: string): number =>
    Math.max(...[...temporary.store.table(table).entries()].map(({ text }) => text.length))

  const large = 'ü'.repeat(claimLimit)
  const loadOf = (returned: Value): Mapping => ({ jid: '1', id: 'web1', return: returned, retcode: 0, success: true })
  const returnOf = (returned: Value): StoredReturn => ({ id: 'web1', at: clock.now(), load: loadOf(returned) })
  const retEvent = (returned: Value): Event => eventOf('salt/job/1/ret/web1', loadOf(returned))

  it('stand once for job and event, and both have them whole after a restart', async () => {
    const [ret, event] = [returnOf({ text: large }), retEvent({ text: large })]
    await jobs().create(jobOf('1', { at: clock.now() }))
    await jobs().addReturn('1', ret)
    await log().publish([event])
    expect(rows('bulk')).toBe(1)
    expect(Math.max(longest('returns'), longest('log'))).toBeLessThan(1000)
    await temporary.reopen()
    expect(await jobs().returns('1')).toEqual([ret])
    expect((await log().read('oldest', 9)).events.map((each) => each.event)).toEqual([event])
    expect((await log().find(event.id))?.event).toEqual(event)
  })

  it.each<readonly [string, Value]>([
    ['numbers that JSON changes', { took: float(2), large }],
    [
      'keys that are digits',
      mapOf([
        ['10', large],
        ['9', float(1)],
      ]),
    ],
    ['a list', [large, null, 1]],
    ['text', large],
  ])('come back as they were: %s', async (_, returned) => {
    await jobs().addReturn('1', returnOf(returned))
    await log().publish([retEvent(returned)])
    await temporary.reopen()
    const [back] = await jobs().returns('1')
    expect(back).toEqual(returnOf(returned))
    expect(entries(back?.load ?? {}).map(([key]) => key)).toEqual(Object.keys(loadOf(null)))
    expect((await log().read('oldest', 9)).events[0]?.event.data).toEqual(loadOf(returned))
  })

  it('go with the last that has them: first the job, a week later the event', async () => {
    const [store, events] = [jobs(), log()]
    await store.create(jobOf('1', { at: clock.now() }))
    await store.addReturn('1', returnOf(large))
    await events.publish([retEvent(large)])
    expect(await sweepAll([store, events], clock.now() + 2 * DAY * SECOND)).toBe(2)
    expect([rows('returns'), rows('bulk')]).toEqual([0, 1])
    expect(await sweepAll([store, events], clock.now() + 8 * DAY * SECOND)).toBe(1)
    expect([rows('log'), rows('bulk'), rows('bulk_holders')]).toEqual([0, 0, 0])
  })

  it('wait and die with a delivery that is put off', async () => {
    const event = retEvent({ text: large })
    const write = (work: () => void): Promise<void> => temporary.store.commits.write(work)
    await write(() => new ParkedDeliveries(temporary.store).put({ event, attempt: 1, at: 5 }))
    await temporary.reopen()
    const parked = new ParkedDeliveries(temporary.store)
    expect(parked.get(event.id)).toEqual({ event, attempt: 1, at: 5 })
    await write(() => parked.bury({ event, reason: 'broken', at: 6 }))
    expect([rows('deliveries'), rows('deliveries_due'), rows('bulk_holders'), rows('bulk')]).toEqual([0, 0, 1, 1])
    expect(parked.dead()).toEqual([{ event, reason: 'broken', at: 6 }])
    await write(() => void parked.unbury(event.id))
    expect([rows('bulk_holders'), rows('bulk')]).toEqual([0, 0])
  })

  it('leave nothing behind where their write fails, and repeated ones change nothing', async () => {
    const store = jobs()
    const failing = temporary.store.commits.inOrder(
      () =>
        temporary.store.commits.write(() => {
          throw new Error('the disk')
        }),
      () => store.addReturn('1', returnOf(large)),
    )
    await expect(failing).rejects.toThrow('the disk')
    await expect.poll(() => rows('bulk')).toBe(rows('returns'))
    expect(await store.addReturn('1', returnOf(large))).toBe(rows('returns') === 1 ? 'new' : 'repeated')
    expect(await store.addReturn('1', returnOf(`${large}!`))).toBe('repeated')
    expect([rows('bulk'), rows('bulk_holders')]).toEqual([1, 1])
  })
})
