// The configuration keys of a master: Salt's names with Salt's defaults, and the few that Brine adds.
import type { Value } from '../value/index.ts'
import { type ConfigOf, key, optionalPathKey, ownKey, pathKey, unusedKey } from './key.ts'
import { logKeys, reactorKeys, rootsKeys, stateKeys } from './shared-keys.ts'
import { anything, collection, flag, map, number, only, optionalText, path, port, text, texts, whole } from './types.ts'

const empty: Value = {}

const placeKeys = {
  id: key(
    text,
    '',
    'The name minions name in their assertions; empty for the origin of the bootstrap URL. As its own minion the master is called so; where it is empty, `<host>_master`.',
  ),
  interface: key(
    text,
    '127.0.0.1',
    'The address to listen on where `rest_cherrypy` has no `host`. Salt listens on all.',
  ),
  user: key(text, 'root', 'The name in events of who uses the local socket.'),
  root_dir: key(path, '/', 'A folder that all other paths are moved below.'),
  pki_dir: pathKey(
    path,
    '/etc/brine/pki/master',
    "Keys: the master's own, and what is left of the minions' outside the store.",
  ),
  cachedir: pathKey(path, '/var/cache/brine/master', 'What can be made again.'),
  data_dir: {
    ...pathKey(path, '/var/lib/brine/master', 'The store: events, jobs, the ledger, keys, minions.'),
    own: true as const,
  },
  sock_dir: pathKey(path, '/run/brine/master', 'The folder of the local socket; only its owner may enter.'),
  log_file: pathKey(path, '/var/log/brine/master', 'The log file.'),
}

const apiKeys = {
  rest_cherrypy: key(
    map,
    empty,
    "The REST API, with Salt's names: port (8000), host, ssl_crt, ssl_key, disable_ssl, webhook_url and others.",
  ),
  netapi_enable_clients: key(
    texts,
    [],
    'The clients that the REST API offers: local, local_async, runner, wheel and others.',
  ),
  external_auth: key(map, empty, 'Who may log in and call what.'),
  sharedsecret: key(optionalText, null, 'The secret of the `sharedsecret` backend.'),
  token_expire: key(whole(1), 43_200, 'Seconds until an API token ends.'),
  rest_keygen: ownKey(flag, false, 'Let POST /keys of the API make a private key on the master and hand it out.'),
  publisher_acl: unusedKey(
    map,
    empty,
    'Say in `external_auth` who may call what; the socket is for who started the master, and for root.',
  ),
}

/** The keys under `rest_cherrypy`. */
export const restKeys = {
  port: key(port, 8000, 'The port of the API and of the minions.'),
  host: key(optionalText, null, 'The address it listens on; `interface` where it is not set.'),
  disable_ssl: key(flag, false, 'Plain HTTP, on loopback alone.'),
  ssl_crt: key(
    optionalText,
    null,
    'The certificate, PEM. Without one the master makes itself one, `tls.crt` in `pki_dir`.',
  ),
  ssl_key: key(optionalText, null, 'Its key, PEM.'),
  ssl_chain: key(optionalText, null, 'The certificates between it and the authority, PEM.'),
  root_prefix: key(text, '/', 'The path below which the API stands.'),
  webhook_url: key(text, '/hook', 'The path of the hooks.'),
  webhook_disable_auth: key(flag, false, 'Take hooks without a token.'),
  cors_origin: key(texts, [], 'The origins whose pages may call the API.'),
  stats_disable_auth: key(flag, false, 'Show /stats to anybody.'),
  authorized_ips: key(texts, [], 'The only addresses that may use the API; empty for all.'),
  api_acl: key(map, empty, 'From which addresses a user may log in: `users: {name: [address]}`.'),
  webhook_hmac: ownKey(
    anything,
    [],
    'Hooks that have to be signed: a list of maps with `path` (a glob), `secret` and `form: github`, or `header`, `prefix`, `algorithm` and `encoding`.',
  ),
  max_request_body_size: key(whole(), 1_048_576, 'The largest request, in bytes.'),
  static: key(optionalText, null, 'A folder of files to serve.'),
  static_path: key(text, '/static', 'The path of these.'),
  app: key(optionalText, null, 'An HTML file to serve.'),
  app_path: key(text, '/app', 'The path of that.'),
}

/** What stands under `rest_cherrypy`. */
export type RestConfig = ConfigOf<typeof restKeys>

const keyKeys = {
  auto_accept: key(flag, false, 'Accept every key. For laboratories.'),
  open_mode: key(
    only(
      false,
      'It would let anybody take any name. Accept keys with brine-key, a reactor on salt/auth, or auto_accept',
    ),
    false,
    'Refused.',
  ),
  autosign_file: optionalPathKey(
    'A file of ids (names, shell patterns, regular expressions) whose new keys are accepted. A name proves nothing.',
  ),
  autoreject_file: optionalPathKey('A file of ids whose new and pending keys are rejected, whatever else says.'),
  autosign_grains_dir: optionalPathKey(
    'A folder with a file for each grain: who tells one of the values of all of them is accepted.',
  ),
  permissive_pki_access: key(flag, false, 'Believe these files where their group may write them.'),
  max_minions: key(whole(), 0, 'No more accepted keys than this; 0 for any number.'),
  auth_events: key(flag, true, 'Fire salt/auth.'),
  identity_certificates: ownKey(
    map,
    empty,
    "Certificates (PEM) by region that sign EC2's identity documents, beside AWS's own: `{region: text}`.",
  ),
  max_pending_keys: ownKey(whole(1), 10_000, 'No more pending keys than this; a further one has to wait.'),
  pend_interval: ownKey(
    number(),
    600,
    'Seconds between two pend events of one key; 0 fires one at each try, as Salt does.',
  ),
  minion_token_seconds: ownKey(whole(30), 900, 'Seconds until a minion has to prove its key again; at most 900.'),
}

const eventKeys = {
  orchestration_events: ownKey(
    flag,
    false,
    'Fire an event for each step of an orchestration that has ended: `salt/run/<jid>/prog/<master>/<n>`.',
  ),
  presence_events: key(flag, false, 'Fire salt/presence/present and salt/presence/change.'),
  loop_interval: key(number(1), 60, 'Seconds between two looks at presence and at what has to be cleaned up.'),
  legacy_events: ownKey(flag, true, 'Fire, beside salt/job/…, the bare <jid> event of each job.'),
  minion_data_cache: unusedKey(flag, true, 'What minions send is kept in the store.'),
  minion_data_cache_events: unusedKey(flag, true, 'The event is always fired.'),
  event_keep_seconds: ownKey(whole(60), 86_400, 'Seconds that the log keeps an event.'),
  event_keep: ownKey(whole(1000), 1_000_000, 'Events that the log keeps at most; the oldest go first.'),
  ledger_keep_seconds: ownKey(
    whole(60),
    604_800,
    'Seconds that plans and how their reactions ended are kept: what reactor.explain tells of.',
  ),
  audit_days: ownKey(whole(1), 90, 'Days that the audit is kept.'),
}

const jobKeys = {
  timeout: key(number(), 5, 'Seconds that brine waits for returns before it asks who is still at it.'),
  gather_job_timeout: key(number(), 10, 'Seconds that it waits for that answer.'),
  keep_jobs_seconds: key(whole(), 86_400, 'Seconds that a job and its returns are kept.'),
  keep_jobs: key(whole(), 24, 'Hours that a job and its returns are kept, where `keep_jobs_seconds` is not written.'),
  job_cache: unusedKey(flag, true, 'Jobs are kept in the store, for `keep_jobs_seconds`.'),
  reaction_expiry: ownKey(number(1), 3600, 'Seconds within which a job of a reactor has to start.'),
  nodegroups: key(collection, empty, 'Names of targets.'),
  runner_dirs: key(texts, [], 'Folders of runners of your own.'),
  http_query_link_local: ownKey(
    flag,
    false,
    'The runner `http.query` may ask link-local addresses and metadata services, from which credentials can be had.',
  ),
  cli_summary: key(flag, false, 'Print a summary after the returns.'),
  show_jid: key(flag, false, 'Print the jid.'),
  show_timeout: key(flag, true, 'Print who did not return.'),
  peer: unusedKey(map, empty, 'Minions ask nothing of others: use the mine, or an event that a reactor answers.'),
  peer_run: unusedKey(map, empty, 'Minions run no runners: fire an event that a reactor answers.'),
}

const fileKeys = {
  file_recv: key(flag, false, 'Take files that minions push (`cp.push`), each below its own folder.'),
  file_recv_max_size: key(whole(), 100, 'The largest of them, in MB; on AWS 4 at most.'),
  ext_pillar: key(
    anything,
    [],
    'On AWS, pillar from elsewhere: a list of `ssm: {path: /pillar/{id}}` and `secretsmanager: {secrets: {key: name}}`, with `tgt` where it is not for all.',
  ),
  pillar_opts: key(flag, false, "Put the master's configuration into the pillar."),
  pillar_safe_render_error: key(flag, true, 'Do not show a minion why its pillar failed.'),
  pillar_source_merging_strategy: key(text, 'smart', 'How pillars of several files become one.'),
  pillar_merge_lists: key(flag, false, 'Join lists instead of replacing them.'),
  jinja_env: key(map, empty, 'Settings of Jinja for reactors and files.'),
  jinja_sls_env: key(map, empty, 'Settings of Jinja for states.'),
}

/** Every key that a master reads. */
export const masterKeys = {
  ...placeKeys,
  ...logKeys,
  ...apiKeys,
  ...keyKeys,
  ...reactorKeys,
  ...eventKeys,
  ...jobKeys,
  ...rootsKeys,
  ...fileKeys,
  ...stateKeys,
}

/** A master's configuration, every key with a value. */
export type MasterConfig = ConfigOf<typeof masterKeys>
