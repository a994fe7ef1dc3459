// The known name nearest to a misspelt one.

/** The name with the fewest changes, `undefined` where all are far. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.ceil(name.length / 3)) + 1
  for (const candidate of known) {
    const changes = distance(name, candidate, least)
    if (changes < least) {
      least = changes
      best = candidate
    }
  }
  return best
}

/** Letters to add, drop, change or swap; stops counting at `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (before[j - 2] ?? 0) + 1)
      next.push(value)
    }
    before = row
    row = next
  }
  return row[b.length] ?? limit
}
