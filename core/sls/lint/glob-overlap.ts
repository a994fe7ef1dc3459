// Whether some tag satisfies two globs at once.
import { type GlobToken, globTokens, takes } from '../../event/glob-tokens.ts'

/** True where some tag matches both globs. Two bracket expressions are taken to overlap. */
export function globsOverlap(a: string, b: string): boolean {
  const left = globTokens(a)
  const right = globTokens(b)
  let reached = closed(new Set([0]), left, right)
  const width = left.length + 1
  const seen = new Set<number>()
  while (reached.size > 0) {
    const next = new Set<number>()
    for (const state of reached) {
      if (seen.has(state)) continue
      seen.add(state)
      const i = state % width
      const j = Math.floor(state / width)
      if (i === left.length && j === right.length) return true
      for (const follower of step(left, right, i, j)) next.add(follower.i + follower.j * width)
    }
    reached = closed(next, left, right)
  }
  return false
}

/** Stars may also stand for nothing. */
function closed(states: Set<number>, left: readonly GlobToken[], right: readonly GlobToken[]): Set<number> {
  const width = left.length + 1
  for (const state of states) {
    const i = state % width
    const j = Math.floor(state / width)
    if (left[i]?.kind === 'star') states.add(state + 1)
    if (right[j]?.kind === 'star') states.add(state + width)
  }
  return states
}

/** One character further in both. */
function step(
  left: readonly GlobToken[],
  right: readonly GlobToken[],
  i: number,
  j: number,
): { i: number; j: number }[] {
  const a = left[i]
  const b = right[j]
  if (a === undefined || b === undefined || !compatible(a, b)) return []
  return [{ i: a.kind === 'star' ? i : i + 1, j: b.kind === 'star' ? j : j + 1 }]
}

function compatible(a: GlobToken, b: GlobToken): boolean {
  if (a.kind === 'never' || b.kind === 'never') return false
  if (a.kind === 'star' || b.kind === 'star') return true
  if (a.kind === 'literal') return takes(b, a.code)
  return b.kind !== 'literal' || takes(a, b.code)
}
