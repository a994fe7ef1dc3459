// The master's time, measured from its answers: expiries and stamps are in it.
import type { Outside } from '../outside.ts'

/** How far this machine's clock is from the master's. */
export class MasterClock {
  readonly #outside: Pick<Outside, 'now'>
  #offset = 0

  constructor(outside: Pick<Outside, 'now'>) {
    this.#outside = outside
  }

  /** Takes the `time` of an answer (seconds since 1970). Small differences are the way's delay and change nothing. */
  learn(time: unknown): void {
    const seconds = typeof time === 'number' ? time : undefined
    if (seconds === undefined || !Number.isFinite(seconds) || seconds <= 0) return
    const offset = seconds - this.#outside.now() / 1_000_000
    if (Math.abs(offset - this.#offset) > 2) this.#offset = Math.abs(offset) > 2 ? offset : 0
  }

  /** Seconds since 1970 by the master's clock. */
  now(): number {
    return this.#outside.now() / 1_000_000 + this.#offset
  }

  /** Seconds the master is ahead; 0 where the clocks agree. */
  get offset(): number {
    return this.#offset
  }
}
