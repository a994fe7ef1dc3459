// The log's retention, its memory tail, and what a failed append leaves.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventOf, eventsOf } from '../../../test/contract/samples.ts'
import { EmbeddedEventLog, type EventRetention } from './event-log.ts'
import { sweepAll } from './retention.ts'
import { handClock, type TemporaryStore, temporaryStore } from './temporary-store.ts'

const HOUR = 3_600_000_000

describe('EmbeddedEventLog', () => {
  let temporary: TemporaryStore
  const clock = handClock()

  beforeEach(async () => {
    temporary = await temporaryStore()
  })
  afterEach(() => temporary.remove())

  function logOf(retention: Partial<EventRetention> = {}, events = 20): EmbeddedEventLog {
    const bounds = { events, characters: 1_000_000 }
    return new EmbeddedEventLog(temporary.store, clock, { seconds: 7200, events: 1000, ...retention }, bounds)
  }

  async function idsAfter(log: EmbeddedEventLog, after: string): Promise<string[]> {
    return (await log.read(after, 5000)).events.map(({ event }) => event.id)
  }

  it('reads across the memory tail and the disk', async () => {
    const log = logOf({}, 10)
    const events = eventsOf(100)
    for (let from = 0; from < 100; from += 7) await log.publish(events.slice(from, from + 7))
    const ids = events.map(({ id }) => id)
    expect(await idsAfter(log, 'oldest')).toEqual(ids)
    const found: string[] = []
    for (
      let after = 'oldest', page = await log.read(after, 9);
      page.events.length > 0;
      page = await log.read(after, 9)
    ) {
      found.push(...page.events.map(({ event }) => event.id))
      after = page.cursor
    }
    expect(found).toEqual(ids)
  })

  it('forgets by age, says so to who reads from before, and takes a forgotten id again', async () => {
    const log = logOf()
    const old = eventsOf(700)
    await log.publish(old)
    const { cursor } = await log.read('oldest', 5)
    const last = (await log.read('oldest', 1000)).cursor
    clock.time += 3 * HOUR
    const young = eventsOf(3)
    await log.publish(young)
    expect(await sweepAll([log], clock.now())).toBe(700)
    const ids = young.map(({ id }) => id)
    expect(await log.read(cursor, 10)).toMatchObject({ truncated: true })
    expect(await idsAfter(log, cursor)).toEqual(ids)
    expect(await log.read(last, 10)).toMatchObject({ truncated: false })
    expect(await idsAfter(log, 'oldest')).toEqual(ids)
    expect(await log.find(old[0]?.id ?? '')).toBeUndefined()
    await log.publish(old.slice(0, 1))
    expect(await idsAfter(log, 'oldest')).toEqual([...ids, old[0]?.id])
  })

  it('forgets by count', async () => {
    const log = logOf({ events: 10 })
    const events = eventsOf(25)
    await log.publish(events)
    await sweepAll([log], clock.now())
    expect(await idsAfter(log, 'oldest')).toEqual(events.slice(15).map(({ id }) => id))
  })

  it('forgets nothing that the reactor still needs', async () => {
    const log = logOf({ events: 1 })
    const events = eventsOf(20)
    await log.publish(events)
    const place = log.after(0, 20)[6]?.position ?? 0
    log.keepAfter = () => place
    clock.time += 5 * HOUR
    await sweepAll([log], clock.now())
    expect(await idsAfter(log, 'oldest')).toEqual(events.slice(7).map(({ id }) => id))
  })

  it('goes on with its positions when all events are forgotten and it is opened again', async () => {
    const log = logOf({ events: 0 })
    await log.publish(eventsOf(5))
    const { cursor } = await log.read('oldest', 5)
    await sweepAll([log], clock.now())
    await temporary.reopen()
    const again = logOf()
    const event = eventOf('salt/after')
    await again.publish([event])
    expect(await again.read(cursor, 10)).toMatchObject({ truncated: false, events: [{ event }] })
  })

  it('treats a cursor of a future it lost as truncated', async () => {
    const log = logOf()
    await log.publish(eventsOf(1))
    const { cursor } = await log.read('oldest', 1)
    const future = cursor.replace(/\.\w+$/, '.zzz')
    expect(await log.read(future, 10)).toMatchObject({ truncated: true, events: [{}] })
  })

  it('shows nothing of what could not be stored', async () => {
    const log = logOf()
    const stop = new AbortController()
    const seen: string[] = []
    const following = (async () => {
      for await (const batch of log.follow('now', stop.signal)) seen.push(...batch.map(({ event }) => event.id))
    })()
    const [lost, kept] = [eventOf('salt/lost'), eventOf('salt/kept')]
    let broken = true
    temporary.store.commits.beforeCommit(() => {
      if (broken) throw new Error('no space left on device')
    })
    await expect(log.publish([lost])).rejects.toMatchObject({ code: 'disk-full' })
    broken = false
    await log.publish([kept])
    await log.publish([lost])
    expect(await idsAfter(log, 'oldest')).toEqual([kept.id, lost.id])
    stop.abort()
    await following
    expect(seen).toEqual([kept.id, lost.id])
  })
})
