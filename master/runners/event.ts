// The `event` runner: events fired by hand, fired again, listed and traced.
import { isMapping, type Mapping, pythonStr } from '../../core/value/index.ts'
import type { MasterFunction } from '../run.ts'
import { eventListRunner } from './event-list.ts'
import { eventReplayRunner, type ReplayNeeds } from './event-replay.ts'
import { eventTraceRunner, type TraceNeeds } from './event-trace.ts'

/** What the runner needs. */
export interface EventNeeds extends TraceNeeds, ReplayNeeds {}

/** Keywords that say what else is told, and are no data. */
const notAdded = new Set(['preload', 'with_env', 'with_grains', 'with_pillar', 'with_env_opts'])

/** Functions of the `event` runner. */
export function eventRunner(needs: EventNeeds): Record<string, MasterFunction> {
  return {
    'event.send': {
      signature: {
        params: [{ name: 'tag' }, { name: 'data', default: null }],
        // Salt's runner takes no more; `preload` and the `with_` words are those of the minion's function of this name.
        varKwargs: true,
      },
      doc: `    Send an event to the Salt Master

    The data is a map; keyword arguments are added to it, and where both name a key the data wins.

    CLI Example:

    .. code-block:: bash

        brine-run event.send myco/mytag foo=Foo bar=Bar
        brine-run event.send 'myco/mytag' '{"foo": "Foo", "bar": "Bar"}'
`,
      async run({ named, rest }, context) {
        const given: Mapping = isMapping(named.data) ? named.data : {}
        const preload: Mapping = isMapping(rest.preload) ? rest.preload : {}
        const added = Object.fromEntries(Object.entries(rest).filter(([name]) => !notAdded.has(name)))
        const [fired] = await needs.fire({
          tag: pythonStr(named.tag ?? ''),
          data: { ...preload, ...added, ...given },
          cause: context.cause,
        })
        // Salt's event.send stamps the very map it was given, which the run's `ret` then shows.
        if (isMapping(named.data) && isMapping(fired?.data)) named.data._stamp = fired.data._stamp ?? null
        return true
      },
    },
    ...eventListRunner(needs),
    ...eventReplayRunner(needs),
    ...eventTraceRunner(needs),
  }
}
