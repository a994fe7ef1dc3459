// The worker: overlapping batches, a bound on what is in work, and a clean stop.
import { describe, expect, it } from 'vitest'
import { BrineError } from '../core/error.ts'
import type { Event } from '../core/event/event.ts'
import type { Delivery, DeliverySource, ReactorSet, Settlement } from './ports.ts'
import type { Reactor } from './react.ts'
import { systemTimer } from './timer.ts'
import { runWorker, type WorkerParts } from './worker.ts'

const set: ReactorSet = { version: 'v1', entries: [], wants: () => false, matching: () => [] }
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function delivery(id: string): Delivery {
  const event: Event = { id, tag: 't', data: {}, source: 'custom' }
  return { event, attempt: 1 }
}

/** A queue filled by hand, and a reactor whose events end when they are told to. */
function bench(parts: Partial<WorkerParts> = {}) {
  const waiting: Delivery[] = []
  const settled = new Map<string, Settlement>()
  const reacting = new Map<string, () => void>()
  const batches: number[] = []
  const warnings: string[] = []
  let arrived: () => void = () => undefined
  const source: DeliverySource = {
    async receive(limit, signal) {
      while (waiting.length === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          arrived = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
      batches.push(limit)
      return waiting.splice(0, limit)
    },
    async settle(event, settlement) {
      settled.set(event, settlement)
    },
  }
  const reactor: Reactor = {
    async react(deliveries, _reactors, options = {}) {
      const works = deliveries.map(async ({ event }) => {
        await new Promise<void>((resolve) => reacting.set(event.id, resolve))
        options.settled?.(event.id, { kind: 'done' })
      })
      await Promise.all(works)
      return new Map()
    },
    counts: () => {
      throw new Error('nobody counts here')
    },
    close: () => undefined,
  }
  const stop = new AbortController()
  const work = runWorker(
    {
      source,
      reactor,
      reactors: () => set,
      clock: { now: () => 5 },
      timer: systemTimer,
      warn: (message) => void warnings.push(message),
      options: { batch: 2, inFlight: 4, fresh: 4, grace: 50_000 },
      ...parts,
    },
    stop.signal,
  )
  const deliver = async (...ids: string[]): Promise<void> => {
    waiting.push(...ids.map(delivery))
    arrived()
    for (let turns = 0; turns < 5; turns++) await turn()
  }
  const finish = async (...ids: string[]): Promise<void> => {
    for (const id of ids) reacting.get(id)?.()
    for (let turns = 0; turns < 5; turns++) await turn()
  }
  return { work, stop, deliver, finish, reacting, settled, waiting, warnings, batches }
}

describe('runWorker', () => {
  it('lets nothing wait for a long run, and settles each event as it ends', async () => {
    const { deliver, finish, settled, reacting, stop, work } = bench()
    await deliver('long', 'a', 'b')
    expect([...reacting.keys()]).toEqual(['long', 'a', 'b'])
    await finish('a', 'b')
    expect([...settled]).toEqual([
      ['a', { kind: 'done' }],
      ['b', { kind: 'done' }],
    ])
    await finish('long')
    stop.abort()
    expect(await work).toEqual({ unsettled: 0 })
  })

  it('takes no more than may be in work, and more as soon as something has settled', async () => {
    const { deliver, finish, reacting, waiting, stop, work } = bench()
    await deliver('a', 'b', 'c', 'd', 'e', 'f')
    expect([...reacting.keys()]).toEqual(['a', 'b', 'c', 'd'])
    expect(waiting.length).toBe(2)
    await finish('c')
    expect([...reacting.keys()]).toEqual(['a', 'b', 'c', 'd', 'e'])
    await finish('a', 'b', 'd', 'e')
    await finish('f')
    stop.abort()
    expect(await work).toEqual({ unsettled: 0 })
  })

  it('waits for what runs when it stops', async () => {
    const { deliver, finish, settled, stop, work } = bench()
    await deliver('a')
    stop.abort()
    await finish('a')
    expect(await work).toEqual({ unsettled: 0 })
    expect(settled.has('a')).toBe(true)
  })

  it('leaves what outlasts the grace unsettled, for the next start', async () => {
    const { deliver, settled, stop, work } = bench()
    await deliver('a', 'b')
    stop.abort()
    expect(await work).toEqual({ unsettled: 2 })
    expect(settled.size).toBe(0)
  })

  it('goes on after a queue that failed', async () => {
    let fails = true
    const settled: string[] = []
    const stop = new AbortController()
    const source: DeliverySource = {
      async receive() {
        if (fails) {
          fails = false
          throw new BrineError('the queue is away', { code: 'busy' })
        }
        if (settled.length > 0) {
          stop.abort()
          return []
        }
        return [delivery('a')]
      },
      async settle(event) {
        settled.push(event)
      },
    }
    const reactor: Reactor = {
      async react(deliveries, _reactors, options = {}) {
        for (const { event } of deliveries) options.settled?.(event.id, { kind: 'done' })
        return new Map()
      },
      counts: () => {
        throw new Error('nobody counts here')
      },
      close: () => undefined,
    }
    const pauses: number[] = []
    const warnings: string[] = []
    const end = await runWorker(
      {
        source,
        reactor,
        reactors: () => set,
        clock: { now: () => 5 },
        timer: { sleep: async (time) => void pauses.push(time), every: () => () => undefined },
        warn: (message) => void warnings.push(message),
        options: { batch: 1, inFlight: 1, fresh: 1, grace: 1 },
      },
      stop.signal,
    )
    expect(end).toEqual({ unsettled: 0 })
    expect(settled).toEqual(['a'])
    expect(warnings).toEqual(['deliveries could not be taken: the queue is away'])
    expect(pauses[0]).toBe(1_000_000)
  })

  it('puts off what it took while no reactor set can be had', async () => {
    const { deliver, settled, warnings, stop, work } = bench({
      reactors: () => Promise.reject(new Error('no such folder')),
    })
    await deliver('a')
    expect(settled.get('a')).toEqual({ kind: 'later', at: 1_000_005 })
    expect(warnings).toEqual(['no reactor set could be had: no such folder'])
    stop.abort()
    expect(await work).toEqual({ unsettled: 0 })
  })
})
