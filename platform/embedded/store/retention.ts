// What the stores share about forgetting: a step's size, and moments that lie some time ago.

/** Records removed in one transaction, so that a sweep never holds up the writes beside it. */
export const sweepStep = 500

/** Removes at most one step of what is not kept any more; answers how many records went. */
export interface Sweepable {
  sweep(now: number): Promise<number>
}

/** Steps in a row; what is left waits for the next sweep. */
const MOST_STEPS = 5000

/** Sweeps each store until it has nothing more to remove. Other writes go on between the steps. */
export async function sweepAll(stores: readonly Sweepable[], now: number): Promise<number> {
  let total = 0
  for (const store of stores) {
    for (let step = 0; step < MOST_STEPS; step++) {
      const removed = await store.sweep(now)
      total += removed
      if (removed < sweepStep) break
    }
  }
  return total
}

/** The moment that lies so many seconds before `now`, in microseconds; the beginning of time for 0, which keeps for good. */
export function secondsBefore(now: number, seconds: number): number {
  return seconds === 0 ? 0 : now - seconds * 1_000_000
}
