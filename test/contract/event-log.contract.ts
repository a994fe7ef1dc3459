// What every event log and its bus must do.
import { expect } from 'vitest'
import { Dict, Float } from '../../core/value/value.ts'
import type { Cursor, Event, EventBus, EventLog } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'
import { eventOf, eventsOf } from './samples.ts'

/** The two ports of a log: where events go in and where they come out. */
export interface LogPorts {
  readonly bus: EventBus
  readonly log: EventLog
}

const cases: Cases<LogPorts> = {
  'answers what was published, in order, with nothing lost': async ({ port: { bus, log } }) => {
    const events = [
      ...eventsOf(3),
      eventOf('salt/values', {
        _stamp: 'x',
        float: new Float(2),
        big: 2n ** 70n,
        fraction: 0.1,
        numbers: new Dict([
          ['10', 'b'],
          ['9', 'a'],
        ]),
        text: 'ü→😀\ud800"\\\n',
        nothing: null,
        list: [true, [], {}],
      }),
      eventOf(
        'salt/ordered',
        new Dict([
          ['2', 1],
          ['1', 2],
        ]),
      ),
    ]
    await bus.publish(events)
    expect(await all(log)).toEqual(events)
  },

  'keeps the cause and the key of an event': async ({ port: { bus, log } }) => {
    const root = eventOf('a')
    const cause = { root: root.id, parent: root.id, depth: 1, path: ['a\nb.sls'], jid: '20261121100000000000' }
    const event: Event = { ...eventOf('b'), source: 'minion', cause, key: 'web1/3' }
    await bus.publish([event])
    expect(await all(log)).toEqual([event])
  },

  'reads back from the newest': async ({ port: { bus, log } }) => {
    const events = eventsOf(30)
    for (const event of events) await bus.publish([event])
    const seen: Event[] = []
    for await (const some of log.back()) seen.push(...some)
    expect(seen).toEqual(events.toReversed())
  },

  'finds what a root led to, and tells where there is more': async ({ port: { bus, log } }) => {
    const root = eventOf('root')
    const led = eventsOf(6).map(
      (event): Event => ({ ...event, cause: { root: root.id, parent: root.id, depth: 1, path: [] } }),
    )
    const other = eventOf('other')
    await bus.publish([root, ...led.slice(0, 3), other])
    await bus.publish([...led.slice(3), ...led.slice(0, 2)])
    expect(await log.ledBy(root.id, 10)).toEqual({ events: led, truncated: false })
    expect((await log.ledBy(root.id, 4)).truncated).toBe(true)
    expect(await log.ledBy(other.id, 10)).toEqual({ events: [], truncated: false })
  },

  'reads on from a cursor and misses and repeats nothing': async ({ port: { bus, log } }) => {
    const events = eventsOf(25)
    await bus.publish(events.slice(0, 10))
    const first = await log.read('oldest', 7)
    await bus.publish(events.slice(10))
    const second = await log.read(first.cursor, 7)
    const third = await log.read(second.cursor, 100)
    const none = await log.read(third.cursor, 100)
    expect([...first.events, ...second.events, ...third.events].map(({ event }) => event)).toEqual(events)
    expect(none).toEqual({ events: [], cursor: third.cursor, truncated: false })
    expect((await log.read(second.events[2]?.cursor ?? '', 1)).events[0]?.event).toEqual(events[10])
  },

  'answers an empty log': async ({ port: { log } }) => {
    const { events, cursor, truncated } = await log.read('oldest', 10)
    expect([events, truncated]).toEqual([[], false])
    expect(await log.read(cursor, 10)).toEqual({ events: [], cursor, truncated: false })
  },

  'drops an event id it has': async ({ port, reopen }) => {
    const [one, two] = [eventOf('a'), eventOf('b')]
    await port.bus.publish([one, one])
    await Promise.all([port.bus.publish([one, two]), port.bus.publish([two])])
    const again = await reopen()
    await again.bus.publish([two, one])
    expect(await all(again.log)).toEqual([one, two])
  },

  'gives the end of the log as a cursor': async ({ port: { bus, log } }) => {
    await bus.publish(eventsOf(3))
    const end = await log.end()
    expect((await log.read(end, 10)).events).toEqual([])
    const event = eventOf('later')
    await bus.publish([event])
    expect((await log.read(end, 10)).events.map((each) => each.event)).toEqual([event])
  },

  'keeps cursors over a restart': async (stage) => {
    const events = eventsOf(6)
    await stage.port.bus.publish(events.slice(0, 4))
    const { cursor } = await stage.port.log.read('oldest', 2)
    const { bus, log } = await stage.reopen()
    await bus.publish(events.slice(4))
    const { events: found, truncated } = await log.read(cursor, 10)
    expect(found.map(({ event }) => event)).toEqual(events.slice(2))
    expect(truncated).toBe(false)
  },

  'reads from the oldest for a cursor of another log, and says so': async ({ port: { bus, log } }) => {
    const events = eventsOf(2)
    await bus.publish(events)
    const { cursor } = await log.read('oldest', 1)
    const foreign = await log.read(foreignTo(cursor), 10)
    expect(foreign.events.map(({ event }) => event)).toEqual(events)
    expect(foreign.truncated).toBe(true)
  },

  'refuses what is no cursor': async ({ port: { log } }) => {
    await expect(log.read('no cursor!', 10)).rejects.toMatchObject({ code: 'cursor' })
  },

  'finds an event by its id': async ({ port: { bus, log } }) => {
    const events = eventsOf(5)
    await bus.publish(events)
    const found = await log.find(events[3]?.id ?? '')
    expect(found?.event).toEqual(events[3])
    expect((await log.read(found?.cursor ?? '', 10)).events.map(({ event }) => event)).toEqual([events[4]])
    expect(await log.find('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBeUndefined()
  },

  'follows from now on': async ({ port: { bus, log } }) => {
    await bus.publish(eventsOf(3))
    const following = collect(log, 'now', 2)
    const events = eventsOf(2, 'salt/new')
    await bus.publish(events)
    expect(await following).toEqual(events)
  },

  'follows from a cursor through what is old into what is new': async ({ port: { bus, log } }) => {
    const events = eventsOf(1500)
    await bus.publish(events.slice(0, 1000))
    const { cursor } = await log.read('oldest', 1)
    const following = collect(log, cursor, 1499)
    for (let from = 1000; from < 1500; from += 50) await bus.publish(events.slice(from, from + 50))
    expect(await following).toEqual(events.slice(1))
  },

  'ends a follower with its signal': async ({ port: { log } }) => {
    const stop = new AbortController()
    const seen = (async () => {
      let batches = 0
      for await (const batch of log.follow('now', stop.signal)) batches += batch.length
      return batches
    })()
    setTimeout(() => stop.abort(), 10)
    expect(await seen).toBe(0)
  },

  'keeps each call together in order, and loses none of many at once': async ({ port: { bus, log } }) => {
    const calls = Array.from({ length: 40 }, (_, index) => eventsOf(5, `salt/call/${index}`))
    const following = collect(log, 'now', 200)
    await Promise.all(calls.map((events) => bus.publish(events)))
    const found = await all(log)
    expect(found).toHaveLength(200)
    expect(await following).toEqual(found)
    for (const [index, events] of calls.entries()) {
      expect(found.filter(({ tag }) => tag.startsWith(`salt/call/${index}/`))).toEqual(events)
    }
  },
}

async function all(log: EventLog): Promise<Event[]> {
  const events: Event[] = []
  let after: Cursor | 'oldest' = 'oldest'
  for (;;) {
    const page = await log.read(after, 64)
    if (page.events.length === 0) return events
    events.push(...page.events.map(({ event }) => event))
    after = page.cursor
  }
}

async function collect(log: EventLog, after: Cursor | 'now', count: number): Promise<Event[]> {
  const stop = new AbortController()
  const events: Event[] = []
  for await (const batch of log.follow(after, stop.signal)) {
    events.push(...batch.map(({ event }) => event))
    if (events.length >= count) stop.abort()
  }
  return events
}

/** A cursor of the same form whose log is not this one. */
function foreignTo(cursor: Cursor): Cursor {
  return cursor.replace(/^[0-9a-f]+/, (id) => [...id].map((digit) => (digit === '0' ? '1' : '0')).join(''))
}

/** The contract of {@link EventBus} and {@link EventLog}. */
export function describeEventLogContract(adapter: string, make: MakeSubject<LogPorts>, skips?: Skips): void {
  describeContract<LogPorts>('EventLog', adapter, cases, make, skips)
}
