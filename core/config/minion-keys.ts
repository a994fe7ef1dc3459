// The configuration keys of a minion: Salt's names with Salt's defaults, and the few that Brine adds.
import type { Value } from '../value/index.ts'
import { type ConfigOf, key, ownKey, pathKey, unusedKey } from './key.ts'
import { logKeys, reactorKeys, rootsKeys, stateKeys } from './shared-keys.ts'
import { anything, collection, flag, host, map, number, oneOf, path, port, text, texts, whole } from './types.ts'

const empty: Value = {}

const placeKeys = {
  id: key(text, '', "The minion's name; empty for the machine's."),
  minion_id_lowercase: key(flag, false, "Write the machine's name in small letters."),
  append_domain: key(text, '', "A domain added to the machine's name."),
  user: key(text, 'root', 'The user that functions run as.'),
  root_dir: key(path, '/', 'A folder that all other paths are moved below.'),
  pki_dir: pathKey(path, '/etc/brine/pki/minion', "The minion's key, and the master's."),
  cachedir: pathKey(path, '/var/cache/brine/minion', 'What can be made again.'),
  data_dir: { ...pathKey(path, '/var/lib/brine/minion', 'The journal.'), own: true as const },
  sock_dir: pathKey(path, '/run/brine/minion', 'The folder of the local bus.'),
  log_file: pathKey(path, '/var/log/brine/minion', 'The log file.'),
}

const masterKeys = {
  master: key(text, 'salt', 'The master: a URL, or a host with `master_port`.'),
  master_port: key(port, 8000, "The port where `master` is a host. Salt's is 4506."),
  master_finger: key(text, '', "The fingerprint of the master's signing key; another key is not believed."),
  master_tls_finger: ownKey(
    text,
    '',
    "The SHA-256 fingerprint of the master's certificate, where no authority vouches for it.",
  ),
  master_id: ownKey(text, '', "What the proof of the key names: the master's `id`; empty for the origin of its URL."),
  ec2_identity: ownKey(
    oneOf('auto', 'always', 'never'),
    'auto',
    'Whether the signed identity document of EC2 goes with the proof of the key: on EC2, always, or never.',
  ),
  ec2_web_identity: ownKey(flag, false, 'On EC2, fetch a web identity token of AWS STS too (outbound federation).'),
  file_client: key(oneOf('remote', 'local'), 'remote', '`local` for a minion without a master.'),
  use_master_when_local: key(flag, false, 'With `file_client: local`, talk to the master all the same.'),
  acceptance_wait_time: key(number(), 10, 'Seconds between two tries while the key is pending.'),
  acceptance_wait_time_max: key(number(), 0, 'What that grows to, a step each time; 0 to stay.'),
  rejected_retry: unusedKey(flag, false, 'A minion that is rejected always asks again.'),
  random_reauth_delay: unusedKey(number(), 10, 'A minion proves its key anew at a time of its own.'),
  random_startup_delay: key(number(), 0, 'A random number of seconds, up to this, before the start.'),
  recon_default: unusedKey(
    number(),
    1000,
    'Events and returns wait in the journal and are sent again by themselves, at growing intervals.',
  ),
  recon_max: unusedKey(
    number(),
    10_000,
    'Events and returns wait in the journal and are sent again by themselves, at growing intervals.',
  ),
  recon_randomize: unusedKey(
    flag,
    true,
    'Events and returns wait in the journal and are sent again by themselves, at growing intervals.',
  ),
  return_retry_timer: unusedKey(
    number(),
    5,
    'Events and returns wait in the journal and are sent again by themselves, at growing intervals.',
  ),
  return_retry_timer_max: unusedKey(
    number(),
    10,
    'Events and returns wait in the journal and are sent again by themselves, at growing intervals.',
  ),
  proxy_host: key(host, '', 'The HTTP proxy on the way to the master and to web servers; with `proxy_port`.'),
  proxy_port: key(port, 0, "The proxy's port."),
  proxy_username: key(text, '', 'Who asks the proxy; with `proxy_password`.'),
  proxy_password: key(text, '', 'The password for it.'),
  no_proxy: key(
    texts,
    [],
    'Hosts that are asked without the proxy; `.example.org` for all below it, `*` for every one.',
  ),
}

const workKeys = {
  grains: key(map, empty, 'Grains of your own.'),
  start_event_grains: key(texts, [], 'Grains that ride along in the start event.'),
  grains_refresh_every: key(whole(), 0, 'Minutes between two looks at the grains; 0 for none.'),
  enable_legacy_startup_events: key(flag, true, 'Fire minion_start beside salt/minion/<id>/start.'),
  startup_states: key(oneOf('', 'highstate', 'sls', 'top'), '', 'What runs at the start.'),
  sls_list: key(texts, [], 'With `startup_states: sls`, the states.'),
  top_file: key(text, '', 'With `startup_states: top`, the top file.'),
  beacons: key(map, empty, 'What the minion watches.'),
  beacons_before_connect: key(flag, false, 'Start the beacons before the master is reached.'),
  mine_functions: key(collection, empty, 'Functions whose returns the master keeps for all.'),
  mine_interval: key(whole(1), 60, 'Minutes between two of them.'),
  mine_enabled: key(flag, true, 'Whether they run at all.'),
  loop_interval: key(number(0.1), 1, 'Seconds between two looks at beacons and schedule.'),
  disable_modules: key(texts, [], 'Modules that are not loaded.'),
  whitelist_modules: key(texts, [], 'The only modules that are loaded.'),
  return: key(texts, [], 'Returners that every return goes to, beside the master.'),
  schedule_returner: key(texts, [], 'Returners that the returns of scheduled jobs go to.'),
  webhook: ownKey(map, empty, 'The returner `webhook`: url, headers, secret, timeout.'),
  eventbridge: ownKey(
    map,
    empty,
    'The returner `eventbridge`: bus, region, keyid, key, source, detail_type, endpoint.',
  ),
  syslog: ownKey(map, empty, 'The returner `syslog`: level, facility, tag, options.'),
  disable_returners: key(texts, [], 'Returners that nothing is sent to.'),
  disabled_requisites: key(texts, [], 'Requisites that states do not keep to: `require_in`, `onfail` and so on.'),
  state_queue: key(anything, false, 'Let a state run wait for another; a number for how many.'),
  state_aggregate: key(anything, false, 'Join package installations.'),
  test: key(flag, false, 'Run states in test mode unless told otherwise.'),
  process_count_max: key(number(-1), -1, 'No more jobs at a time than this; -1 for any number.'),
  backup_mode: key(oneOf('', 'minion', 'master', 'both'), '', 'Where replaced files are kept.'),
  cmd_safe: key(flag, true, 'Take no shell syntax in `cmd.run` where a list was given.'),
  autosign_grains: key(
    texts,
    [],
    "Grains that are told to the master with a key it has not accepted, for its `autosign_grains_dir`: a secret of this machine's.",
  ),
}

/** Every key that a minion reads. */
export const minionKeys = {
  ...placeKeys,
  ...logKeys,
  ...masterKeys,
  ...workKeys,
  ...reactorKeys,
  ...rootsKeys,
  ...stateKeys,
}

/** A minion's configuration, every key with a value. */
export type MinionConfig = ConfigOf<typeof minionKeys>
