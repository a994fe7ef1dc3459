// The name that was probably meant.
import { nearestWithin } from '../../core/config/nearest.ts'

/** The candidate nearest to a mistyped word, `undefined` where none is near: a third of its letters may differ, at most 3. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const letters = word.replace(/^-+/, '').length
  return nearestWithin(Math.min(3, Math.floor(letters / 3)), word, candidates)
}
