// The known name nearest to a misspelt one.
import { editDistance } from '../../config/nearest.ts'

/** The name with the fewest changes, `undefined` where all are far. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.ceil(name.length / 3)) + 1
  for (const candidate of known) {
    const changes = editDistance(name, candidate, least)
    if (changes < least) {
      least = changes
      best = candidate
    }
  }
  return best
}
