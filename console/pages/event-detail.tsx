// One event: its data, and the tree that grew from it.
import { type Api, asList, asMap, type JsonMap, text } from '../api/api.ts'
import type { SeenEvent } from '../api/bus.ts'
import { useAsked } from '../api/use.ts'
import { useHeading } from '../parts/focus.ts'
import { JsonView } from '../parts/json-view.tsx'
import { Answer } from '../parts/states.tsx'
import { exactly } from '../parts/tag-filter.ts'
import { clockOf } from '../parts/time.ts'
import { TraceTree } from './trace-tree.tsx'

/** The panel beside the list. */
export function EventDetail({ event, close }: { readonly event: SeenEvent; readonly close: () => void }) {
  const heading = useHeading()
  const trace = useAsked(async (api) => traceOf(api, event), [event.number])
  const leave = (key: KeyboardEvent): void => {
    if (key.key === 'Escape') close()
  }
  return (
    <section class="detail" aria-label="Event" onKeyDown={leave}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {event.tag}
        </h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      <p class="note">
        {clockOf(event.at)} · {event.stamp} UTC
      </p>
      <h3>
        What grew from it{' '}
        <button type="button" class="quiet" onClick={trace.reload}>
          Reload
        </button>
      </h3>
      <Answer asked={trace}>{(tree) => <TraceTree trace={tree} />}</Answer>
      <h3>Data</h3>
      {event.data === undefined ? (
        <p class="note">It came before this page was opened: its data was not sent here.</p>
      ) : (
        <JsonView value={event.data} label="The event's data" />
      )}
    </section>
  )
}

/** The stream tells no ids: the event is found in the log by its tag and stamp. */
async function traceOf(api: Api, { tag, stamp, id }: SeenEvent): Promise<JsonMap> {
  const listed =
    id === undefined ? asList(await api.runner('event.list', [], { tag: exactly(tag), since: stamp, limit: 1000 })) : []
  const found = listed.map(asMap).find(({ at }) => text(at) === stamp)
  return asMap(await api.runner('event.trace', [id ?? (text(found?.event) || tag)]))
}
