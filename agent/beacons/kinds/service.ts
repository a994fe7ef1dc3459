// The `service` beacon: whether services run.
import { existsSync } from 'node:fs'
import { type Mapping, pythonStr, pythonTruth } from '../../../core/value/index.ts'
import type { BeaconEvent, BeaconKind } from '../beacon.ts'
import { mapOf, numberOf } from '../entry.ts'

interface Seen {
  readonly running: boolean
  /** Microseconds since 1970 from which its delay counts; absent where the change was told. */
  readonly since?: number
}

/** Asks `service.status` for each service. */
export const serviceBeacon: BeaconKind = {
  name: 'service',
  doc: `Tell whether services run, always or when that changes.

.. code-block:: yaml

    beacons:
      service:
        - services:
            nginx:
              onchangeonly: True
              emitatstartup: False
              delay: 30
              uncleanshutdown: /run/nginx.pid`,
  validate(options) {
    if (options.services === undefined) return 'Configuration for service beacon requires services.'
    const services = mapOf(options.services)
    if (services === undefined) return 'Services configuration item for service beacon must be a dictionary.'
    return Object.values(services).every((service) => service === null || mapOf(service) !== undefined)
      ? undefined
      : 'Configuration for service beacon must be a list of dictionaries.'
  },
  open(world) {
    const seen = new Map<string, Seen>()
    return {
      async look(options) {
        const events: BeaconEvent[] = []
        for (const [name, written] of Object.entries(mapOf(options.services) ?? {})) {
          const service = mapOf(written) ?? {}
          const running = pythonTruth(await world.run('service.status', [name]))
          if (isToTell(service, running, name, seen, world.now()))
            events.push({ [name]: statusOf(service, running), service_name: name, tag: name })
        }
        return events
      },
    }
  },
}

function statusOf(service: Mapping, running: boolean): Mapping {
  if (running || service.uncleanshutdown === undefined) return { running }
  return { running, uncleanshutdown: existsSync(pythonStr(service.uncleanshutdown)) }
}

function isToTell(service: Mapping, running: boolean, name: string, seen: Map<string, Seen>, now: number): boolean {
  if (service.onchangeonly !== true) return true
  const delay = (numberOf(service.delay) ?? 0) * 1_000_000
  const before = seen.get(name)
  if (before === undefined && service.emitatstartup === false) {
    seen.set(name, { running })
    return false
  }
  if (before?.running !== running) {
    seen.set(name, delay > 0 ? { running, since: now } : { running })
    return delay <= 0
  }
  if (before.since === undefined || now - before.since <= delay) return false
  seen.set(name, { running })
  return true
}
