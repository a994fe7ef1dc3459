// The event bus: PutEvents in batches as EventBridge takes them, what it refuses tried again.
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { BrineError } from '../../../core/error.ts'
import type { Event, EventBus } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { asking } from '../aws-error.ts'
import { putEventsBytes, putEventsEntries } from '../layout/index.ts'
import type { Payloads } from '../store/payloads.ts'
import { type Entry, entryOf } from './envelope.ts'

const TRIES = 6
/** Milliseconds before the second try at most; doubles with each. */
const PAUSE = 50

/**
 * Publishes to the custom bus. "Acknowledged" means that PutEvents took it; log, reactor and archive are then three
 * deliveries of EventBridge's, each at least once. EventBridge keeps no order: each event carries its moment and its
 * place in the call, by which the log restores it within what arrives together.
 */
export class EventBridgeBus implements EventBus {
  readonly #client: EventBridgeClient
  readonly #bus: string
  readonly #payloads: Payloads
  readonly #clock: Pick<Clock, 'now'>

  constructor(client: EventBridgeClient, bus: string, payloads: Payloads, clock: Pick<Clock, 'now'>) {
    this.#client = client
    this.#bus = bus
    this.#payloads = payloads
    this.#clock = clock
  }

  /** Throws `throttled` or `busy` where EventBridge does not take all of them; those it took are on the bus then. */
  async publish(events: readonly Event[]): Promise<void> {
    const at = this.#clock.now()
    const entries = await Promise.all(events.map((event, nth) => entryOf(event, at, nth, this.#payloads)))
    for (const batch of putEventsBatches(entries)) await this.#put(batch)
  }

  async #put(batch: readonly Entry[]): Promise<void> {
    let open = batch
    for (let tries = 0; ; tries++) {
      const command = new PutEventsCommand({ Entries: open.map((entry) => ({ ...entry, EventBusName: this.#bus })) })
      const { Entries = [] } = await asking('events for the bus', () => this.#client.send(command))
      const failed = Entries.filter(({ ErrorCode }) => ErrorCode !== undefined && ErrorCode !== '')
      open = open.filter((_, index) => (Entries[index]?.ErrorCode ?? '') !== '')
      if (open.length === 0) return
      if (tries + 1 >= TRIES) throw refused(failed[0]?.ErrorCode ?? '', failed[0]?.ErrorMessage ?? '', open.length)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE * 2 ** tries))
    }
  }
}

function refused(code: string, message: string, count: number): BrineError {
  return new BrineError(
    `EventBridge refused ${count} events ${TRIES} times (${code}: ${message}). Send them again; if it lasts, raise the quota of PutEvents.`,
    { code: /throttl/i.test(code) ? 'throttled' : 'busy' },
  )
}

/** Entries as PutEvents takes them: at most ten a call, and at most 256 KB as EventBridge counts them. In their order. */
function putEventsBatches(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = []
  let bytes = 0
  for (const entry of entries) {
    const size = sizeOf(entry)
    if (size > putEventsBytes) {
      throw new BrineError(
        `The event ${entry.DetailType} is ${size} bytes on the bus, more than the ${putEventsBytes} EventBridge takes. Shorten its tag or cause.`,
        { code: 'too-large' },
      )
    }
    const last = batches.at(-1)
    if (last === undefined || last.length >= putEventsEntries || bytes + size > putEventsBytes) {
      batches.push([entry])
      bytes = size
    } else {
      last.push(entry)
      bytes += size
    }
  }
  return batches
}

function sizeOf({ Source, DetailType, Detail }: Entry): number {
  return Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail)
}
