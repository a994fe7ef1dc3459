// The known word that somebody who wrote an unknown one most likely meant.

/**
 * The candidate nearest to `word` by edits (a letter added, left out, changed, or two swapped), `undefined` where even the
 * nearest differs in more than a third of the letters. Upper and lower case, `-` and `_` do not count; of equally near
 * ones the first is taken.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return nearestWithin(Math.max(1, Math.floor(word.length / 3)), word, candidates, folded)
}

/** The candidate nearest to `word` by at most that many edits, each as `fold` reads it; the first of equally near ones. */
export function nearestWithin(
  edits: number,
  word: string,
  candidates: Iterable<string>,
  fold: (word: string) => string = (same) => same,
): string | undefined {
  const wanted = fold(word)
  let best: string | undefined
  let least = edits + 1
  for (const candidate of candidates) {
    const distance = editDistance(wanted, fold(candidate), least)
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

function folded(word: string): string {
  return word.toLowerCase().replaceAll('-', '_')
}

/** How many letters to add, drop, change or swap with their neighbour; at least `limit` where it is that many. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + change,
        swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    if (Math.min(...current) >= limit) return limit
    before = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
