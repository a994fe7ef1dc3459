// The settings of a master that steer its minions' state runs.
import type { Mapping } from '../core/value/index.ts'

/** Those that Salt's minions take from their master. */
const steering = [
  'failhard',
  'state_top',
  'state_top_saltenv',
  'nodegroups',
  'state_auto_order',
  'top_file_merging_strategy',
  'env_order',
  'default_top',
  'state_events',
  'jinja_env',
  'jinja_sls_env',
]

/** Of all options of a master those that its minions take for a state run. */
export function stateOptionsOf(opts: Mapping): Mapping {
  return Object.fromEntries(steering.flatMap((key) => (opts[key] === undefined ? [] : [[key, opts[key]]])))
}
