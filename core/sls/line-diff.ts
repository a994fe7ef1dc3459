// A difference of lines for people: what is in both, what is missing, what is too much.

/** Lines with a space, `-` or `+` before them; the fewest of the latter two. */
export function diffLines(expected: readonly string[], got: readonly string[]): string[] {
  const common = commonLengths(expected, got)
  const lines: string[] = []
  let left = 0
  let right = 0
  while (left < expected.length || right < got.length) {
    const isBoth = left < expected.length && right < got.length && expected[left] === got[right]
    if (isBoth) {
      lines.push(`  ${expected[left]}`)
      left++
      right++
    } else if (
      right >= got.length ||
      (left < expected.length && at(common, left + 1, right) >= at(common, left, right + 1))
    ) {
      lines.push(`- ${expected[left++]}`)
    } else {
      lines.push(`+ ${got[right++]}`)
    }
  }
  return lines
}

/** How many lines the rests from (left, right) have in common. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let left = a.length - 1; left >= 0; left--) {
    const row = table[left]
    if (row === undefined) continue
    for (let right = b.length - 1; right >= 0; right--) {
      row[right] =
        a[left] === b[right]
          ? at(table, left + 1, right + 1) + 1
          : Math.max(at(table, left + 1, right), at(table, left, right + 1))
    }
  }
  return table
}

function at(table: readonly (readonly number[])[], left: number, right: number): number {
  return table[left]?.[right] ?? 0
}
