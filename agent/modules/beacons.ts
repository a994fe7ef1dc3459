// The beacons as they are configured.
import { isMap } from '../../core/value/index.ts'
import { dumpYaml } from '../../core/yaml-writer/index.ts'
import { define, type ExecutionModule, examples } from './module.ts'

/** Salt's `beacons` module. */
export const beacons: ExecutionModule = {
  name: 'beacons',
  file: 'beacons',
  functions: {
    list: define(
      'return_yaml=True, include_pillar=True, include_opts=True, **kwargs',
      `List the beacons configured on the minion.

return_yaml
    False returns data instead of YAML text.${examples("brine '*' beacons.list")}`,
      (args, call) => {
        const pillar = call.agent.pillar().beacons ?? null
        const own = call.agent.opts.beacons ?? null
        const found = {
          ...(args.is('include_pillar') && pillar !== null && isMap(pillar) ? pillar : {}),
          ...(args.is('include_opts') && own !== null && isMap(own) ? own : {}),
        }
        return args.is('return_yaml') ? dumpYaml({ beacons: found }) : found
      },
      { readOnly: true },
    ),
    list_available: define(
      'return_yaml=True, **kwargs',
      `List the kinds of beacons this minion has.${examples("brine '*' beacons.list_available")}`,
      () => ({ beacons: {} }),
      { readOnly: true },
    ),
  },
}
