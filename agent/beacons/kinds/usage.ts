// The `diskusage`, `memusage` and `swapusage` beacons: percentages beyond a threshold.
import { readFile, statfs } from 'node:fs/promises'
import { pythonRegex } from '../../../core/target/python-regex.ts'
import { float } from '../../../core/value/index.ts'
import type { BeaconEvent, BeaconKind } from '../beacon.ts'
import { numberOf } from '../entry.ts'

/** Reads the mount points of this machine. */
async function mountPoints(): Promise<string[]> {
  const text = await readFile('/proc/self/mounts', 'utf8')
  const points = text.split('\n').map((line) => line.split(' ')[1] ?? '')
  // The kernel writes blanks and the like as octal numbers.
  const read = points.map((point) =>
    point.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
  )
  return [...new Set(read)].filter((point) => point !== '')
}

/** Used of what a user may use, per cent with one digit, as `df` counts; undefined where it cannot be asked. */
async function diskPercent(mount: string): Promise<number | undefined> {
  try {
    const { blocks, bfree, bavail } = await statfs(mount)
    const used = blocks - bfree
    return used + bavail === 0 ? 0 : tenths((100 * used) / (used + bavail))
  } catch {
    return undefined
  }
}

/** Per cent of one of the kernel's totals that is not left. */
async function percentUsed(all: string, free: string): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8')
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  const total = kilobytes(all)
  return total === 0 ? 0 : tenths((100 * (total - kilobytes(free))) / total)
}

/** Per cent of the memory that programs could not have. */
const memoryPercent = (): Promise<number> => percentUsed('MemTotal', 'MemAvailable')

/** Per cent of the swap space that is in use; 0 where there is none. */
const swapPercent = (): Promise<number> => percentUsed('SwapTotal', 'SwapFree')

const tenths = (value: number): number => Math.round(value * 10) / 10

/** What they read, for tests in another place than this machine. */
export interface UsageReaders {
  readonly mounts: () => Promise<readonly string[]>
  readonly disk: (mount: string) => Promise<number | undefined>
  readonly memory: () => Promise<number>
  readonly swap: () => Promise<number>
}

const machine: UsageReaders = { mounts: mountPoints, disk: diskPercent, memory: memoryPercent, swap: swapPercent }

/** `diskusage`: each mount whose name an expression matches. */
export function diskUsageBeacon({ mounts, disk }: UsageReaders = machine): BeaconKind {
  return {
    name: 'diskusage',
    doc: `Tell how full disks are, once past a threshold. A mount point may be a regular expression.

.. code-block:: yaml

    beacons:
      diskusage:
        - /: 63%
        - '^/(?!home).*$': 90%
        - interval: 120`,
    validate: () => undefined,
    open: ({ log }) => ({
      async look(options) {
        const events: BeaconEvent[] = []
        const all = await mounts()
        for (const [pattern, threshold] of Object.entries(options)) {
          const bound = numberOf(threshold)
          if (bound === undefined) throw new TypeError(`the threshold of ${pattern} is no percentage`)
          const matches = pythonRegex(pattern.endsWith('$') ? pattern : `${pattern}$`)
          for (const mount of all.filter((point) => matches.test(point))) {
            const used = await disk(mount)
            if (used === undefined) log.warn(`${mount} is not a valid mount point.`)
            else if (used >= bound) events.push({ diskusage: float(used), mount })
          }
        }
        return events
      },
    }),
  }
}

/** `memusage`: the whole machine's. */
export const memoryUsageBeacon = ({ memory }: UsageReaders = machine): BeaconKind =>
  percentBeacon('memusage', 'memory', memory)

/** `swapusage`: the whole machine's. */
export const swapUsageBeacon = ({ swap }: UsageReaders = machine): BeaconKind =>
  percentBeacon('swapusage', 'swap space', swap)

function percentBeacon(name: string, what: string, used: () => Promise<number>): BeaconKind {
  return {
    name,
    doc: `Tell how much ${what} is used, once past a threshold.

.. code-block:: yaml

    beacons:
      ${name}:
        - percent: 63%`,
    validate(options) {
      if (options.percent === undefined) return `Configuration for ${name} beacon requires percent.`
      return numberOf(options.percent) === undefined ? `The percent of ${name} beacon must be a number.` : undefined
    },
    open: () => ({
      async look(options) {
        const now = await used()
        return now >= (numberOf(options.percent) ?? 100) ? [{ [name]: float(now) }] : []
      },
    }),
  }
}
