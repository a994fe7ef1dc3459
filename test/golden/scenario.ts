// What was typed when the transcripts were recorded, as data. The order matters: what a step finds, those before it left.
//
// Program names are Salt's; `-c etc/…` is put in by the runner. A step whose transcript is not there is run all the
// same, since later ones may build on it.

/** A Salt program with its arguments. */
export type Argv = readonly [program: 'salt' | 'salt-run' | 'salt-key' | 'salt-call', ...args: readonly string[]]

/** One step of a scenario. */
export type Step =
  /** A command whose exit code, stdout and stderr are compared. `retry`: what it asks about may take a moment. */
  | {
      readonly kind: 'command'
      readonly name: string
      readonly argv: Argv
      readonly stdin?: string
      readonly retry?: boolean
    }
  /** A bus stream during some steps. */
  | {
      readonly kind: 'events'
      readonly name: string
      readonly during: readonly During[]
      readonly tag?: string
      readonly env?: Readonly<Record<string, string>>
    }
  /** `state.event` that ends by itself after an event fired meanwhile. */
  | { readonly kind: 'one-event'; readonly name: string; readonly argv: Argv; readonly fire: string }
  /** An event fired on the bus, and what follows it. */
  | {
      readonly kind: 'reaction'
      readonly name: string
      readonly tag: string
      readonly data: Readonly<Record<string, unknown>>
    }
  | During

/** What happens between or during captures. */
export type During =
  | { readonly kind: 'type'; readonly argv: Argv }
  /** Starts a minion; `join`: waits until it has joined, `ask`: until its key was seen. */
  | { readonly kind: 'start'; readonly minion: string; readonly until: 'join' | 'ask' }
  | { readonly kind: 'stop'; readonly minion: string }
  /** Waits for an event of that tag, fired after the last step began. */
  | { readonly kind: 'await'; readonly tag: string; readonly has?: Readonly<Record<string, unknown>> }
  /** Starts a job and keeps its jid as `$JID` for the steps that follow. */
  | { readonly kind: 'job'; readonly argv: Argv }
  /** Waits until the job `$JID` has returned. */
  | { readonly kind: 'job-done' }

const salt = (...args: readonly string[]): Argv => ['salt', ...args]
const run = (...args: readonly string[]): Argv => ['salt-run', ...args]
const key = (...args: readonly string[]): Argv => ['salt-key', ...args]
const call = (...args: readonly string[]): Argv => ['salt-call', ...args]
const command = (name: string, argv: Argv, more: { stdin?: string; retry?: boolean } = {}): Step => ({
  kind: 'command',
  name,
  argv,
  ...more,
})
const type = (argv: Argv): During => ({ kind: 'type', argv })
const events = (name: string, ...argvs: readonly Argv[]): Step => ({ kind: 'events', name, during: argvs.map(type) })
const accepted = (minion: string): During => ({ kind: 'await', tag: 'salt/auth', has: { id: minion, act: 'accept' } })
const started = (minion: string): During => ({ kind: 'await', tag: `salt/minion/${minion}/start` })

/** cap1_keys.py: keys of two minions that start against an empty store. */
const keys: readonly Step[] = [
  command('key_L_empty', key('-L')),
  command('key_L_empty_json', key('-L', '--out=json')),
  {
    kind: 'events',
    name: '01_minion_auth_pend',
    during: [
      { kind: 'start', minion: 'web-asg-1', until: 'ask' },
      { kind: 'start', minion: 'db1', until: 'ask' },
    ],
  },
  command('key_L_pending', key('-L')),
  command('key_L_pending_json', key('-L', '--out=json')),
  command('key_L_pending_yaml', key('-L', '--out=yaml')),
  command('key_l_un', key('-l', 'un')),
  command('key_l_acc', key('-l', 'acc')),
  command('key_F', key('-F')),
  command('key_f', key('-f', 'web-asg-1')),
  command('key_p', key('-p', 'web-asg-1')),
  command('key_a_nomatch', key('-y', '-a', 'nosuch')),
  {
    kind: 'events',
    name: '02_key_accept_minion_start',
    during: [
      { kind: 'await', tag: 'salt/auth', has: { id: 'db1', act: 'pend' } },
      { kind: 'await', tag: 'salt/auth', has: { id: 'web-asg-1', act: 'pend' } },
      type(key('-y', '-a', 'web-asg-1')),
      started('web-asg-1'),
    ],
  },
  command('key_a_again', key('-y', '-a', 'web-asg-1')),
  {
    kind: 'events',
    name: '03_key_accept_all',
    during: [
      { kind: 'await', tag: 'salt/auth', has: { id: 'db1', act: 'pend' } },
      type(key('-y', '-A')),
      started('db1'),
    ],
  },
  command('key_A_none', key('-y', '-A')),
  command('key_L_accepted', key('-L')),
]

/** cap2_events.py: what commands fire. */
const streams: readonly Step[] = [
  events('10_test_ping', salt('*', 'test.ping')),
  events(
    '11_event_send_json',
    call('event.send', 'lab/custom/deploy', '{"ref": "master", "n": 3, "nested": {"a": [1, 2]}}'),
  ),
  events(
    '12_event_send_kv',
    call('event.send', 'lab/custom/kv', 'who=me', 'count=5', 'flag=True', 'lst=[1,2]', 'nul=null'),
  ),
  events('13_event_send_with_grains', call('event.send', 'lab/custom/grains_all', 'with_grains=True')),
  events(
    '14_event_send_with_grains_list',
    call('event.send', 'lab/custom/grains', 'with_grains=[os,role,nosuch]'),
    call('event.send', 'lab/custom/grains2', '{"k":"v"}', 'with_grains=["os"]'),
  ),
  events(
    '15_event_send_with_pillar',
    call('event.send', 'lab/custom/pillar', 'with_pillar=["app","nosuch"]'),
    call('event.send', 'lab/custom/pillar_all', 'with_pillar=True'),
  ),
  {
    kind: 'events',
    name: '16_event_send_with_env',
    env: { LAB_ENV: 'lab' },
    during: [
      type(call('event.send', 'lab/custom/env', 'with_env=["LAB_ENV","NOSUCH"]')),
      type(call('event.send', 'lab/custom/env_opts', 'with_env_opts=True')),
    ],
  },
  events(
    '17_event_fire',
    call('event.fire', '{"data":"local"}', 'lab/fired/local'),
    call('event.fire_master', '{"data":"my event data"}', 'lab/fired/master'),
    call('event.fire_master', 'plainstring', 'lab/fired/str'),
  ),
  events(
    '18_salt_event_send',
    salt('db1', 'event.send', 'lab/from/cli', '{"a":1}'),
    salt('db1', 'event.fire_master', '{"a":1}', 'lab/from/cli2'),
  ),
  events(
    '19_event_send_nodata_badjson',
    call('event.send', 'lab/custom/nodata'),
    call('event.send', 'lab/custom/bad', '{not json'),
    call('event.send', 'lab/custom/list', '[1,2]'),
    call('event.send', 'lab/custom/preload', '{"a":1}', 'preload={"pre":"x"}'),
  ),
  events('20_runner_manage_up', run('manage.up')),
  events('21_runner_async', run('--async', 'lab.noop', 'n=1')),
  events('22_runner_bad', run('nosuch.fun'), run('lab.noop', '1', '2', 'x=3')),
  events('23_state_sls_state_events', salt('db1', 'state.sls', 'x')),
  events('24_highstate_no_top', salt('db1', 'state.highstate')),
  events('25_state_test', salt('db1', 'state.sls', 'x', 'test=True')),
  events('26_batch', salt('--batch-size', '1', '*', 'test.ping')),
  events('27_async', salt('--async', '*', 'test.ping')),
  events('28_noreturn', salt('-L', 'db1,ghost', 'test.ping')),
  events('29_orch_ok', run('state.orchestrate', 'orch.deploy_ok')),
  events('30_orch_seed', run('state.orchestrate', 'orch.deploy')),
  events('31_orch_fail', run('state.orchestrate', 'orch.fail')),
  events(
    '32_failhard_fun',
    salt('db1', 'nosuch.fun'),
    salt('db1', 'test.echo'),
    salt('db1', 'cmd.run', 'exit 3'),
    salt('db1', 'state.sls', 'fail'),
    salt('db1', 'state.sls', 'nosuchsls'),
  ),
  events('33_runner_event_send', run('event.send', 'lab/runner/send', '{"a":1}'), call('state.sls', 'x')),
  {
    kind: 'events',
    name: '34_filtered_fnmatch',
    tag: 'lab/*/b?',
    during: ['lab/a/b1', 'lab/a/c/b2', 'lab/a/b', 'xlab/a/b1'].map((tag) => type(run('event.send', tag, '{"a":1}'))),
  },
]

/** cap6_more.py without salt-api: a minion that is down, keys that are taken away. */
const troubles: readonly Step[] = [
  { kind: 'stop', minion: 'web-asg-1' },
  events('42_minion_down', salt('*', 'test.ping')),
  command('err_minion_down', salt('*', 'test.ping')),
  command('err_minion_down_json', salt('--out=json', '*', 'test.ping')),
  command('err_minion_down_batch', salt('--batch-size', '1', '*', 'test.ping')),
  command('run_manage_status_down', run('manage.status')),
  command('run_manage_down_down', run('manage.down')),
  command('orch_ok_minion_down', run('state.orchestrate', 'orch.deploy_ok')),
  { kind: 'start', minion: 'web-asg-1', until: 'join' },
  {
    kind: 'events',
    name: '43_key_reject_delete',
    during: [
      type(key('-y', '-d', 'web-asg-1')),
      { kind: 'stop', minion: 'web-asg-1' },
      { kind: 'start', minion: 'web-asg-1', until: 'ask' },
      type(key('-y', '-r', 'web-asg-1')),
      { kind: 'await', tag: 'salt/auth', has: { id: 'web-asg-1', result: false } },
      type(key('-L')),
      type(key('-y', '-a', 'web-asg-1', '--include-rejected')),
    ],
  },
  command('key_d_nomatch', key('-y', '-d', 'nosuch')),
  { kind: 'stop', minion: 'web-asg-1' },
  command('key_d', key('-y', '-d', 'web-asg-1')),
  { kind: 'start', minion: 'web-asg-1', until: 'ask' },
  command('key_r', key('-y', '-r', 'web-asg-1')),
  command('key_L_rejected', key('-L')),
  command('key_a_prompt_yes', key('-a', 'web-asg-1', '--include-rejected'), { stdin: 'y\n' }),
  command('key_a_prompt_no', key('-d', 'db1'), { stdin: 'n\n' }),
  command('key_a_json', key('-y', '-a', 'nosuch', '--out=json')),
  command('key_D_prompt_no', key('-D'), { stdin: 'n\n' }),
  command('key_L_end', key('-L')),
  { kind: 'stop', minion: 'web-asg-1' },
  { kind: 'start', minion: 'web-asg-1', until: 'join' },
]

/** cap8_autoaccept.py: the reactor accepts a minion. */
const autoAccept: readonly Step[] = [
  { kind: 'start', minion: 'asg-new-1', until: 'join' },
  { kind: 'stop', minion: 'asg-new-1' },
  command('key_d_asg_pre', key('-y', '-d', 'asg-new-1')),
  {
    kind: 'events',
    name: '44_reactor_auto_accept',
    during: [{ kind: 'start', minion: 'asg-new-1', until: 'join' }, accepted('asg-new-1'), started('asg-new-1')],
  },
  { kind: 'stop', minion: 'asg-new-1' },
  command('key_d_asg', key('-y', '-d', 'asg-new-1')),
]

/** The steps before and after those of scenario-commands.ts and scenario-reactions.ts, which are long lists. */
export const scenario = { keys, streams, troubles, autoAccept } as const
