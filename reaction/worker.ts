// The worker: takes deliveries, reacts, settles, with batches overlapping so that a long run holds nothing up.
import { messageOf } from '../core/error.ts'
import type { EventId } from '../core/event/event.ts'
import type { Clock, Delivery, DeliverySource, ReactorSet, Settlement } from './ports.ts'
import type { Reactor } from './react.ts'
import type { Timer } from './timer.ts'

/** How a worker works. */
export interface WorkerOptions {
  /** Deliveries asked for at once. */
  readonly batch: number
  /** Deliveries in work at most; no more are taken until some have settled. */
  readonly inFlight: number
  /** Of these, at most so many that were taken less than a second ago: more would only wait in memory, and slow the others. */
  readonly fresh: number
  /** Microseconds that a stopping worker waits for what runs. */
  readonly grace: number
}

/** Batches of 100, 2,000 in work, 300 of them fresh, 20 s of grace. */
export const defaultWorkerOptions: WorkerOptions = { batch: 100, inFlight: 2000, fresh: 300, grace: 20_000_000 }

/** What a worker works with. */
export interface WorkerParts {
  readonly source: DeliverySource
  readonly reactor: Reactor
  /** The reactor set in force; asked for each batch. */
  readonly reactors: () => ReactorSet | Promise<ReactorSet>
  readonly clock: Pick<Clock, 'now'>
  readonly timer: Timer
  readonly warn: (message: string) => void
  readonly options: WorkerOptions
}

/** What was left when a worker stopped: these deliveries were not settled and come again. */
export interface WorkerEnd {
  readonly unsettled: number
}

/** Microseconds that a delivery is fresh: whatever is in work for longer waits for a run, and costs nothing. */
const FRESH = 1_000_000

/** Microseconds before the queue, or the reactor set, is asked again after it failed. */
const PAUSE = 1_000_000

/**
 * Works until the signal ends, then starts nothing more, waits for what runs, at most the grace, and resolves. A
 * delivery is settled once: as soon as its event stands still. One whose settling fails comes again, and finds its
 * reactions ended.
 */
export async function runWorker(parts: WorkerParts, signal: AbortSignal): Promise<WorkerEnd> {
  const { source, reactor, timer, warn, options } = parts
  let inFlight = 0
  /** When each fresh delivery was taken, oldest first. */
  const fresh = new Map<EventId, number>()
  let wake: (() => void) | undefined
  const batches = new Set<Promise<unknown>>()

  const settle = async (event: EventId, settlement: Settlement): Promise<void> => {
    try {
      await source.settle(event, settlement)
    } catch (error) {
      warn(`the delivery of ${event} could not be settled and will come again: ${messageOf(error)}`)
    } finally {
      inFlight--
      fresh.delete(event)
      wake?.()
    }
  }

  const room = async (): Promise<void> => {
    while ((inFlight >= options.inFlight || fresh.size >= options.fresh) && !signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  const stopAging = timer.every(FRESH / 4, () => {
    const since = parts.clock.now() - FRESH
    for (const [event, taken] of fresh) {
      if (taken > since) break
      fresh.delete(event)
    }
    wake?.()
  })

  const reactTo = async (deliveries: readonly Delivery[]): Promise<void> => {
    const settling: Promise<void>[] = []
    const settled = (event: EventId, settlement: Settlement) => void settling.push(settle(event, settlement))
    try {
      await reactor.react(deliveries, await parts.reactors(), { settled, signal })
    } catch (error) {
      warn(`no reactor set could be had: ${messageOf(error)}`)
      for (const { event } of deliveries) settled(event.id, { kind: 'later', at: parts.clock.now() + PAUSE })
    }
    await Promise.all(settling)
  }

  const takeOne = async (): Promise<void> => {
    const limit = Math.min(options.batch, options.inFlight - inFlight, options.fresh - fresh.size)
    const deliveries = new Map((await source.receive(limit, signal)).map((delivery) => [delivery.event.id, delivery]))
    if (deliveries.size === 0) return
    inFlight += deliveries.size
    const now = parts.clock.now()
    for (const event of deliveries.keys()) fresh.set(event, now)
    const work = reactTo([...deliveries.values()]).finally(() => batches.delete(work))
    batches.add(work)
  }

  signal.addEventListener('abort', () => wake?.(), { once: true })
  while (!signal.aborted) {
    await room()
    if (signal.aborted) break
    try {
      await takeOne()
    } catch (error) {
      warn(`deliveries could not be taken: ${messageOf(error)}`)
      await timer.sleep(PAUSE, signal)
    }
  }
  stopAging()
  const ended = new AbortController()
  await Promise.race([Promise.all(batches), timer.sleep(options.grace, ended.signal)])
  ended.abort()
  return { unsettled: inFlight }
}
