// The returns behind the goldens' command outputs, written by hand: what Salt had to print in each.
import type { Mapping, Value } from '../../core/value/index.ts'
import type { OutputOptions } from './outputter.ts'

/** One return to print, with its outputter (nested where none is named). */
export interface GoldenPage {
  readonly data: Value
  readonly out?: string
  readonly options?: OutputOptions
}

const TIME = { start_time: '05:32:06.997086', duration: 0.501 }

/** One state's return as `[tag, info]`; `tag` is `state.fun id name`. */
function state(tag: string, result: boolean | null, changes: Value, comment: string): [string, Mapping] {
  const [call = '', id = '', ...words] = tag.split(' ')
  const [module, fun] = call.split('.')
  const name = words.length > 0 ? words.join(' ') : id
  return [`${module}_|-${id}_|-${name}_|-${fun}`, { result, changes, comment, name, ...TIME }]
}

function states(...list: [string, Mapping][]): Mapping {
  return Object.fromEntries(list.map(([tag, info], index) => [tag, { ...info, __run_num__: index }]))
}

const pretended = { testing: { old: 'Unchanged', new: 'Something pretended to change' } }
const ran = { pid: 1, retcode: 0, stdout: 'ran', stderr: '' }
const file = '/srv/lab/run/x.txt'
const x = (managed: string, echo: [boolean | null, Value, string]): Mapping =>
  states(
    state(`file.managed hello_file ${file}`, true, {}, managed),
    state('cmd.run run_echo echo ran', ...echo),
    state('test.nop nop', true, {}, 'Success!'),
  )
const applied = x(`File ${file} is in the correct state`, [true, ran, 'Command "echo ran" run'])
const wouldApply = x(`The file ${file} is in the correct state`, [
  null,
  { cmd: 'echo ran' },
  'Command "echo ran" would have been executed',
])
const fail = states(
  state('test.succeed_with_changes ok_first', true, pretended, 'Success!'),
  state('test.fail_without_changes boom', false, {}, 'Failure!'),
  state('test.nop needs_boom', false, {}, 'One or more requisite failed: fail.boom'),
)
const single = states(state('test.succeed_with_changes foo', true, pretended, 'Success!'))

const highstate = (data: Value, settings: OutputOptions = {}): GoldenPage => ({
  data,
  out: 'highstate',
  options: settings,
})

function orchestration(...list: [string, Mapping][]): GoldenPage[] {
  return [highstate({ data: { vm_master: states(...list) }, outputter: 'highstate', retcode: 0 })]
}

const unmet = (tag: string, requisite: string): [string, Mapping] =>
  state(tag, false, {}, `One or more requisite failed: ${requisite}`)

const LB_OUT = 'salt.function remove_from_lb cmd.run'
const LB_IN = 'salt.function add_to_lb cmd.run'
const SMOKE = 'salt.function run_smoke_tests cmd.run'
const ranOn = (minion: string): string => `Function ran successfully. Function cmd.run ran on ${minion}.`
const deployed = { pid: 1, retcode: 0, stderr: '', stdout: 'deploying 1.2.3' }
const marker = (result: boolean | null, changes: Value, words: string): Mapping =>
  states(
    state('cmd.run deploy_marker echo deploying 1.2.3', result, changes, `Command "echo deploying 1.2.3" ${words}`),
  )
const onWeb = (data: Value): Value => ({ out: 'highstate', ret: { 'web-asg-1': data } })

const deployOk = orchestration(
  state(LB_OUT, true, { ret: { db1: 'remove web01' } }, ranOn('db1')),
  state(
    'salt.state deploy_app',
    true,
    onWeb(marker(true, deployed, 'run')),
    'States ran successfully. Updating web-asg-1.',
  ),
  state(SMOKE, true, { ret: { 'web-asg-1': 'smoke ok' } }, ranOn('web-asg-1')),
  state(LB_IN, true, { ret: { db1: 'add web01' } }, ranOn('db1')),
)
const deploySeed = orchestration(
  state(LB_OUT, false, {}, 'No minions responded'),
  unmet('salt.state deploy_app', 'orch.deploy.remove_from_lb'),
  unmet(SMOKE, 'orch.deploy.deploy_app'),
  unmet(LB_IN, 'orch.deploy.run_smoke_tests'),
)
const wouldRun = (target: string): string => `Function cmd.run would be executed on target ${target}`
const deployTest = orchestration(
  state(LB_OUT, null, {}, wouldRun('G@role:db')),
  state(
    'salt.state deploy_app',
    null,
    onWeb(marker(null, { cmd: 'echo deploying 1.2.3' }, 'would have been executed')),
    'States ran successfully. Updating web-asg-1.',
  ),
  state(SMOKE, null, {}, wouldRun('web-asg-1')),
  state(LB_IN, null, {}, wouldRun('G@role:db')),
)
const minionDown = orchestration(
  state(LB_OUT, true, { ret: { db1: 'remove web01' } }, ranOn('db1')),
  state(
    'salt.state deploy_app',
    false,
    onWeb(false),
    'Run failed on minions: web-asg-1\nMinion web-asg-1 did not return a state result.',
  ),
  unmet(SMOKE, 'orch.deploy_ok.deploy_app'),
  unmet(LB_IN, 'orch.deploy_ok.run_smoke_tests'),
)
const keys = { local: ['master.pem', 'master.pub'], minions_rejected: [], minions_denied: [], minions_pre: [] }
const orchFail = orchestration(
  state('salt.function step_ok cmd.run', true, { ret: { db1: 'one' } }, ranOn('db1')),
  state('salt.state step_fail', false, onWeb(fail), 'Run failed on minions: web-asg-1'),
  unmet('salt.function step_never test.ping', 'orch.fail.step_fail'),
  state(
    'salt.function cmd_fail cmd.run',
    false,
    { ret: { db1: '' } },
    'Running function cmd.run failed on minions: db1 Function cmd.run ran on db1.',
  ),
  state(
    'salt.runner runner_step manage.up',
    true,
    { return: ['db1', 'web-asg-1'] },
    "Runner function 'manage.up' executed.",
  ),
  state(
    'salt.wheel wheel_step key.list_all',
    true,
    { return: { ...keys, minions: ['db1', 'web-asg-1'] } },
    "Wheel function 'key.list_all' executed.",
  ),
)

const published = (extra: Mapping): Mapping => ({
  __pub_fun: 'test.arg',
  __pub_jid: '20261121053145376616',
  __pub_ret: '',
  __pub_tgt: 'db1',
  __pub_tgt_type: 'glob',
  __pub_user: 'root',
  ...extra,
})
const typed: Mapping = { x: [1, { a: 'b' }], y: { c: { d: null } }, z: 1.5 }
const both: Mapping = {
  'test.ping': true,
  'test.arg': {
    args: ['a'],
    kwargs: published({ __pub_arg: [[], ['a']], __pub_fun: ['test.ping', 'test.arg'], __pub_tgt: '*' }),
  },
}
const active: Mapping = {
  Function: 'test.sleep',
  Arguments: [6],
  Target: 'db1',
  'Target-type': 'glob',
  User: 'root',
  StartTime: '2026, Nov 21 05:32:45.228878',
}
const sleeping: Mapping = { '20261121053245228878': { ...active, Running: [{ db1: 26314 }], Returned: [] } }
const lists = (accepted: string[], pending: string[], rejected: string[] = []): Mapping => ({
  minions: accepted,
  minions_pre: pending,
  minions_rejected: rejected,
  minions_denied: [],
})
const key = (data: Value): GoldenPage[] => [{ data, out: 'key' }]
const ping = (out: string, ids: readonly string[], options: OutputOptions = {}): GoldenPage[] =>
  ids.map((id) => ({ data: { [id]: true }, out, options }))
const both1 = ['db1', 'web-asg-1']
const progress = (suffix: string, event: Mapping): GoldenPage => ({
  data: { suffix: `salt/reactors/manage/${suffix}`, event: { ...event, _stamp: 'x', key: 'x'.repeat(40) } },
})
const added: Mapping = { event: 'lab/added/*', reactors: ['/tmp/none.sls'] }

/** Every golden of `golden/cli` whose data is known, with the returns in the order they were printed. */
export function cliPages(): ReadonlyMap<string, readonly GoldenPage[]> {
  return new Map<string, readonly GoldenPage[]>([
    ['ping_static', [{ data: { 'web-asg-1': true, db1: true } }]],
    ['ping_json', ping('json', both1)],
    ['ping_json_static', [{ data: { db1: true, 'web-asg-1': true }, out: 'json' }]],
    ['ping_json_indent0', [{ data: { db1: true, 'web-asg-1': true }, out: 'json', options: { outputIndent: -1 } }]],
    ['ping_yaml', ping('yaml', ['web-asg-1', 'db1'])],
    ['ping_raw', ping('raw', ['web-asg-1', 'db1'])],
    ['ping_pprint', ping('pprint', both1)],
    ['ping_newline', ping('newline_values_only', both1)],
    ['ping_color', ping('nested', both1, { color: true })],
    ['cmd_run_all', [{ data: { db1: { pid: 1, retcode: 3, stdout: 'out', stderr: 'err' } } }]],
    ['err_badfun', [{ data: { db1: "'nosuch.fun' is not available." } }]],
    ['err_badfun_json', [{ data: { db1: "'nosuch.fun' is not available." }, out: 'json' }]],
    ['err_cmd_exit3', [{ data: { db1: '' }, options: { retcode: 3 } }]],
    ['call_event_fire', [{ data: { local: true } }]],
    ['pillar_get', [{ data: { db1: { version: '1.2.3' } } }]],
    [
      'grains_item',
      [{ data: { 'web-asg-1': { role: 'web', env: 'prod' } } }, { data: { db1: { role: 'db', env: 'prod' } } }],
    ],
    [
      'nested_types',
      [{ data: { db1: { args: [], kwargs: published({ ...typed, __pub_arg: [{ __kwarg__: true, ...typed }] }) } } }],
    ],
    ['test_arg_noparse', [{ data: { db1: { args: ['a'], kwargs: published({ __pub_arg: ['a'] }) } } }]],
    ['multi_fun', [{ data: { 'web-asg-1': both } }, { data: { db1: both } }]],
    ['jobs_active', [{ data: sleeping }]],
    ['jobs_active_json', [{ data: sleeping, out: 'json' }]],
    ['jobs_active_none', [{ data: {} }]],
    ['jobs_lookup_bad', [{ data: {} }]],
    ['jobs_lookup_jid', [{ data: { db1: true } }]],
    ['jobs_exit_success', [{ data: { db1: true } }]],
    [
      'jobs_list_job_bad',
      [
        {
          data: {
            jid: '20000101000000000000',
            Error: 'Cannot contact returner or no job with this jid',
            Result: {},
            StartTime: '2000, Jan 01 00:00:00.000000',
          },
        },
      ],
    ],
    [
      'jobs_print_job',
      [
        {
          data: {
            '20261121053245228878': {
              ...active,
              Minions: ['db1'],
              Result: { db1: { return: true, retcode: 0, success: true } },
            },
          },
        },
      ],
    ],
    ['run_badfun', [{ data: "'nosuch.fun' is not available." }]],
    ['run_lab_noop', [{ data: { n: 1, t0: 'two', args: [], kwargs: { x: 3 } } }]],
    ['run_manage_present', [{ data: both1 }]],
    ['run_manage_up', [{ data: both1 }]],
    ['run_manage_status', [{ data: { up: both1, down: [] } }]],
    ['run_manage_status_down', [{ data: { up: ['db1'], down: ['web-asg-1'] } }]],
    ['run_manage_status_json', [{ data: { up: both1, down: [] }, out: 'json' }]],
    ['run_reactor_add', [progress('add', added), { data: { status: true, comment: 'Reactor added.' } }]],
    [
      'run_reactor_add_again',
      [progress('add', added), { data: { status: false, comment: 'Reactor already exists.' } }],
    ],
    [
      'run_reactor_del',
      [progress('delete', { event: 'lab/added/*' }), { data: { status: true, comment: 'Reactor deleted.' } }],
    ],
    ['run_reactor_leader', [progress('is_leader', {}), { data: true }]],
    ['key_L_empty', key(lists([], []))],
    ['key_L_pending', key(lists([], ['db1', 'web-asg-1']))],
    ['key_L_accepted', key(lists(['web-asg-1', 'db1'], []))],
    ['key_L_rejected', key(lists(['db1'], [], ['web-asg-1']))],
    ['key_L_end', key(lists(both1, []))],
    ['key_l_un', key({ minions_pre: both1 })],
    ['key_L_empty_json', [{ data: lists([], []), out: 'json' }]],
    ['key_L_pending_json', [{ data: lists([], both1), out: 'json' }]],
    ['key_L_pending_yaml', [{ data: lists([], both1), out: 'yaml' }]],
    ['state_sls', [highstate({ db1: applied })]],
    ['state_sls_again', [highstate({ db1: applied })]],
    ['state_sls_all', [highstate({ 'web-asg-1': applied }), highstate({ db1: applied })]],
    ['state_sls_test', [highstate({ db1: wouldApply })]],
    ['state_sls_terse', [highstate({ db1: applied }, { state: { output: 'terse' } })]],
    ['state_sls_changes', [highstate({ db1: applied }, { state: { output: 'changes' } })]],
    ['state_sls_verbose_false', [highstate({ db1: applied }, { state: { verbose: false } })]],
    ['state_sls_fail', [highstate({ db1: fail })]],
    ['state_sls_fail_mixed', [highstate({ db1: fail }, { state: { output: 'mixed' } })]],
    ['state_color', [highstate({ db1: fail }, { color: true })]],
    ['call_state_fail', [highstate({ local: fail })]],
    ['call_state_fail_rp', [highstate({ local: fail })]],
    ['state_single', [highstate({ db1: single })]],
    ['state_sls_missing', [highstate({ db1: ["No matching sls found for 'nosuchsls' in env 'base'"] })]],
    ['orch_deploy_ok', deployOk],
    ['orch_pillar', deployOk],
    ['orch_test', deployTest],
    ['orch_ok_minion_down', minionDown],
    ['orch_fail', orchFail],
    [
      'orch_deploy_seed',
      [{ data: 'No minions matched the target. No command was sent, no jid was assigned.' }, ...deploySeed],
    ],
  ])
}
