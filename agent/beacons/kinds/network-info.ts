// The `network_info` beacon: counters of network interfaces that reach a value.
import { readFile } from 'node:fs/promises'
import type { Mapping } from '../../../core/value/index.ts'
import type { BeaconEvent, BeaconKind } from '../beacon.ts'
import { mapOf, numberOf } from '../entry.ts'

/** psutil's names, and which column of /proc/net/dev each is. */
const columns = {
  bytes_sent: 8,
  bytes_recv: 0,
  packets_sent: 9,
  packets_recv: 1,
  errin: 2,
  errout: 10,
  dropin: 3,
  dropout: 11,
} as const

type Counter = keyof typeof columns
const counters = Object.keys(columns) as Counter[]

/** The counters in the text of /proc/net/dev, by interface. */
function interfaceCounters(text: string): Map<string, Readonly<Record<Counter, number>>> {
  const found = new Map<string, Readonly<Record<Counter, number>>>()
  for (const line of text.split('\n')) {
    const [, name, numbers] = /^\s*([^:\s]+):\s*(\d[\d\s]*)$/.exec(line) ?? []
    if (name === undefined || numbers === undefined) continue
    const all = numbers.trim().split(/\s+/).map(Number)
    const values = counters.map((counter) => [counter, all[columns[counter]] ?? 0])
    found.set(name, Object.fromEntries(values) as Record<Counter, number>)
  }
  return found
}

/** The kind, over this machine's /proc/net/dev or another text. */
export function networkInfoBeacon(read: () => Promise<string> = () => readFile('/proc/net/dev', 'utf8')): BeaconKind {
  return {
    name: 'network_info',
    doc: `Tell an interface's counters when one of them equals, or exceeds, a value.

.. code-block:: yaml

    beacons:
      network_info:
        - interfaces:
            eth0:
              type: greater
              bytes_sent: 100000
              errin: 100`,
    unavailable: () => (process.platform === 'linux' ? undefined : 'It reads /proc/net/dev, which only Linux has.'),
    validate,
    open: () => ({
      async look(options) {
        const events: BeaconEvent[] = []
        const stats = interfaceCounters(await read())
        for (const [name, written] of Object.entries(mapOf(options.interfaces) ?? {})) {
          const now = stats.get(name)
          const wanted = mapOf(written) ?? {}
          if (now !== undefined && isReached(wanted, now))
            events.push({ interface: name, network_info: { ...now } as Mapping })
        }
        return events
      },
    }),
  }
}

function isReached(wanted: Mapping, now: Readonly<Record<Counter, number>>): boolean {
  return counters.some((counter) => {
    const bound = numberOf(wanted[counter])
    if (bound === undefined) return false
    return wanted.type === 'greater' ? now[counter] > bound : now[counter] === bound
  })
}

function validate(options: Mapping): string | undefined {
  for (const written of Object.values(mapOf(options.interfaces) ?? {})) {
    const wanted = mapOf(written)
    if (wanted === undefined) return 'Configuration for network_info beacon must be a list of dictionaries.'
    if (!['type', ...counters].some((name) => wanted[name] !== undefined))
      return 'Invalid configuration item in Beacon configuration.'
  }
  return undefined
}
