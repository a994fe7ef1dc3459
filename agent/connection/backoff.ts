// How long to wait before trying again.
import type { Outside } from '../outside.ts'

/** Waits that grow with every failure, each anywhere between nothing and its bound (full jitter). Milliseconds. */
export class Backoff {
  readonly #random: Outside['random']
  readonly #first: number
  readonly #most: number
  #failures = 0

  constructor(outside: Pick<Outside, 'random'>, first: number, most: number) {
    this.#random = outside.random
    this.#first = first
    this.#most = most
  }

  /** The next wait. */
  next(): number {
    const bound = Math.min(this.#most, this.#first * 2 ** Math.min(this.#failures++, 20))
    return Math.max(50, this.#random() * bound)
  }

  /** It worked: the next failure starts anew. */
  reset(): void {
    this.#failures = 0
  }
}

/** Resolves after that many milliseconds, or as soon as the signal ends; never rejects. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end, { once: true })
  })
}
