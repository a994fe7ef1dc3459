// The queue after crashes, with slow deliveries, and with a store that cannot write.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Delivery, Event } from '../../../master/ports.ts'
import { SystemClock } from '../../../reaction/system-clock.ts'
import { eventOf, eventsOf } from '../../../test/contract/samples.ts'
import { EmbeddedDeliveryQueue } from './delivery-queue.ts'
import { EmbeddedEventLog } from './event-log.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { type TemporaryStore, temporaryStore } from './temporary-store.ts'

describe('EmbeddedDeliveryQueue', () => {
  const clock = new SystemClock()
  let temporary: TemporaryStore

  beforeEach(async () => {
    temporary = await temporaryStore()
  })
  afterEach(() => temporary.remove())

  function partsOver(store: OpenStore, wants?: (tag: string) => boolean) {
    const log = new EmbeddedEventLog(store, clock, { seconds: 60, events: 100_000 })
    return { log, queue: new EmbeddedDeliveryQueue(store, log, clock, wants) }
  }

  async function take(queue: EmbeddedDeliveryQueue, count: number): Promise<Delivery[]> {
    const found: Delivery[] = []
    while (found.length < count) found.push(...(await queue.receive(count - found.length, AbortSignal.timeout(5000))))
    return found
  }

  /** What a process would find that starts on what is on the disk now: as after a kill. */
  async function afterCrash<T>(look: (queue: EmbeddedDeliveryQueue) => Promise<T>): Promise<T> {
    const copy = mkdtempSync(join(tmpdir(), 'brine-crash-'))
    cpSync(temporary.directory, copy, { recursive: true })
    rmSync(join(copy, 'brine.lock'))
    const store = await openStore(copy)
    try {
      return await look(partsOver(store).queue)
    } finally {
      await store.close()
      rmSync(copy, { recursive: true })
    }
  }

  const ids = (list: readonly { readonly event: Event }[]): string[] => list.map(({ event }) => event.id).sort()

  it('skips what nobody wants, and asks the newest filter', async () => {
    const { log, queue } = partsOver(temporary.store, (tag) => tag.endsWith('/3'))
    const first = eventsOf(10)
    await log.publish(first)
    expect(ids(await take(queue, 1))).toEqual([first[3]?.id])
    expect(await queue.depth()).toBe(1)
    queue.wants = (tag) => tag.endsWith('/5')
    const second = eventsOf(10)
    await log.publish(second)
    expect(ids(await take(queue, 1))).toEqual([second[5]?.id])
    await queue.settle(first[3]?.id ?? '', { kind: 'done' })
    await queue.settle(second[5]?.id ?? '', { kind: 'done' })
    expect(await queue.depth()).toBe(0)
  })

  it('passes tens of thousands that nobody wants in little time', async () => {
    const { log, queue } = partsOver(temporary.store, (tag) => tag === 'salt/wanted')
    await log.publish(eventsOf(30_000))
    const wanted = eventOf('salt/wanted')
    await log.publish([wanted])
    const before = performance.now()
    expect(ids(await take(queue, 1))).toEqual([wanted.id])
    expect(performance.now() - before).toBeLessThan(5000)
  })

  it('moves its stored cursor only over what has passed', async () => {
    const { log, queue } = partsOver(temporary.store)
    const events = eventsOf(10)
    await log.publish(events)
    await take(queue, 10)
    for (const index of [0, 1, 2, 4, 5]) await queue.settle(events[index]?.id ?? '', { kind: 'done' })
    await queue.settle(events[6]?.id ?? '', { kind: 'dead', reason: 'x' })
    await queue.sweep(clock.now())
    await afterCrash(async (later) => {
      const again = ids(await take(later, 7))
      expect(again).toEqual(ids(events.slice(3).map((event) => ({ event }))))
      expect(ids(await later.dead())).toEqual([events[6]?.id])
    })
  })

  it('parks what is long in work, so that little comes again after a crash', async () => {
    const { log, queue } = partsOver(temporary.store)
    const events = eventsOf(1000)
    await log.publish(events)
    await take(queue, 1000)
    const slow = events[2]?.id ?? ''
    for (const { id } of events) if (id !== slow) await queue.settle(id, { kind: 'done' })
    await queue.sweep(clock.now() + 20_000_000)
    await queue.sweep(clock.now())
    expect(await queue.depth()).toBe(1)
    await afterCrash(async (later) => {
      expect(await later.depth()).toBe(1)
      const [again] = await take(later, 1)
      expect([again?.event.id, again?.attempt]).toEqual([slow, 2])
    })
    expect((await queue.receive(1, AbortSignal.timeout(20))).length).toBe(0)
    await queue.settle(slow, { kind: 'done' })
    expect(await queue.depth()).toBe(0)
    await afterCrash(async (later) => expect(await later.depth()).toBe(0))
  })

  it('gives a delivery again whose settlement could not be stored', async () => {
    const { log, queue } = partsOver(temporary.store)
    const event = eventOf('salt/a')
    await log.publish([event])
    await take(queue, 1)
    let broken = true
    temporary.store.commits.beforeCommit(() => {
      if (broken) throw new Error('no space left on device')
    })
    await expect(queue.settle(event.id, { kind: 'dead', reason: 'x' })).rejects.toMatchObject({ code: 'disk-full' })
    broken = false
    expect(await queue.dead()).toEqual([])
    const [again] = await take(queue, 1)
    expect([again?.event, again?.attempt]).toEqual([event, 2])
    await queue.settle(event.id, { kind: 'done' })
    expect(await queue.depth()).toBe(0)
  })

  it('loses and doubles nothing when settlements of all kinds mix', async () => {
    const { log, queue } = partsOver(temporary.store)
    const events = eventsOf(600)
    const done: string[] = []
    const out = new Set<string>()
    const settling: Promise<void>[] = []
    const stop = new AbortController()
    const work = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        for (const { event, attempt } of await queue.receive(20, stop.signal)) {
          expect(out.has(event.id)).toBe(false)
          out.add(event.id)
          const number = Number(event.tag.split('/')[2])
          setTimeout(() => {
            out.delete(event.id)
            const again = number % 3 === 0 && attempt < 3
            if (!again) done.push(event.id)
            const later = { kind: 'later', at: clock.now() + number * 10 } as const
            settling.push(queue.settle(event.id, again ? later : { kind: 'done' }))
            if (done.length === events.length) stop.abort()
          }, number % 7)
        }
      }
    }
    const working = [work(), work()]
    for (let from = 0; from < events.length; from += 50) await log.publish(events.slice(from, from + 50))
    await Promise.all(working)
    await Promise.all(settling)
    expect(done.sort()).toEqual(events.map(({ id }) => id).sort())
    expect(await queue.depth()).toBe(0)
  })
})
