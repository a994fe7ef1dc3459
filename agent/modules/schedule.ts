// The schedule as it is configured.
import { isMap, isMapping, type Mapping } from '../../core/value/index.ts'
import { dumpYaml } from '../../core/yaml-writer/index.ts'
import { define, type ExecutionModule, examples } from './module.ts'

/** Salt's `schedule` module. */
export const schedule: ExecutionModule = {
  name: 'schedule',
  file: 'schedule',
  functions: {
    list: define(
      'show_all=False, show_disabled=True, where=None, return_yaml=True, offline=False',
      `List the jobs scheduled on the minion.

show_all
    Also those whose names begin with two underscores.${examples("brine '*' schedule.list", "brine '*' schedule.list show_all=True")}`,
      (args, call) => {
        const configured = call.agent.opts.schedule ?? null
        const jobs: Mapping = {}
        for (const [name, job] of Object.entries(isMapping(configured) ? configured : {})) {
          if (name.startsWith('__') && !args.is('show_all')) continue
          if (job === null || !isMap(job)) continue
          const enabled = isMapping(job) ? (job.enabled ?? true) : true
          if (enabled === false && !args.is('show_disabled')) continue
          jobs[name] = { ...job, enabled, ...(args.is('return_yaml') ? { saved: false } : {}) }
        }
        return args.is('return_yaml') ? dumpYaml({ schedule: jobs }) : jobs
      },
      { readOnly: true },
    ),
  },
}
