// Python's `random.sample`, seeded by a text as Salt seeds it, else by the outside.
import { type Datum, textOf } from '../datum.ts'
import { typeError, valueError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { MersenneTwister } from './mersenne-twister.ts'
import { type Below, hashedSeed, pickSample } from './sample.ts'

/** `size` of the items in random order. Takes over the list. */
export function randomSample(items: Datum[], size: number, seed: Datum, run: Run): Datum[] {
  if (size < 0 || size > items.length) throw valueError('Sample larger than population or is negative')
  return pickSample(items, size, source(seed, run))
}

function source(seed: Datum, run: Run): Below {
  if (seed === null) {
    const random = run.outside('random', 'random_sample')
    return (limit) => Math.floor(random() * limit)
  }
  const text = textOf(seed)
  if (text === undefined) throw typeError('object supporting the buffer API required')
  const twister = new MersenneTwister(hashedSeed(text))
  return (limit) => twister.below(limit)
}
