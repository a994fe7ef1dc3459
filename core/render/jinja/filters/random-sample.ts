// Python's `random.sample`, seeded by a text as Salt seeds it, else by the outside.
import { createHash } from 'node:crypto'
import { type Datum, textOf } from '../datum.ts'
import { typeError, valueError } from '../python-error.ts'
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
  const text = textOf(seed)
  if (text === undefined) throw typeError('object supporting the buffer API required')
  const twister = new MersenneTwister(seedNumber(text))
  return (limit) => twister.below(limit)
}

/** The number that a seed text becomes: Salt hashes it, and Python's Random hashes the digits again. */
function seedNumber(text: string): bigint {
  const digits = Buffer.from(createHash('sha512').update(text).digest('hex'))
  const key = Buffer.concat([digits, createHash('sha512').update(digits).digest()])
  return BigInt(`0x${key.toString('hex')}`)
}
