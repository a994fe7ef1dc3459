// The `ps` beacon: whether processes are there.
import { nameOf, processes } from '../../modules/ps/processes.ts'
import type { BeaconEvent, BeaconKind } from '../beacon.ts'
import { mapOf } from '../entry.ts'

/** The names of all processes. */
async function processNames(): Promise<ReadonlySet<string>> {
  return new Set((await processes()).map(nameOf))
}

/** The kind, over this machine's processes or others. */
export function psBeacon(names: () => Promise<ReadonlySet<string>> = processNames): BeaconKind {
  return {
    name: 'ps',
    doc: `Tell that processes run, or that they do not.

.. code-block:: yaml

    beacons:
      ps:
        - processes:
            salt-master: running
            mysql: stopped`,
    unavailable: () => (process.platform === 'linux' ? undefined : 'It reads /proc, which only Linux has.'),
    validate(options) {
      if (options.processes === undefined) return 'Configuration for ps beacon requires processes.'
      return mapOf(options.processes) === undefined ? 'Processes for ps beacon must be a dictionary.' : undefined
    },
    open: () => ({
      async look(options) {
        const running = await names()
        return Object.entries(mapOf(options.processes) ?? {}).flatMap(([name, wanted]): BeaconEvent[] => {
          if (wanted === 'running') return running.has(name) ? [{ [name]: 'Running' }] : []
          if (running.has(name)) return []
          return [{ [name]: wanted === 'stopped' ? 'Stopped' : false }]
        })
      },
    }),
  }
}
