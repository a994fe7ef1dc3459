// The `state` runner: watching the bus.
import { matchTag } from '../../core/event/tag-glob.ts'
import { pythonStr } from '../../core/value/index.ts'
import type { EventLog } from '../ports.ts'
import type { MasterFunction } from '../run.ts'

/** Functions of the `state` runner. */
export function stateRunner(log: EventLog): Record<string, MasterFunction> {
  return {
    'state.event': {
      signature: {
        params: [
          { name: 'tagmatch', default: '*' },
          { name: 'count', default: -1 },
          { name: 'quiet', default: false },
          { name: 'sock_dir', default: null },
          { name: 'pretty', default: false },
          { name: 'node', default: 'master' },
        ],
      },
      doc: `    Watch Salt's event bus and block until the given tag is matched

    The command prints the events itself; called in another way this waits for \`count\` of them.

    CLI Example:

    .. code-block:: bash

        brine-run state.event
        brine-run state.event 'salt/job/*/ret/*' count=5
        brine-run state.event pretty=True
`,
      idempotent: true,
      async run({ named }) {
        const wanted = typeof named.count === 'number' ? named.count : -1
        // Without a count the watcher is the command; it ends when the command does, not here.
        if (wanted <= 0) return new Promise(() => undefined)
        const pattern = pythonStr(named.tagmatch ?? '*')
        let seen = 0
        for await (const batch of log.follow('now', new AbortController().signal)) {
          seen += batch.filter(({ event }) => matchTag(pattern, event.tag)).length
          if (seen >= wanted) break
        }
        return null
      },
    },
  }
}
