// What every delivery queue must do.
import { expect } from 'vitest'
import type { Clock, Delivery, DeliveryQueue, Event, EventBus } from '../../master/ports.ts'
import { waitFor } from '../system/wait.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'
import { eventOf, eventsOf } from './samples.ts'

/** A queue, the bus that fills it, and the time its `later` is measured by. */
export interface QueuePorts {
  readonly bus: EventBus
  readonly queue: DeliveryQueue
  readonly clock: Pick<Clock, 'now'>
}

const MILLISECOND = 1000

const cases: Cases<QueuePorts> = {
  'gives each event once, with attempt 1': async ({ port: { bus, queue } }) => {
    const events = eventsOf(30)
    await bus.publish(events)
    const found = await take(queue, 30)
    expect(idsOf(found)).toEqual(events.map(({ id }) => id).sort())
    expect(found.every(({ attempt }) => attempt === 1)).toBe(true)
    expect(found.find(({ event }) => event.id === events[7]?.id)?.event).toEqual(events[7])
    expect(await nothingFor(queue, 30)).toBe(true)
  },

  'waits for an event': async ({ port: { bus, queue } }) => {
    const receiving = take(queue, 1)
    const event = eventOf('salt/late')
    setTimeout(() => void bus.publish([event]), 20)
    expect(idsOf(await receiving)).toEqual([event.id])
  },

  'answers nothing only when the signal ends': async ({ port: { queue } }) => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 20)
    expect(await queue.receive(10, stop.signal)).toEqual([])
    expect(await queue.receive(10, stop.signal)).toEqual([])
  },

  'keeps to the limit': async ({ port: { bus, queue } }) => {
    await bus.publish(eventsOf(10))
    const { signal } = new AbortController()
    expect((await queue.receive(3, signal)).length).toBeLessThanOrEqual(3)
  },

  'gives several receivers different events': async ({ port: { bus, queue } }) => {
    const receiving = Array.from({ length: 3 }, () => take(queue, 10))
    const events = eventsOf(30)
    for (const event of events) await bus.publish([event])
    expect(idsOf((await Promise.all(receiving)).flat())).toEqual(events.map(({ id }) => id).sort())
  },

  'gives what was not settled again after a restart': async ({ port, reopen }) => {
    const events = eventsOf(6)
    await port.bus.publish(events)
    await take(port.queue, 6)
    for (const index of [1, 4]) await port.queue.settle(events[index]?.id ?? '', { kind: 'done' })
    const { queue } = await reopen()
    const unsettled = [0, 2, 3, 5].map((index) => events[index]?.id ?? '')
    const again = new Set<string>()
    // What was settled may come as well, after a crash: at least once.
    while (!unsettled.every((id) => again.has(id))) for (const id of idsOf(await take(queue, 1))) again.add(id)
    expect([...again].every((id) => events.some((event) => event.id === id))).toBe(true)
  },

  'gives nothing again that was settled': async ({ port, reopen }) => {
    const events = eventsOf(20)
    await port.bus.publish(events)
    for (const { event } of await take(port.queue, 20)) await port.queue.settle(event.id, { kind: 'done' })
    expect(await port.queue.depth()).toBe(0)
    const { bus, queue } = await reopen()
    expect(await nothingFor(queue, 30)).toBe(true)
    const event = eventOf('salt/after')
    await bus.publish([event])
    expect(idsOf(await take(queue, 1))).toEqual([event.id])
  },

  'gives a delivery later, not before its time, and counts the tries': async ({ port: { bus, queue, clock } }) => {
    const event = eventOf('salt/again')
    await bus.publish([event])
    await take(queue, 1)
    const at = clock.now() + 80 * MILLISECOND
    await queue.settle(event.id, { kind: 'later', at })
    const [second] = await take(queue, 1)
    expect(clock.now()).toBeGreaterThanOrEqual(at)
    expect([second?.event, second?.attempt]).toEqual([event, 2])
    await queue.settle(event.id, { kind: 'later', at: clock.now() - MILLISECOND })
    const [third] = await take(queue, 1)
    expect(third?.attempt).toBe(3)
    await queue.settle(event.id, { kind: 'done' })
    expect(await nothingFor(queue, 30)).toBe(true)
  },

  'holds nothing up for what comes later': async ({ port: { bus, queue, clock } }) => {
    const [slow, fast] = [eventOf('salt/slow'), eventOf('salt/fast')]
    await bus.publish([slow])
    await take(queue, 1)
    await queue.settle(slow.id, { kind: 'later', at: clock.now() + 60_000 * MILLISECOND })
    await bus.publish([fast])
    expect(idsOf(await take(queue, 1))).toEqual([fast.id])
  },

  'keeps what comes later over a restart': async ({ port, reopen }) => {
    const event = eventOf('salt/again', { _stamp: 'x', big: 2n ** 60n })
    await port.bus.publish([event])
    await take(port.queue, 1)
    await port.queue.settle(event.id, { kind: 'later', at: port.clock.now() + 20 * MILLISECOND })
    const { queue } = await reopen()
    const [again] = await take(queue, 1)
    expect([again?.event, again?.attempt]).toEqual([event, 2])
  },

  'keeps what is dead, with its reason, until it is redriven or discarded': async ({ port, reopen }) => {
    const [one, two] = [eventOf('salt/one'), eventOf('salt/two')]
    await port.bus.publish([one, two])
    await take(port.queue, 2)
    const before = port.clock.now()
    await port.queue.settle(one.id, { kind: 'dead', reason: 'no such file' })
    await port.queue.settle(two.id, { kind: 'dead', reason: 'no such function' })
    expect(await port.queue.depth()).toBe(0)
    const { queue } = await reopen()
    const dead = await queue.dead()
    expect(dead.map(({ event, reason }) => [event, reason])).toEqual([
      [one, 'no such file'],
      [two, 'no such function'],
    ])
    expect(dead[0]?.at).toBeGreaterThanOrEqual(before)
    expect(await queue.redrive(two.id, 'discard')).toBe(true)
    expect(await queue.redrive(two.id, 'discard')).toBe(false)
    expect(await queue.redrive(one.id, 'again')).toBe(true)
    expect(await queue.dead()).toEqual([])
    const [again] = await take(queue, 1)
    expect([again?.event, again?.attempt]).toEqual([one, 1])
  },

  'counts what is neither done nor dead': async ({ port: { bus, queue, clock } }) => {
    const events = eventsOf(5)
    await bus.publish(events)
    await waitFor('all to be on the queue', async () => ((await queue.depth()) >= 5 ? true : undefined))
    expect(await queue.depth()).toBe(5)
    await take(queue, 5)
    expect(await queue.depth()).toBe(5)
    await queue.settle(events[0]?.id ?? '', { kind: 'done' })
    await queue.settle(events[1]?.id ?? '', { kind: 'dead', reason: 'x' })
    await queue.settle(events[2]?.id ?? '', { kind: 'later', at: clock.now() + 60_000 * MILLISECOND })
    expect(await queue.depth()).toBe(3)
  },

  'counts what is dead': async ({ port, reopen }) => {
    const events = eventsOf(3)
    await port.bus.publish(events)
    await take(port.queue, 3)
    expect(await port.queue.deadCount()).toBe(0)
    await port.queue.settle(events[0]?.id ?? '', { kind: 'done' })
    await port.queue.settle(events[1]?.id ?? '', { kind: 'dead', reason: 'x' })
    await port.queue.settle(events[2]?.id ?? '', { kind: 'dead', reason: 'y' })
    expect(await port.queue.deadCount()).toBe(2)
    const { queue } = await reopen()
    expect(await queue.deadCount()).toBe(2)
    await queue.redrive(events[1]?.id ?? '', 'discard')
    await queue.redrive(events[2]?.id ?? '', 'again')
    expect(await queue.deadCount()).toBe(0)
  },

  'ignores a settlement of what is not out': async ({ port: { queue } }) => {
    await queue.settle('01ARZ3NDEKTSV4RRFFQ69G5FAV', { kind: 'dead', reason: 'x' })
    expect(await queue.dead()).toEqual([])
  },
}

/** So many deliveries, however many calls that takes. */
async function take(queue: DeliveryQueue, count: number): Promise<Delivery[]> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), 60_000)
  const found: Delivery[] = []
  while (found.length < count && !stop.signal.aborted)
    found.push(...(await queue.receive(count - found.length, stop.signal)))
  clearTimeout(timer)
  return found
}

async function nothingFor(queue: DeliveryQueue, milliseconds: number): Promise<boolean> {
  return (await queue.receive(1, AbortSignal.timeout(milliseconds))).length === 0
}

function idsOf(deliveries: readonly { readonly event: Event }[]): string[] {
  return deliveries.map(({ event }) => event.id).sort()
}

/** The contract of {@link DeliveryQueue}. */
export function describeDeliveryQueueContract(adapter: string, make: MakeSubject<QueuePorts>, skips?: Skips): void {
  describeContract<QueuePorts>('DeliveryQueue', adapter, cases, make, skips)
}
