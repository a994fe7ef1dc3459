// Salt's `service` states.
import type { Mapping } from '../../../core/value/index.ts'
import { modBeacon } from '../mod-beacon.ts'
import { defineState, type StateModule, slsExample } from '../state-module.ts'
import { boot, dead, masked, modWatch, running, unmasked } from './bring.ts'

const common = `

name
    The service; \`\`.service\`\` need not be said.`
const enable = `${common}
enable
    True has it started at boot, False not; by default that is left as it is.
init_delay
    Seconds to wait before the service is looked at again.
no_block
    Do not wait until it has started or stopped.`
const runtime = `${common}
runtime
    The mask until the next boot, which is another than the lasting one.`

function beaconOptions(name: string, data: Mapping): Mapping {
  const { onchangeonly = true, delay = 0, emitatstartup = false, uncleanshutdown } = data
  const shutdown = uncleanshutdown === undefined ? {} : { uncleanshutdown }
  return { services: { [name]: { onchangeonly, delay, emitatstartup, ...shutdown } }, interval: data.interval ?? 60 }
}

/** Services. */
export const service: StateModule = {
  name: 'service',
  functions: {
    running: defineState(
      'name, enable=None, sig=None, init_delay=None, **kwargs',
      `Ensure that a service runs. Where something it watches has changed it is restarted.${enable}
unmask, unmask_runtime
    Take a mask away first.
reload, full_restart
    On \`\`watch\`\`: reload the service, or restart it, which is the default.${slsExample(`
apache2:
  service.running:
    - enable: True
    - watch:
      - file: /etc/apache2/apache2.conf`)}`,
      running,
    ),
    dead: defineState(
      'name, enable=None, sig=None, init_delay=None, **kwargs',
      `Ensure that a service does not run.${enable}${slsExample(`
telnetd:
  service.dead:
    - enable: False`)}`,
      dead,
    ),
    enabled: defineState(
      'name, **kwargs',
      `Ensure that a service is started at boot, whether it runs now or not.${common}${slsExample(`
apache2:
  service.enabled: []`)}`,
      boot(true),
    ),
    disabled: defineState(
      'name, **kwargs',
      `Ensure that a service is not started at boot, whether it runs now or not.${common}${slsExample(`
apache2:
  service.disabled: []`)}`,
      boot(false),
    ),
    masked: defineState(
      'name, runtime=False',
      `Ensure that a service is masked: that it cannot be started.${runtime}${slsExample(`
apache2:
  service.masked: []`)}`,
      masked,
    ),
    unmasked: defineState(
      'name, runtime=False',
      `Ensure that a service is not masked.${runtime}${slsExample(`
apache2:
  service.unmasked: []`)}`,
      unmasked,
    ),
    mod_beacon: modBeacon('service', { kind: 'service', funs: ['running', 'dead'], options: beaconOptions }),
    mod_watch: defineState(
      'name, sfun=None, sig=None, reload=False, full_restart=False, init_delay=None, force=False, **kwargs',
      'Called where something that is watched has changed: restarts or reloads the service, or starts or stops it.',
      modWatch,
    ),
  },
}
