// Compares secrets in a time that tells nothing of them.
import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether two texts are the same, in a time that depends on neither. */
export function sameText(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
