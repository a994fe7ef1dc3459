// `event.list`: the newest events of the log with their ids.
import type { Event } from '../../core/event/event.ts'
import { stampInstant } from '../../core/event/stamp.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import { get, pythonStr } from '../../core/value/index.ts'
import type { Clock, EventLog } from '../ports.ts'
import { type MasterFunction, RunError } from '../run.ts'
import { readInstant } from './instant.ts'
import { knownFields } from './known-fields.ts'
import { aboutEvent } from './reactor-explain.ts'

/** Microseconds by which stamps may be out of the log's order. */
const outOfOrder = 60_000_000

/** The function. */
export function eventListRunner(needs: {
  readonly log: EventLog
  readonly clock: Clock
}): Record<string, MasterFunction> {
  return {
    'event.list': {
      signature: {
        params: [
          { name: 'tag', default: '*' },
          { name: 'since', default: null },
          { name: 'limit', default: 20 },
        ],
      },
      doc: `    List the newest events of the log with their ids, oldest first

    The tag is a glob, as in the reactor's configuration. \`since\` is a UTC time, or so long ago: 15m, 2h, 1d.

    CLI Example:

    .. code-block:: bash

        brine-run event.list
        brine-run event.list 'salt/minion/*/start' limit=5
        brine-run event.list since=15m --out json
`,
      readOnly: true,
      idempotent: true,
      out: 'event_list',
      async run({ named }) {
        const glob = pythonStr(named.tag ?? '*')
        const since = readInstant(named.since, 'since', needs.clock.now()) ?? 0
        const limit = Number(named.limit ?? 20)
        if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
          throw new RunError(`limit=${pythonStr(named.limit ?? null)} is no number of events from 1 to 10000.`)
        const newest: Event[] = []
        for await (const events of needs.log.back()) {
          const times = events.map((event) => stampInstant(pythonStr(get(event.data, '_stamp') ?? '')) ?? 0)
          newest.push(...events.filter((event, at) => (times[at] ?? 0) >= since && matchTag(glob, event.tag)))
          if (newest.length >= limit || Math.max(...times) < since - outOfOrder) break
        }
        return newest
          .slice(0, limit)
          .reverse()
          .map((event) => knownFields({ event: event.id, tag: event.tag, ...aboutEvent(event) }))
      },
    },
  }
}
