// When to try again: which errors pass by themselves, how long to wait, when to give up.
import { BrineError } from '../core/error.ts'

/** The `reactor_retry` options. */
export interface RetryOptions {
  /** Tries of one reaction in all, the first included. */
  readonly tries: number
  /** Microseconds before the second try at the latest; doubles with each further one. */
  readonly base: number
  /** Microseconds that no wait exceeds. */
  readonly cap: number
}

/** Five tries, from one second to five minutes. */
export const defaultRetry: RetryOptions = { tries: 5, base: 1_000_000, cap: 300_000_000 }

/** Microseconds to wait after so many failures: full jitter, so that what failed together does not return together. */
export function backOff(failures: number, options: RetryOptions, random: () => number): number {
  const most = Math.min(options.cap, options.base * 2 ** Math.max(0, Math.min(failures, 60) - 1))
  return Math.floor(random() * most)
}

/** Whether an error says that nothing happened and that a later try may do better. */
export function isTransient(error: unknown): error is BrineError {
  return error instanceof BrineError && passing.has(error.code)
}

/** What passes by itself or by an operator's hand: nothing was written, and it must not cost an event its tries. */
const passing: ReadonlySet<string> = new Set(['busy', 'throttled', 'disk-full', 'store-write'])
