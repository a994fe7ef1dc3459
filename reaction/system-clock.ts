// The process's clock: microseconds that never go back, and ids that sort by them.
import type { Clock } from './ports.ts'
import { UlidSource } from './ulid.ts'

/** What the clock reads: wall milliseconds (coarse, may step) and monotonic milliseconds (fine, never steps). */
export interface TimeSource {
  wall(): number
  monotonic(): number
}

const SYSTEM: TimeSource = { wall: () => Date.now(), monotonic: () => performance.now() }
const STEP = 20

/**
 * Follows the wall clock with the monotonic one between its ticks.
 *
 * INVARIANTS
 * - `now()` never goes back: after a step backwards it stands still until the wall clock has caught up.
 * - after a step forwards, or a sleep of the machine, it is at most 20 ms away from the wall clock.
 * - no two calls of `jid()` answer the same, nor two of `eventId()`; both rise.
 */
export class SystemClock implements Clock {
  readonly #source: TimeSource
  readonly #ulids = new UlidSource()
  #anchor: number
  #last = 0
  #lastJid = 0
  #second = -1
  #secondText = ''

  constructor(source: TimeSource = SYSTEM) {
    this.#source = source
    this.#anchor = source.wall() - source.monotonic()
  }

  now(): number {
    const wall = this.#source.wall()
    const monotonic = this.#source.monotonic()
    let time = this.#anchor + monotonic
    if (Math.abs(time - wall) > STEP) {
      this.#anchor = wall - monotonic
      time = wall
    }
    const micros = Math.floor(time * 1000)
    if (micros > this.#last) this.#last = micros
    return this.#last
  }

  eventId(): string {
    return this.#ulids.next(Math.floor(this.now() / 1000))
  }

  jid(): string {
    this.#lastJid = Math.max(this.now(), this.#lastJid + 1)
    const second = Math.floor(this.#lastJid / 1_000_000)
    if (second !== this.#second) {
      this.#second = second
      this.#secondText = new Date(second * 1000).toISOString().slice(0, 19).replace(/\D/g, '')
    }
    return this.#secondText + String(this.#lastJid % 1_000_000).padStart(6, '0')
  }
}
