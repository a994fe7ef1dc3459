// A fault-injecting adapter: methods of a port that are slow, refuse, or do their work and then say that they failed.
import { setTimeout as sleep } from 'node:timers/promises'
import { BrineError } from '../../core/error.ts'

/** How often each fault, out of 1; and how slow, in milliseconds at most. */
export interface Faults {
  /** Refuses before anything was done, as a store that throttles does. */
  readonly throttles: number
  /** Does the work, then fails: the caller cannot know. */
  readonly errs: number
  readonly slow: number
  readonly longest: number
}

/** What was brought about, by kind. */
export interface FaultCounts {
  calls: number
  throttled: number
  erred: number
  slowed: number
}

/** Puts the faults between a port and whoever calls these methods of it, from now on. */
export function inject<Port extends object>(
  port: Port,
  methods: readonly (keyof Port & string)[],
  faults: Faults,
  random: () => number,
  counts: FaultCounts,
): void {
  for (const name of methods) {
    const method = port[name]
    if (typeof method !== 'function') throw new Error(`${name} is no method`)
    const faulty = async (...args: unknown[]): Promise<unknown> => {
      counts.calls++
      const dice = random()
      if (random() < faults.slow) {
        counts.slowed++
        await sleep(faults.longest * random())
      }
      if (dice < faults.throttles) {
        counts.throttled++
        throw new BrineError(`${name} is throttled; it is tried again`, { code: 'busy' })
      }
      const answer: unknown = await Reflect.apply(method, port, args)
      if (dice > 1 - faults.errs) {
        counts.erred++
        throw new BrineError(`${name} was done and its answer lost; it is tried again`, { code: 'busy' })
      }
      return answer
    }
    Object.defineProperty(port, name, { value: faulty, configurable: true, writable: true })
  }
}
