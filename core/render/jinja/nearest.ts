// The known name nearest to a misspelt one.
import { nearestWithin } from '../../config/nearest.ts'

/** The name with the fewest changes, `undefined` where all are far. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  return nearestWithin(Math.max(2, Math.ceil(name.length / 3)), name, known)
}
