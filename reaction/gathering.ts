// Group commit: many single writes of one moment become one call of a port.
import { isTransient } from './retry.ts'

/** How gathered items are written. `pause` waits before the next try of a call that found the store busy. */
export interface GatheringOptions<Item, Answer> {
  readonly call: (items: readonly Item[]) => Promise<readonly Answer[]>
  /** Items of one call at most. */
  readonly most: number
  /** Resolves when call number `failures + 1` may be made, false when no more should be. */
  readonly pause: (failures: number) => Promise<boolean>
}

/**
 * Adds an item and answers what became of it. Promises: items are handed over in order, one call at a time; what arrives
 * during a call goes with the next. A call that finds the store busy is made again; one that fails otherwise is split
 * into its items, so that one bad item fails alone.
 */
export type Gathering<Item, Answer> = (item: Item) => Promise<Answer>

interface Waiting<Item, Answer> {
  readonly item: Item
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** See {@link Gathering}. */
export function createGathering<Item, Answer>(options: GatheringOptions<Item, Answer>): Gathering<Item, Answer> {
  let waiting: Waiting<Item, Answer>[] = []
  let calling = false

  const attempt = async (group: readonly Waiting<Item, Answer>[]): Promise<void> => {
    for (let failures = 0; ; failures++) {
      try {
        const answers = await options.call(group.map(({ item }) => item))
        for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer)
        return
      } catch (error) {
        if (isTransient(error) && (await options.pause(failures + 1))) continue
        if (isTransient(error) || group.length === 1) {
          for (const { reject } of group) reject(error)
          return
        }
        for (const one of group) await attempt([one])
        return
      }
    }
  }

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, options.most)
      waiting = waiting.slice(options.most)
      await attempt(group)
    }
    calling = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (calling) return
      calling = true
      queueMicrotask(() => void drain())
    })
}
