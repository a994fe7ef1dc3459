// Counts over time as stacked bars.
import type { SeenEvent } from '../api/bus.ts'
import { groupOf } from './tag-filter.ts'

/** Bars, and how many seconds each stands for. */
const BARS = 60
const SECONDS = 5
/** Groups with a colour of their own; the others share one. */
const GROUPS = 5
const WIDTH = 600
const HEIGHT = 72

/** The counts of events by the beginning of their tag, over the last five minutes. A click on a group filters by it. */
export function Plot({
  events,
  now,
  choose,
}: {
  readonly events: readonly SeenEvent[]
  readonly now: number
  readonly choose: (glob: string) => void
}) {
  const step = SECONDS * 1000
  const end = (Math.floor(now / step) + 1) * step
  const start = end - BARS * step
  const recent = events.filter(({ at }) => at >= start && at < end)
  const totals = new Map<string, number>()
  for (const { tag } of recent) totals.set(groupOf(tag), (totals.get(groupOf(tag)) ?? 0) + 1)
  const groups = [...totals].sort((a, b) => b[1] - a[1])
  const named = groups.slice(0, GROUPS).map(([group]) => group)
  const bars = Array.from({ length: BARS }, () => new Array<number>(named.length + 1).fill(0))
  for (const { at, tag } of recent) {
    const bar = bars[Math.floor((at - start) / step)]
    const index = named.indexOf(groupOf(tag))
    const place = index < 0 ? named.length : index
    if (bar !== undefined) bar[place] = (bar[place] ?? 0) + 1
  }
  const highest = Math.max(4, ...bars.map((bar) => bar.reduce((sum, n) => sum + n, 0)))
  const others = groups.slice(GROUPS).reduce((sum, [, count]) => sum + count, 0)
  return (
    <figure class="plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={spoken(groups)}>
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} class="axis" />
        {bars.flatMap((bar, index) => stacked(bar, index, highest))}
      </svg>
      <figcaption>
        <span class="note">
          {recent.length} in 5 minutes, most in {SECONDS} s:{' '}
          {Math.max(...bars.map((bar) => bar.reduce((a, b) => a + b, 0)))}
        </span>
        <ul class="legend">
          {named.map((group, index) => (
            <li key={group}>
              <button type="button" class="quiet" title={`Show ${group} only`} onClick={() => choose(`${group}*`)}>
                <i class={`swatch g${index}`} /> {group} <b>{totals.get(group)}</b>
              </button>
            </li>
          ))}
          {others === 0 ? null : (
            <li>
              <i class={`swatch g${GROUPS}`} /> others <b>{others}</b>
            </li>
          )}
        </ul>
      </figcaption>
    </figure>
  )
}

function stacked(bar: readonly number[], index: number, highest: number) {
  const width = WIDTH / BARS
  let below = 0
  return bar.flatMap((count, group) => {
    if (count === 0) return []
    const height = (count / highest) * (HEIGHT - 4)
    below += height
    const colour = group === bar.length - 1 ? GROUPS : group
    return [
      <rect
        key={`${index}-${group}`}
        class={`g${colour}`}
        x={index * width + 1}
        y={HEIGHT - 1 - below}
        width={width - 2}
        height={height}
      />,
    ]
  })
}

function spoken(groups: readonly (readonly [string, number])[]): string {
  if (groups.length === 0) return 'No events in the last five minutes'
  return `Events in the last five minutes: ${groups.map(([group, count]) => `${group} ${count}`).join(', ')}`
}
