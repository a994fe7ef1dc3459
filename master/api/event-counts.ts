// Events that were published, counted by what they are: for /metrics.
import type { EventBus } from '../ports.ts'

/** What an event is, by its tag. */
const eventKinds = ['job', 'return', 'run', 'auth', 'key', 'beacon', 'hook', 'minion', 'reactor', 'other'] as const
/** One of them. */
export type EventKind = (typeof eventKinds)[number]

const patterns: readonly (readonly [EventKind, RegExp])[] = [
  ['job', /^salt\/job\/[^/]+\/new$/],
  ['return', /^salt\/job\/[^/]+\/ret\//],
  ['run', /^salt\/(?:run|wheel)\//],
  ['auth', /^salt\/auth$/],
  ['key', /^salt\/key$/],
  ['beacon', /^salt\/beacon\//],
  ['hook', /^salt\/netapi\/hook/],
  ['minion', /^(?:salt\/minion\/|minion\/|minion_start$)/],
  ['reactor', /^brine\/reactor\//],
]

/** What an event with this tag is. */
function kindOf(tag: string): EventKind {
  return patterns.find(([, pattern]) => pattern.test(tag))?.[0] ?? 'other'
}

/** Counts since the start of the process. */
export class EventCounts {
  readonly #counts = new Map<EventKind, number>(eventKinds.map((kind) => [kind, 0]))

  /** The bus, with what passes counted once it is durable. */
  over(bus: EventBus): EventBus {
    return {
      publish: async (events) => {
        await bus.publish(events)
        for (const { tag } of events) {
          const kind = kindOf(tag)
          this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
        }
      },
    }
  }

  all(): ReadonlyMap<EventKind, number> {
    return this.#counts
  }
}
