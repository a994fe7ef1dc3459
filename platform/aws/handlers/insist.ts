// Trying again within an invocation: a message that fails is seen again only after minutes, and a busy table passes in seconds.
import { BrineError } from '../../../core/error.ts'

/** Milliseconds of an invocation that are left for its answer. */
const LAST = 10_000
/** Milliseconds before the second try at most; doubles with each, up to the longest. */
const PAUSE = 100
const LONGEST = 5_000

/** Whether trying again later may help. */
export function isPassing(error: unknown): boolean {
  return error instanceof BrineError && (error.code === 'busy' || error.code === 'throttled')
}

/** Does the work, again and again while it meets what passes and the invocation has time. Rejects with the last failure. */
export async function insist<T>(work: () => Promise<T>, timeLeft: () => number): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || timeLeft() < LAST) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(LONGEST, PAUSE * 2 ** tries)))
    }
  }
}
