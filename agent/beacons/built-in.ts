// Every kind of beacon the agent brings along.
import type { BeaconKind } from './beacon.ts'
import { inotifyBeacon } from './inotify/inotify.ts'
import { loadBeacon } from './kinds/load.ts'
import { logBeacon } from './kinds/log.ts'
import { btmpBeacon, wtmpBeacon } from './kinds/logins.ts'
import { networkInfoBeacon } from './kinds/network-info.ts'
import { pkgBeacon } from './kinds/pkg.ts'
import { psBeacon } from './kinds/ps.ts'
import { serviceBeacon } from './kinds/service.ts'
import { statusBeacon } from './kinds/status.ts'
import { diskUsageBeacon, memoryUsageBeacon, swapUsageBeacon } from './kinds/usage.ts'

/** The built-in kinds on this machine, by name; a new one adds its line here. */
export function builtInBeacons(): BeaconKind[] {
  return [
    btmpBeacon(),
    diskUsageBeacon(),
    inotifyBeacon,
    loadBeacon(),
    logBeacon,
    memoryUsageBeacon(),
    networkInfoBeacon(),
    pkgBeacon,
    psBeacon(),
    serviceBeacon,
    statusBeacon,
    swapUsageBeacon(),
    wtmpBeacon(),
  ]
}
