// Python's `random.sample`, seeded as `random.Random(hash(seed))` where the seed is a number, else by the outside.
import { numberOf } from '../../../value/index.ts'
import type { Datum } from '../datum.ts'
import { textOf } from '../datum.ts'
import { valueError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { MersenneTwister } from './mersenne-twister.ts'

/** A number below `limit`. */
type Below = (limit: number) => number

/** `size` of the items in random order. Takes over the list. */
export function randomSample(items: Datum[], size: number, seed: Datum, run: Run): Datum[] {
  if (size < 0 || size > items.length) throw valueError('Sample larger than population or is negative')
  const below = source(seed, run)
  const count = items.length
  let setSize = 21
  if (size > 5) setSize += 4 ** Math.ceil(Math.log(size * 3) / Math.log(4))
  const picked: Datum[] = []
  if (count <= setSize) {
    for (let index = 0; index < size; index++) {
      const at = below(count - index)
      picked.push(items[at] ?? null)
      items[at] = items[count - index - 1] ?? null
    }
    return picked
  }
  const chosen = new Set<number>()
  for (let index = 0; index < size; index++) {
    let at = below(count)
    while (chosen.has(at)) at = below(count)
    chosen.add(at)
    picked.push(items[at] ?? null)
  }
  return picked
}

function source(seed: Datum, run: Run): Below {
  if (seed === null) {
    const random = run.outside('random', 'random_sample')
    return (limit) => Math.floor(random() * limit)
  }
  const number = numberOf(seed)
  const text = textOf(seed)
  const key = number !== undefined && Number.isInteger(Number(number)) ? BigInt(number) : hashText(text ?? String(seed))
  const twister = new MersenneTwister(key < 0n ? -key : key)
  return (limit) => twister.below(limit)
}

/** Python salts the hash of a text at every start; ours is the same for ever, which is the point of a seed. */
function hashText(text: string): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash >> 1n
}
