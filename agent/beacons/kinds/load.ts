// The `load` beacon: load averages beyond their bounds.
import { loadavg } from 'node:os'
import { float, isList, type Mapping } from '../../../core/value/index.ts'
import type { BeaconKind } from '../beacon.ts'
import { mapOf, numberOf } from '../entry.ts'

const spans = ['1m', '5m', '15m'] as const

/** Reads the averages of the last 1, 5 and 15 minutes. */
export type ReadLoad = () => readonly number[]

/** The kind, over this machine's load or another's. */
export function loadBeacon(read: ReadLoad = loadavg): BeaconKind {
  return {
    name: 'load',
    doc: `Tell the load averages when one leaves its bounds.

.. code-block:: yaml

    beacons:
      load:
        - averages:
            1m: [0.0, 2.0]
            5m: [0.0, 1.5]
            15m: [0.1, 1.0]
        - emitatstartup: True
        - onchangeonly: False`,
    unavailable: () => (process.platform === 'win32' ? 'Not available for Windows systems.' : undefined),
    validate,
    open() {
      let last: readonly number[] | undefined
      return {
        look(options) {
          const now = read()
          const told = isBeyond(options, now, last ?? now)
          const first = last === undefined
          const onChange = options.onchangeonly === true
          if (onChange) last = now
          if (!told || (onChange && first && options.emitatstartup === false)) return []
          return [Object.fromEntries(spans.map((span, index) => [span, float(now[index] ?? 0)]))]
        },
      }
    },
  }
}

/** On change: a bound was crossed since the last look; else: one is exceeded now. */
function isBeyond(options: Mapping, now: readonly number[], last: readonly number[]): boolean {
  const averages = mapOf(options.averages) ?? {}
  return spans.some((span, index) => {
    const bounds = averages[span]
    if (!isList(bounds)) return false
    const low = numberOf(bounds[0]) ?? 0
    const high = numberOf(bounds[1]) ?? Number.POSITIVE_INFINITY
    const [value = 0, before = 0] = [now[index], last[index]]
    if (options.onchangeonly !== true) return value < low || value > high
    return (value > high && before < high) || (value < low && before > low)
  })
}

function validate(options: Mapping): string | undefined {
  for (const name of ['emitatstartup', 'onchangeonly']) {
    if (options[name] !== undefined && typeof options[name] !== 'boolean')
      return `Configuration for load beacon option ${name} must be a boolean.`
  }
  const averages = mapOf(options.averages)
  if (averages === undefined) return 'Averages configuration is required for load beacon.'
  const given = spans.filter((span) => averages[span] !== undefined)
  if (given.length === 0) return 'Averages configuration for load beacon must contain 1m, 5m or 15m items.'
  const isPair = (span: string): boolean => isList(averages[span]) && averages[span].length === 2
  return given.every(isPair)
    ? undefined
    : 'Averages configuration for load beacon: 1m, 5m and 15m items must be a list of two items.'
}
