// Events: the bus, live, newest first.
import { useEffect, useState } from 'preact/hooks'
import type { SeenEvent } from '../api/bus.ts'
import { useBus, useMaster } from '../api/use.ts'
import { Plot } from '../parts/plot.tsx'
import { Empty, Problem } from '../parts/states.tsx'
import { isOwn, tagFilter } from '../parts/tag-filter.ts'
import { clockOf } from '../parts/time.ts'
import { EventDetail } from './event-detail.tsx'

/** Rows that are drawn; the filter reaches further back. */
const ROWS = 250

/** The page. */
export function EventsPage() {
  const { api } = useMaster()
  const [paused, setPaused] = useState<number>()
  const [typed, setTyped] = useState('')
  const [all, setAll] = useState(false)
  const [chosen, setChosen] = useState<SeenEvent>()
  const now = useClock(paused !== undefined)
  const bus = useBus()
  const wanted = tagFilter(typed)
  const seen = bus.events.filter((event) => (all || !isOwn(event, api.session.user)) && wanted(event.tag))
  const shown = paused === undefined ? seen : seen.filter(({ number }) => number < paused)
  const rows = shown.slice(-ROWS).reverse()
  const held = seen.length - shown.length
  const pause = (): void =>
    setPaused(paused === undefined ? 1 + Math.max(-1, ...bus.events.map(({ number }) => number)) : undefined)
  return (
    <>
      <div class="bar">
        <label class="grow">
          <span>Tag</span>
          <input
            type="search"
            placeholder="salt/job/*/ret/*"
            spellcheck={false}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <button type="button" aria-pressed={paused !== undefined} onClick={pause}>
          {paused === undefined ? 'Pause' : `Go on${held > 0 ? ` (${held} new)` : ''}`}
        </button>
        <label class="check">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
          this page's own calls
        </label>
      </div>
      {bus.state.kind === 'broken' ? (
        <Problem
          what={`The event stream is cut: ${bus.state.reason} It is opened again by itself, and nothing is missed.`}
        />
      ) : null}
      <Plot events={shown} now={paused === undefined ? now : (shown.at(-1)?.at ?? now)} choose={setTyped} />
      <div class={chosen === undefined ? 'split' : 'split open'}>
        <EventList rows={rows} total={shown.length} chosen={chosen} choose={setChosen} filtered={typed !== ''} />
        {chosen === undefined ? null : (
          <EventDetail key={chosen.number} event={chosen} close={() => setChosen(undefined)} />
        )}
      </div>
    </>
  )
}

interface ListProps {
  readonly rows: readonly SeenEvent[]
  readonly total: number
  readonly chosen: SeenEvent | undefined
  readonly choose: (event: SeenEvent) => void
  readonly filtered: boolean
}

function EventList({ rows, total, chosen, choose, filtered }: ListProps) {
  if (rows.length === 0)
    return (
      <Empty>
        {filtered ? (
          <p>
            No event fits. The filter is a shell glob over the whole tag; text without * ? [ is looked for anywhere in
            it.
          </p>
        ) : (
          <p>
            Nothing has happened yet. Fire an event: <code>brine-call event.send hello/world name=you</code>
          </p>
        )}
      </Empty>
    )
  return (
    <div>
      <ul class="events" aria-label="Events, newest first">
        {rows.map((event) => (
          <li key={event.number}>
            <button
              type="button"
              aria-expanded={chosen?.number === event.number}
              class={kindOf(event)}
              onClick={() => choose(event)}
            >
              <time>{clockOf(event.at)}</time>
              <span class="tag">{event.tag}</span>
              <span class="gist">{gistOf(event)}</span>
            </button>
          </li>
        ))}
      </ul>
      {total > rows.length ? (
        <p class="note">
          The newest {rows.length} of {total}.
        </p>
      ) : null}
    </div>
  )
}

/** Set apart: what failed. */
function kindOf({ tag, data }: SeenEvent): string {
  const failed = data?.success === false || (typeof data?.retcode === 'number' && data.retcode !== 0)
  return failed || tag.startsWith('brine/reactor/') ? 'failed' : ''
}

/** The data's most telling fields in a line. */
function gistOf({ data }: SeenEvent): string {
  if (data === undefined) return ''
  const told = ['id', 'act', 'fun', 'tgt', 'minions', 'return', 'data']
  return told
    .filter((name) => data[name] !== undefined)
    .map((name) => `${name}=${JSON.stringify(data[name]).slice(0, 80)}`)
    .join(' ')
    .slice(0, 160)
}

/** The time, told again each second so that the plot moves on. */
function useClock(stands: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (stands) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [stands])
  return now
}
