// Unified diffs as Python's difflib makes them, so that `changes` reads as Salt's does.

type Match = readonly [a: number, b: number, size: number]
type Step = readonly [kind: 'equal' | 'other', a1: number, a2: number, b1: number, b2: number]

/** Where the lines of one list stand in the other, without those that stand there too often to mean anything. */
function placesOf(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [index, line] of b.entries()) {
    const known = places.get(line)
    if (known === undefined) places.set(line, [index])
    else known.push(index)
  }
  if (b.length >= 200) {
    const most = Math.floor(b.length / 100) + 1
    for (const [line, at] of places) if (at.length > most) places.delete(line)
  }
  return places
}

/** The longest run of equal lines within bounds, the earliest of several. */
function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [alo, ahi, blo, bhi]: readonly [number, number, number, number],
): Match {
  let [besti, bestj, size] = [alo, blo, 0]
  let lengths = new Map<number, number>()
  for (let i = alo; i < ahi; i++) {
    const next = new Map<number, number>()
    for (const j of places.get(a[i] ?? '') ?? []) {
      if (j < blo) continue
      if (j >= bhi) break
      const length = (lengths.get(j - 1) ?? 0) + 1
      next.set(j, length)
      if (length > size) [besti, bestj, size] = [i - length + 1, j - length + 1, length]
    }
    lengths = next
  }
  while (besti > alo && bestj > blo && a[besti - 1] === b[bestj - 1])
    [besti, bestj, size] = [besti - 1, bestj - 1, size + 1]
  while (besti + size < ahi && bestj + size < bhi && a[besti + size] === b[bestj + size]) size++
  return [besti, bestj, size]
}

/** Runs of equal lines, in order; neighbours are joined; the last is empty, at the end. */
function matchingBlocks(a: readonly string[], b: readonly string[]): Match[] {
  const places = placesOf(b)
  const queue: [number, number, number, number][] = [[0, a.length, 0, b.length]]
  const found: Match[] = []
  for (let bounds = queue.pop(); bounds !== undefined; bounds = queue.pop()) {
    const [alo, ahi, blo, bhi] = bounds
    const match = longestMatch(a, b, places, bounds)
    const [i, j, size] = match
    if (size === 0) continue
    found.push(match)
    if (alo < i && blo < j) queue.push([alo, i, blo, j])
    if (i + size < ahi && j + size < bhi) queue.push([i + size, ahi, j + size, bhi])
  }
  found.sort(([a1, b1], [a2, b2]) => a1 - a2 || b1 - b2)
  const joined: Match[] = []
  for (const [i, j, size] of found) {
    const last = joined.at(-1)
    if (last !== undefined && last[0] + last[2] === i && last[1] + last[2] === j)
      joined[joined.length - 1] = [last[0], last[1], last[2] + size]
    else joined.push([i, j, size])
  }
  return [...joined, [a.length, b.length, 0]]
}

function stepsOf(a: readonly string[], b: readonly string[]): Step[] {
  const steps: Step[] = []
  let [i, j] = [0, 0]
  for (const [ai, bj, size] of matchingBlocks(a, b)) {
    if (i < ai || j < bj) steps.push(['other', i, ai, j, bj])
    ;[i, j] = [ai + size, bj + size]
    if (size > 0) steps.push(['equal', ai, i, bj, j])
  }
  return steps
}

/** Steps in groups with so many equal lines around each change. */
function groupsOf(steps: Step[], context: number): Step[][] {
  if (steps.length === 0) return []
  const first = steps[0]
  if (first?.[0] === 'equal')
    steps[0] = [
      'equal',
      Math.max(first[1], first[2] - context),
      first[2],
      Math.max(first[3], first[4] - context),
      first[4],
    ]
  const last = steps.at(-1)
  if (last?.[0] === 'equal')
    steps[steps.length - 1] = [
      'equal',
      last[1],
      Math.min(last[2], last[1] + context),
      last[3],
      Math.min(last[4], last[3] + context),
    ]
  const groups: Step[][] = []
  let group: Step[] = []
  for (const step of steps) {
    const [kind, a1, a2, b1, b2] = step
    if (kind === 'equal' && a2 - a1 > 2 * context) {
      group.push(['equal', a1, Math.min(a2, a1 + context), b1, Math.min(b2, b1 + context)])
      groups.push(group)
      group = [['equal', Math.max(a1, a2 - context), a2, Math.max(b1, b2 - context), b2]]
    } else group.push(step)
  }
  if (group.length > 0 && !(group.length === 1 && group[0]?.[0] === 'equal')) groups.push(group)
  return groups
}

function range(start: number, stop: number): string {
  const length = stop - start
  if (length === 1) return String(start + 1)
  return `${length === 0 ? start : start + 1},${length}`
}

/** How a diff is printed. */
export interface DiffOptions {
  /** The names in its head. @default none */
  readonly names?: readonly [string, string]
  /** What ends the lines of its heads. @default a line feed */
  readonly end?: string
  /** Equal lines around each change. @default 3 */
  readonly context?: number
}

/** The lines of Python's `difflib.unified_diff`; nothing where both are equal. */
export function unifiedDiff(a: readonly string[], b: readonly string[], options: DiffOptions = {}): string[] {
  const { names: [from, to] = ['', ''], end = '\n', context = 3 } = options
  const lines: string[] = []
  for (const group of groupsOf(stepsOf(a, b), context)) {
    if (lines.length === 0) lines.push(`--- ${from}${end}`, `+++ ${to}${end}`)
    const first = group[0]
    const last = group.at(-1)
    if (first === undefined || last === undefined) continue
    lines.push(`@@ -${range(first[1], last[2])} +${range(first[3], last[4])} @@${end}`)
    for (const [kind, a1, a2, b1, b2] of group) {
      if (kind === 'equal') lines.push(...a.slice(a1, a2).map((line) => ` ${line}`))
      else lines.push(...a.slice(a1, a2).map((line) => `-${line}`), ...b.slice(b1, b2).map((line) => `+${line}`))
    }
  }
  return lines
}

/** Salt's `get_diff` of lines: one text. */
export function diffText(a: readonly string[], b: readonly string[], names?: readonly [string, string]): string {
  return unifiedDiff(a, b, names === undefined ? {} : { names }).join('')
}
