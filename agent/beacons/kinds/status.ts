// The `status` beacon: a health report of whatever the `status` module knows.
import { isList, isMap, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { BeaconKind } from '../beacon.ts'
import { mapOf } from '../entry.ts'

const usual: Mapping = Object.fromEntries(
  ['loadavg', 'cpustats', 'meminfo', 'vmstats', 'time'].map((fun) => [fun, ['all']]),
)

/** Asks `status.<function>` for each function named. Its tag is the time. */
export const statusBeacon: BeaconKind = {
  name: 'status',
  doc: `Tell how the machine is: what functions of the status module return, whole or in part.

.. code-block:: yaml

    beacons:
      status:
        - loadavg:
          - 1-min
        - time:
          - all`,
  validate: () => undefined,
  open: (world) => ({
    async look(options) {
      const asked = Object.keys(options).length === 0 ? usual : options
      const data: Mapping = {}
      for (const [fun, items] of Object.entries(asked)) {
        try {
          data[fun] = partsOf(await world.run(`status.${fun}`), isList(items) ? items : [items])
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'command')) throw error
          world.log.debug(`The status beacon could not ask status.${fun}: ${error.message}`)
          data[fun] = {}
        }
      }
      const stamp = new Date(world.now() / 1000).toISOString().replace('Z', '')
      return [{ tag: stamp.padEnd(26, '0'), data }]
    },
  }),
}

function partsOf(whole: Value, items: readonly Value[]): Value {
  if (items.includes('all')) return whole
  const parts: Mapping = {}
  for (const item of items) {
    const name = pythonStr(item)
    const part = isMap(whole) ? mapOf(whole)?.[name] : isList(whole) ? whole[Number(name)] : whole
    if (part === undefined) return `Status beacon is incorrectly configured: '${name}'`
    parts[name] = part
  }
  return parts
}
