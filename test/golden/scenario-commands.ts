// What was typed for `cli/`: cap3_cli.py as data, in its order.
import type { Argv, Step } from './scenario.ts'

const salt = (name: string, ...args: readonly string[]): Step => ({ kind: 'command', name, argv: ['salt', ...args] })
const run = (name: string, ...args: readonly string[]): Step => ({ kind: 'command', name, argv: ['salt-run', ...args] })
const call = (name: string, ...args: readonly string[]): Step => ({
  kind: 'command',
  name,
  argv: ['salt-call', ...args],
})
const asking = (name: string, ...args: readonly string[]): Step => ({
  kind: 'command',
  name,
  argv: ['salt-run', ...args],
  retry: true,
})
const one = (name: string, ...args: readonly string[]): Step => ({
  kind: 'one-event',
  name,
  argv: ['salt-run', 'state.event', ...args] satisfies Argv,
  fire: 'lab/one',
})

const outputs: readonly Step[] = [
  salt('ping_nested', '*', 'test.ping'),
  salt('ping_json', '--out=json', '*', 'test.ping'),
  salt('ping_json_static', '--out=json', '--static', '*', 'test.ping'),
  salt('ping_yaml', '--out=yaml', '*', 'test.ping'),
  salt('ping_txt', '--out=txt', '*', 'test.ping'),
  salt('ping_static', '--static', '*', 'test.ping'),
  salt('ping_raw', '--out=raw', '*', 'test.ping'),
  salt('ping_quiet', '--out=quiet', '*', 'test.ping'),
  salt('ping_newline', '--out=newline_values_only', '*', 'test.ping'),
  salt('ping_pprint', '--out=pprint', '*', 'test.ping'),
  salt('ping_json_indent0', '--out=json', '--out-indent=-1', '--static', '*', 'test.ping'),
  salt('ping_color', '--force-color', '*', 'test.ping'),
]

const targets: readonly Step[] = [
  salt('tgt_L', '-L', 'web-asg-1,db1', 'test.ping'),
  salt('tgt_G', '-G', 'role:web', 'test.ping'),
  salt('tgt_C', '-C', 'G@role:db or L@web-asg-1', 'test.ping'),
  salt('tgt_N', '-N', 'webs', 'test.ping'),
  salt('tgt_E', '-E', '(web|db).*', 'test.ping'),
  salt('tgt_I', '-I', 'colour:teal', 'test.ping'),
  salt('tgt_S', '-S', '127.0.0.0/8', 'test.ping'),
  salt('tgt_P', '-P', 'role:^w', 'test.ping'),
]

const options: readonly Step[] = [
  salt('batch_1', '--batch-size', '1', '*', 'test.ping'),
  salt('batch_1_json', '--batch-size', '1', '--out=json', '*', 'test.ping'),
  salt('batch_50pct', '-b', '50%', '*', 'test.ping'),
  salt('async', '--async', '*', 'test.ping'),
  salt('verbose', '-v', '*', 'test.ping'),
  salt('summary', '--summary', '*', 'test.ping'),
  salt('subset', '--subset', '1', '*', 'test.ping'),
  salt('show_jid', '--show-jid', '*', 'test.ping'),
  salt('progress_none', '--hide-timeout', '-L', 'db1,ghost', 'test.ping'),
]

const functions: readonly Step[] = [
  salt('multi_fun', '*', 'test.ping,test.arg', ',', 'a'),
  salt('test_arg', 'db1', 'test.arg', 'one', '2', '3.5', 'true', 'none', '[1,2]', '{a: 1}', 'k=v', 'n=7', '--out=json'),
  salt('test_arg_noparse', 'db1', 'test.arg', '--args-separator', '%', 'a'),
  salt('grains_item', '*', 'grains.item', 'role', 'env'),
  salt('pillar_get', 'db1', 'pillar.get', 'app'),
  salt('cmd_run', '*', 'cmd.run', 'echo hello; echo two'),
  salt('cmd_run_all', 'db1', 'cmd.run_all', 'echo out; echo err >&2; exit 3'),
  salt('nested_types', 'db1', 'test.arg', '--out=nested', 'x=[1, {a: b}]', 'y={c: {d: null}}', 'z=1.5'),
]

const errors: readonly Step[] = [
  salt('err_nomatch', 'nothere*', 'test.ping'),
  salt('err_nomatch_json', '--out=json', 'nothere*', 'test.ping'),
  salt('err_nomatch_L', '-L', 'ghost', 'test.ping'),
  salt('err_noreturn_mixed', '-L', 'db1,ghost', 'test.ping'),
  salt('err_badfun', 'db1', 'nosuch.fun'),
  salt('err_badfun_json', '--out=json', 'db1', 'nosuch.fun'),
  salt('err_badargs', 'db1', 'test.echo'),
  salt('err_exc', 'db1', 'test.exception', 'message=boom'),
  salt('err_cmd_exit3', 'db1', 'cmd.run', 'exit 3'),
  salt('err_badcompound', '-C', 'G@role:db and and', 'test.ping'),
  salt('err_notarget'),
  salt('err_nogroup', '-N', 'nosuchgroup', 'test.ping'),
  salt('err_retcode_passthrough', '--retcode-passthrough', 'db1', 'cmd.run', 'exit 3'),
  salt('timeout_job', '-t', '2', 'db1', 'test.sleep', '9'),
]

const states: readonly Step[] = [
  salt('state_sls', 'db1', 'state.sls', 'x'),
  salt('state_sls_again', 'db1', 'state.sls', 'x'),
  salt('state_sls_json', '--out=json', 'db1', 'state.sls', 'x'),
  salt('state_sls_test', 'db1', 'state.sls', 'x', 'test=True'),
  salt('state_sls_yaml', '--out=yaml', 'db1', 'state.sls', 'x'),
  salt('state_sls_all', '*', 'state.sls', 'x'),
  salt('state_sls_fail', 'db1', 'state.sls', 'fail'),
  salt('state_sls_fail_mixed', '--state-output=mixed', 'db1', 'state.sls', 'fail'),
  salt('state_sls_terse', '--state-output=terse', 'db1', 'state.sls', 'x'),
  salt('state_sls_changes', '--state-output=changes', 'db1', 'state.sls', 'x'),
  salt('state_sls_missing', 'db1', 'state.sls', 'nosuchsls'),
  salt('state_highstate_notop', 'db1', 'state.highstate'),
  salt('state_single', 'db1', 'state.single', 'test.succeed_with_changes', 'name=foo'),
  salt('state_sls_verbose_false', '--state-verbose=False', 'db1', 'state.sls', 'x'),
  salt('state_color', '--force-color', 'db1', 'state.sls', 'fail'),
]

const calls: readonly Step[] = [
  call('call_local_ping', 'test.ping'),
  call('call_event_send', 'event.send', 'lab/x', '{"a":1}'),
  call('call_state', 'state.sls', 'x'),
  call('call_bad', 'nosuch.fun'),
  call('call_state_fail', 'state.sls', 'fail'),
  call('call_state_fail_rp', '--retcode-passthrough', 'state.sls', 'fail'),
  call('call_json', '--out=json', 'test.ping'),
  call('call_event_fire', 'event.fire', '{"a":1}', 't'),
]

const runners: readonly Step[] = [
  run('run_manage_up', 'manage.up'),
  run('run_manage_status', 'manage.status'),
  run('run_manage_status_json', 'manage.status', '--out=json'),
  run('run_manage_down', 'manage.down'),
  run('run_manage_present', 'manage.present'),
  run('run_manage_versions', 'manage.versions'),
  run('run_badfun', 'nosuch.fun'),
  run('run_lab_noop', 'lab.noop', '1', 'two', 'x=3'),
  run('run_async', '--async', 'lab.noop', '1'),
  run('run_exc', 'error.error', 'name=Exception', 'message=boom'),
  run('run_reactor_list', 'reactor.list'),
  run('run_reactor_list_json', 'reactor.list', '--out=json'),
  run('run_reactor_add', 'reactor.add', 'lab/added/*', 'reactors=/tmp/none.sls'),
  run('run_reactor_add_again', 'reactor.add', 'lab/added/*', 'reactors=/tmp/none.sls'),
  run('run_reactor_del', 'reactor.delete', 'lab/added/*'),
  run('run_reactor_del_again', 'reactor.delete', 'lab/added/*'),
  run('run_reactor_leader', 'reactor.is_leader'),
  run('orch_deploy_seed', 'state.orchestrate', 'orch.deploy'),
  run('orch_deploy_ok', 'state.orchestrate', 'orch.deploy_ok'),
  run('orch_deploy_ok_json', 'state.orchestrate', 'orch.deploy_ok', '--out=json'),
  run('orch_test', 'state.orchestrate', 'orch.deploy_ok', 'test=True'),
  run('orch_fail', 'state.orchestrate', 'orch.fail'),
  run('orch_missing', 'state.orchestrate', 'orch.nosuch'),
  run('orch_pillar', 'state.orch', 'orch.deploy_ok', 'pillar={app: {version: 9}}'),
]

const jobs: readonly Step[] = [
  run('jobs_list_jobs', 'jobs.list_jobs', 'search_function=state.sls'),
  run('jobs_list_jobs_json', 'jobs.list_jobs', 'search_function=test.ping', '--out=json'),
  { kind: 'job', argv: ['salt', '--async', 'db1', 'test.sleep', '6'] },
  asking('jobs_active', 'jobs.active'),
  asking('jobs_active_json', 'jobs.active', '--out=json'),
  { kind: 'job-done' },
  asking('jobs_active_none', 'jobs.active'),
  run('jobs_lookup_jid', 'jobs.lookup_jid', '$JID'),
  run('jobs_list_job', 'jobs.list_job', '$JID'),
  run('jobs_print_job', 'jobs.print_job', '$JID'),
  run('jobs_exit_success', 'jobs.exit_success', '$JID'),
  run('jobs_lookup_bad', 'jobs.lookup_jid', '20000101000000000000'),
  run('jobs_last_run', 'jobs.last_run'),
  run('jobs_list_job_bad', 'jobs.list_job', '20000101000000000000'),
]

const watching: readonly Step[] = [
  one('state_event_count1_quiet', 'lab/one', 'count=1', 'quiet=True'),
  one('state_event_count1', 'lab/one', 'count=1'),
  one('state_event_count1_pretty', 'lab/one', 'count=1', 'pretty=True'),
  one('state_event_glob', 'lab/*', 'count=1'),
]

/** Everything typed for `cli/` but keys and troubles. */
export const commands: readonly Step[] = [
  ...outputs,
  ...targets,
  ...options,
  ...functions,
  ...errors,
  ...states,
  ...calls,
  ...runners,
  ...jobs,
  ...watching,
  { kind: 'command', name: 'cli_no_master_ping', argv: ['salt', '-c', 'etc/nomaster', '*', 'test.ping'] },
]
