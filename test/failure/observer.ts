// The outside observer: a file that jobs append numbers to, and what it says against what was acknowledged.
import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { waitFor } from '../system/wait.ts'

/** A module for the minion whose function appends a number to the file: `note.add N`. */
export function noteModule(file: string): string {
  return `import { appendFileSync } from 'node:fs'
export function add(context, n) {
  appendFileSync(${JSON.stringify(file)}, n + '\\n')
  return n
}
add.params = 'n'
`
}

/** A reactor file by which each event with a number runs one job that notes it. */
export const NOTE_SLS = `note:
  local.note.add:
    - tgt: {{ data['to'] | default('worker') }}
    - arg:
      - {{ data['n'] }}
`

/** The numbers in the file, in the order in which they were appended. */
export function noted(file: string): number[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(Number)
}

/** What the file says of what was acknowledged. */
export interface Verdict {
  readonly lost: readonly number[]
  readonly twice: readonly number[]
}

/** Waits until every acknowledged number is there and no more come, then judges. What is missing at the end is lost. */
export async function judged(file: string, acknowledged: readonly number[], patience = 60_000): Promise<Verdict> {
  const missing = (seen: ReadonlySet<number>): number[] => acknowledged.filter((n) => !seen.has(n))
  let last = -1
  let since = Date.now()
  await waitFor(
    'the jobs to end',
    () => {
      const { length } = noted(file)
      if (length !== last) [last, since] = [length, Date.now()]
      const quiet = Date.now() - since
      const all = missing(new Set(noted(file))).length === 0
      // Quiet is long where something is missing: it might come by a retry.
      return quiet > (all ? 2000 : patience) ? true : undefined
    },
    10 * patience,
  )
  const lines = noted(file)
  const seen = new Set(lines)
  const counts = new Map<number, number>()
  for (const n of lines) counts.set(n, (counts.get(n) ?? 0) + 1)
  return { lost: missing(seen), twice: [...counts].flatMap(([n, count]) => (count > 1 ? [n] : [])) }
}

/** Says what was counted, in one line, and holds it to: nothing lost, nothing twice. */
export function expectNothingLost(
  what: string,
  verdict: Verdict,
  counts: Readonly<Record<string, number | string>>,
): void {
  const told = { ...counts, lost: verdict.lost.length, twice: verdict.twice.length }
  console.log(
    `${what}: ${Object.entries(told)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}`,
  )
  expect({ lost: verdict.lost, twice: verdict.twice }).toEqual({ lost: [], twice: [] })
}
