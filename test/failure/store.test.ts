// A queue that repeats and shuffles, and a store that throttles, is slow, errs, or never gets to the disk.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Delivery } from '../../master/ports.ts'
import { startReactor } from '../../master/reactor.ts'
import { createRenderFile } from '../../master/render-file.ts'
import { CommitQueue } from '../../platform/embedded/store/commit-queue.ts'
import { EmbeddedEventLog } from '../../platform/embedded/store/event-log.ts'
import { openStore } from '../../platform/embedded/store/open-store.ts'
import { createReactorSet } from '../../reaction/index.ts'
import { waitFor } from '../system/wait.ts'
import { type FaultStage, faultStage, numbersTo } from './fault-stage.ts'
import { type FaultCounts, inject } from './faulty.ts'
import { expectNothingLost, judged } from './observer.ts'
import { randomOf, rounds, seedOf } from './rounds.ts'

let running: FaultStage | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

test('every delivery comes twice and shuffled: each job runs once', async () => {
  const events = rounds(2000)
  const random = randomOf(seedOf('twice and shuffled'))
  running = await faultStage()
  const { embedded, file, fire } = running
  const { queue } = embedded.store
  const receive = queue.receive.bind(queue)
  const held: Delivery[] = []
  let delivered = 0
  queue.receive = async (limit, signal) => {
    // What was delivered before comes again with, or without, what is new; sometimes while it is still in work.
    const again = held.splice(0, Math.floor(limit / 2))
    const fresh = await receive(Math.ceil(limit / 2), again.length > 0 ? AbortSignal.timeout(20) : signal)
    held.push(...fresh)
    delivered += fresh.length + again.length
    return shuffled([...fresh, ...again], random)
  }
  const acknowledged = await fire(numbersTo(events))
  const verdict = await judged(file, acknowledged)
  expectNothingLost('twice and shuffled', verdict, { events, acknowledged: acknowledged.length, deliveries: delivered })
  expect(delivered).toBeGreaterThan(1.5 * events)
})

test('the store throttles, is slow and errs after its work: nothing acknowledged is lost, no job runs twice', async () => {
  const events = rounds(2000)
  const random = randomOf(seedOf('faulty store'))
  running = await faultStage()
  const { embedded, file, fire } = running
  const { store } = embedded
  const counts: FaultCounts = { calls: 0, throttled: 0, erred: 0, slowed: 0 }
  const faults = { throttles: 0.05, errs: 0.05, slow: 0.2, longest: 30 }
  inject(store.ledger, ['storePlans', 'plan', 'claim', 'write', 'openWindows'], faults, random, counts)
  inject(store.jobs, ['create', 'get', 'addReturn'], faults, random, counts)
  inject(store.mailbox, ['put', 'settle'], faults, random, counts)
  inject(store.bus, ['publish'], faults, random, counts)
  const acknowledged = await fire(numbersTo(events))
  const verdict = await judged(file, acknowledged)
  expectNothingLost('faulty store', verdict, { events, acknowledged: acknowledged.length, ...counts })
  const dead = await store.queue.dead()
  expect(dead).toEqual([])
  expect(counts.throttled + counts.erred).toBeGreaterThan(events / 10)
})

test('two workers on one queue whose leases expire while they work: each job runs once', async () => {
  const events = rounds(500)
  const random = randomOf(seedOf('two workers'))
  running = await faultStage()
  const { embedded, file, fire } = running
  const { master, store } = embedded
  const counts: FaultCounts = { calls: 0, throttled: 0, erred: 0, slowed: 0 }
  // Longer than the leases below, and what would renew them is never heard.
  inject(store.mailbox, ['put'], { throttles: 0, errs: 0, slow: 0.3, longest: 300 }, random, counts)
  const write = store.ledger.write.bind(store.ledger)
  const writeWithoutRenewal: typeof write = (writes) =>
    Promise.all(writes.map(async (each) => (each.change.kind === 'renew' ? true : ((await write([each]))[0] ?? false))))
  const ledger = Object.assign(Object.create(store.ledger), {
    storePlans: store.ledger.storePlans.bind(store.ledger),
    plan: store.ledger.plan.bind(store.ledger),
    claim: store.ledger.claim.bind(store.ledger),
    entries: store.ledger.entries.bind(store.ledger),
    openWindows: store.ledger.openWindows.bind(store.ledger),
    write: writeWithoutRenewal,
  }) as typeof store.ledger

  const waiting = [0, 1].map((): { deliveries: Delivery[]; wake?: () => void } => ({ deliveries: [] }))
  const hand = (...deliveries: Delivery[]): void => {
    for (const each of waiting) {
      each.deliveries.push(...deliveries)
      each.wake?.()
    }
  }
  const over = new AbortController()
  const { queue } = store
  const receive = queue.receive.bind(queue)
  // The master's own worker gets nothing after the batch that it waits for: each of the two gets all the rest.
  queue.receive = async (_limit, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    return []
  }
  const pump = (async () => {
    while (!over.signal.aborted) hand(...(await receive(20, over.signal)))
  })()
  let lost = 0
  const reactors = createReactorSet(await store.config.reactors())
  const workers = waiting.map((own, index) =>
    startReactor({
      master,
      ledger,
      clock: store.clock,
      render: createRenderFile({ opts: {}, grains: {}, pillar: {} }),
      reactors: () => reactors,
      owner: `worker ${index}`,
      lease: 100_000,
      retry: { tries: 50, base: 5_000, cap: 100_000 },
      warn: () => undefined,
      source: {
        async receive(limit, signal) {
          while (own.deliveries.length === 0 && !signal.aborted) {
            await new Promise<void>((resolve) => {
              const woken = (): void => {
                signal.removeEventListener('abort', woken)
                resolve()
              }
              own.wake = woken
              signal.addEventListener('abort', woken, { once: true })
            })
          }
          return own.deliveries.splice(0, limit)
        },
        async settle(event, settlement) {
          if (settlement.kind !== 'later') return queue.settle(event, settlement)
          const stored = (await store.log.find(event))?.event
          const wait = Math.max(0, (settlement.at - store.clock.now()) / 1000)
          const again = setTimeout(() => {
            if (stored !== undefined) own.deliveries.push({ event: stored, attempt: 2 })
            own.wake?.()
          }, wait)
          again.unref()
        },
      },
    }),
  )
  const acknowledged = await fire(numbersTo(events))
  const verdict = await judged(file, acknowledged)
  for (const worker of workers) {
    lost += worker.counts().lost
    await worker.stop()
  }
  over.abort()
  await pump
  expectNothingLost('two workers', verdict, {
    events,
    acknowledged: acknowledged.length,
    'slow starts': counts.slowed,
    'results that came after their lease': lost,
  })
  expect(lost).toBeGreaterThan(0)
})

test('the store commits and never flushes: nothing is acknowledged until it does', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'brine-flush-'))
  const store = await openStore(directory)
  let flush: () => void = () => undefined
  const flushed = new Promise<void>((resolve) => {
    flush = resolve
  })
  const root = new Proxy(store.root, {
    get: (target, name) => {
      if (name === 'flushed') return flushed
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const commits = new CommitQueue(root, directory)
  const held = Object.assign(Object.create(store), { commits, table: store.table.bind(store), id: store.id })
  const log = new EmbeddedEventLog(held, { now: () => Date.now() * 1000 }, { seconds: 60, events: 1000 })
  const events = rounds(500)
  let acknowledged = 0
  const firing = numbersTo(events).map((n) =>
    log.publish([{ id: `01${String(n).padStart(24, '0')}`, tag: 'note', data: { n }, source: 'custom' }]).then(() => {
      acknowledged++
    }),
  )
  const table = store.table('log_ids')
  await waitFor('the commit', () => (table.count() > 0 ? true : undefined))
  await new Promise((resolve) => setTimeout(resolve, 100))
  const before = { committed: table.count(), acknowledged }
  flush()
  await Promise.all(firing)
  console.log(
    `never flushed: ${events} fired, ${before.committed} committed, ${before.acknowledged} acknowledged; after the flush ${acknowledged}`,
  )
  expect(before.committed).toBeGreaterThan(0)
  expect(before.acknowledged).toBe(0)
  expect(acknowledged).toBe(events)
  await commits.close()
  await store.close()
  rmSync(directory, { recursive: true })
})
