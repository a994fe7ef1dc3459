// Python's `random.sample` over a source of numbers, and the seeds that texts are.
import { createHash } from 'node:crypto'

/** A number from 0 to below `limit`. */
export type Below = (limit: number) => number

/** `size` of the items in the order in which Python draws them. Takes over the list; `size` is at most its length. */
export function pickSample<T>(items: T[], size: number, below: Below): T[] {
  const count = items.length
  let setSize = 21
  if (size > 5) setSize += 4 ** Math.ceil(Math.log(size * 3) / Math.log(4))
  const picked: T[] = []
  if (count <= setSize) {
    for (let index = 0; index < size; index++) {
      const at = below(count - index)
      picked.push(items[at] as T)
      items[at] = items[count - index - 1] as T
    }
    return picked
  }
  const chosen = new Set<number>()
  for (let index = 0; index < size; index++) {
    let at = below(count)
    while (chosen.has(at)) at = below(count)
    chosen.add(at)
    picked.push(items[at] as T)
  }
  return picked
}

/** The number that a text becomes as a seed of Python's `Random`: its bytes, and their digest behind them. */
export function textSeed(text: string): bigint {
  const bytes = Buffer.from(text)
  const key = Buffer.concat([bytes, createHash('sha512').update(bytes).digest()])
  return BigInt(`0x${key.toString('hex')}`)
}

/** As {@link textSeed} for the seeds of Salt's filters and functions, which are hashed first. */
export const hashedSeed = (text: string): bigint => textSeed(createHash('sha512').update(text).digest('hex'))
