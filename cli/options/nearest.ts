// The name that was probably meant.
import { editDistance } from '../../core/config/nearest.ts'

/** The candidate nearest to a mistyped word, `undefined` where none is near: a third of its letters may differ, at most 3. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.min(3, Math.floor(word.replace(/^-+/, '').length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate, least)
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  return best
}
