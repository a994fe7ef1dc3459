// Working on many at once, in batches as AWS takes them.

const PARALLEL = 24

/** A list in pieces of at most so many. */
export function inBatches<T>(list: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / most) }, (_, index) =>
    list.slice(index * most, (index + 1) * most),
  )
}

/** Works on all, so many at once; answers in their order. Rejects with the first failure, once nothing runs any more. */
export async function inParallel<T, R>(
  list: readonly T[],
  work: (item: T) => Promise<R>,
  most = PARALLEL,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < list.length; index = next++) results[index] = await work(list[index] as T)
  }
  const workers = await Promise.allSettled(Array.from({ length: Math.min(most, list.length) }, worker))
  for (const outcome of workers) if (outcome.status === 'rejected') throw outcome.reason
  return results
}

/** What is remembered of much, at most so many entries; the oldest is forgotten first. */
export class Remembered<K, V> {
  readonly #most: number
  readonly #entries = new Map<K, V>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  set(key: K, value: V): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#most) break
      this.#entries.delete(oldest)
    }
    this.#entries.set(key, value)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }
}
