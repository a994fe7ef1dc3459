// Orchestrations: every kind of step, how each goes well and badly, and the shapes of a file.
import { type Subject, typed, type Variant } from './variant.ts'

const run = typed('salt-run', { events: true })

/** One step called `it`. */
const step = (fun: string, ...lines: readonly string[]): string =>
  `it:\n  ${fun}:\n${lines.map((line) => `    ${line}\n`).join('')}`

/** Files of `srv/salt/v/`, each run as it is. */
const plain: Readonly<Record<string, string>> = {
  // salt.state
  state_all: step('salt.state', "- tgt: '*'", '- sls: v.made'),
  state_all_again: step('salt.state', "- tgt: '*'", '- sls: v.made'),
  state_two_sls: step('salt.state', "- tgt: 'db1'", '- sls:', '  - v.made', '  - v.changed'),
  state_changed: step('salt.state', "- tgt: '*'", '- sls: v.changed'),
  state_highstate: step('salt.state', "- tgt: 'db1'", '- highstate: True'),
  state_highstate_all: step('salt.state', "- tgt: '*'", '- highstate: True'),
  state_test: step('salt.state', "- tgt: 'db1'", '- sls: v.changed', '- test: True'),
  state_pillar: step('salt.state', "- tgt: 'db1'", '- sls: v.pillared', '- pillar:', '    given: here'),
  state_grain: step('salt.state', "- tgt: 'role:db'", '- tgt_type: grain', '- sls: v.nop'),
  state_list: step('salt.state', '- tgt:', '  - db1', '  - web-asg-1', '- tgt_type: list', '- sls: v.nop'),
  state_nodegroup: step('salt.state', '- tgt: webs', '- tgt_type: nodegroup', '- sls: v.nop'),
  state_nobody: step('salt.state', "- tgt: 'nobody*'", '- sls: v.nop'),
  state_nobody_expected: step('salt.state', "- tgt: 'nobody*'", '- expect_minions: True', '- sls: v.nop'),
  state_fails: step('salt.state', "- tgt: 'db1'", '- sls: v.fails'),
  state_fails_one: step('salt.state', "- tgt: '*'", '- sls: v.fails_on_db'),
  state_allow_fail: step('salt.state', "- tgt: '*'", '- sls: v.fails_on_db', '- allow_fail: 1'),
  state_fail_minions: step('salt.state', "- tgt: '*'", '- sls: v.fails_on_db', '- fail_minions: db1'),
  state_fail_minions_other: step(
    'salt.state',
    "- tgt: '*'",
    '- sls: v.fails_on_db',
    '- fail_minions:',
    '  - web-asg-1',
  ),
  state_batch: step('salt.state', "- tgt: '*'", '- sls: v.nop', '- batch: 1'),
  state_subset: step('salt.state', "- tgt: 'web*'", '- sls: v.nop', '- subset: 1'),
  state_concurrent: step('salt.state', "- tgt: 'db1'", '- sls: v.nop', '- concurrent: True'),
  state_queue: step('salt.state', "- tgt: 'db1'", '- sls: v.nop', '- queue: True'),
  state_no_such_sls: step('salt.state', "- tgt: 'db1'", '- sls: v.nowhere'),
  state_no_such_sls_all: step('salt.state', "- tgt: '*'", '- sls: v.nowhere'),
  state_not_rendered: step('salt.state', "- tgt: 'db1'", '- sls: v.undefined'),
  state_nothing_said: step('salt.state', "- tgt: 'db1'"),
  state_no_target: step('salt.state', '- sls: v.nop'),
  state_top: step('salt.state', "- tgt: 'db1'", '- top: other_top.sls'),
  state_saltenv: step('salt.state', "- tgt: 'db1'", '- sls: v.nop', '- saltenv: elsewhere'),
  state_failhard: step('salt.state', "- tgt: 'db1'", '- sls: v.fails', '- failhard: True'),
  state_timeout: step('salt.state', "- tgt: 'db1'", '- sls: v.nop', '- timeout: 7'),
  state_exclude: step('salt.state', "- tgt: 'db1'", '- sls: v.changed', '- exclude: v.nothing'),
  state_empty: step('salt.state', "- tgt: 'db1'", '- sls: v.empty'),
  state_comments: step('salt.state', "- tgt: '*'", '- sls: v.talks'),
  // salt.function
  function_ping: step('salt.function', '- name: test.ping', "- tgt: '*'"),
  function_id_is_name: "test.ping:\n  salt.function:\n    - tgt: 'db1'\n",
  function_arg: step('salt.function', '- name: test.arg', '- tgt: db1', '- arg:', '  - one', '  - 2', '  - {a: b}'),
  function_kwarg: step('salt.function', '- name: test.arg', '- tgt: db1', '- kwarg:', '    k: v', '    n: 7'),
  function_both: step('salt.function', '- name: test.arg', '- tgt: db1', '- arg: [a]', '- kwarg: {k: v}'),
  function_arg_text: step('salt.function', '- name: test.echo', '- tgt: db1', '- arg: alone'),
  function_unknown: step('salt.function', '- name: nosuch.fun', '- tgt: db1'),
  function_unknown_all: step('salt.function', '- name: nosuch.fun', "- tgt: '*'"),
  function_raises: step('salt.function', '- name: test.echo', '- tgt: db1'),
  function_exit: step('salt.function', '- name: cmd.run', '- tgt: db1', '- arg:', '  - exit 3'),
  function_exit_all: step('salt.function', '- name: cmd.run', "- tgt: '*'", '- arg:', '  - exit 3'),
  function_exit_one: step(
    'salt.function',
    '- name: cmd.run',
    "- tgt: '*'",
    '- arg:',
    '  - test -e /nowhere/$PPID || exit 4',
    '- fail_minions: [db1]',
  ),
  function_false: step('salt.function', '- name: test.false', '- tgt: db1'),
  function_none: step('salt.function', '- name: test.echo', '- tgt: db1', '- arg: [null]'),
  function_text: step('salt.function', '- name: cmd.run', "- tgt: '*'", '- arg:', '  - echo one; echo two'),
  function_map: step(
    'salt.function',
    '- name: cmd.run_all',
    '- tgt: db1',
    '- arg:',
    '  - echo one',
    '- kwarg:',
    '    ignore_retcode: True',
  ),
  function_list: step('salt.function', '- name: grains.item', '- tgt: db1', '- arg: [role, env]'),
  function_nobody: step('salt.function', '- name: test.ping', "- tgt: 'nobody*'"),
  function_nobody_expected: step('salt.function', '- name: test.ping', "- tgt: 'nobody*'", '- expect_minions: True'),
  function_no_target: step('salt.function', '- name: test.ping'),
  function_batch: step('salt.function', '- name: test.ping', "- tgt: '*'", '- batch: 1'),
  function_subset: step('salt.function', '- name: test.ping', "- tgt: 'web*'", '- subset: 1'),
  function_fail_minions: step(
    'salt.function',
    '- name: cmd.run',
    '- tgt: db1',
    '- arg: [exit 3]',
    '- fail_minions: [web-asg-1]',
  ),
  function_fail_function: step('salt.function', '- name: test.ping', '- tgt: db1', '- fail_function: v_missing.check'),
  function_compound: step(
    'salt.function',
    '- name: test.ping',
    "- tgt: 'G@role:db or L@web-asg-1'",
    '- tgt_type: compound',
  ),
  function_expr_form: step(
    'salt.function',
    '- name: test.ping',
    "- tgt: 'role:web'",
    '- tgt_type: grain',
    '- ret: local_cache',
  ),
  // salt.runner, salt.wheel
  runner_noop: step('salt.runner', '- name: lab.noop', '- n: 4', '- t0: x'),
  runner_id_is_name: 'lab.noop:\n  salt.runner: []\n',
  runner_arg: step('salt.runner', '- name: lab.noop', '- arg: [1, 2]'),
  runner_kwarg: step('salt.runner', '- name: lab.noop', '- kwarg: {n: 1}'),
  runner_false: step('salt.runner', '- name: v_runs.no'),
  runner_text: step('salt.runner', '- name: v_runs.text'),
  runner_none: step('salt.runner', '- name: v_runs.none'),
  runner_error_map: step('salt.runner', '- name: v_runs.error_map'),
  runner_unknown: step('salt.runner', '- name: nosuch.fun'),
  runner_orchestrate: step('salt.runner', '- name: state.orchestrate', '- mods: v.succeed'),
  runner_orchestrate_fails: step('salt.runner', '- name: state.orchestrate', '- mods: v.fails'),
  runner_salt_cmd: step('salt.runner', '- name: salt.cmd', '- fun: test.echo', '- text: hello'),
  runner_event: step('salt.runner', '- name: event.send', '- tag: lab/from/orch', '- data: {a: 1}'),
  wheel_list: step('salt.wheel', '- name: key.list_all'),
  wheel_unknown: step('salt.wheel', '- name: nosuch.fun'),
  wheel_accept: step('salt.wheel', '- name: key.accept', '- match: ghost'),
  wheel_list_some: step('salt.wheel', '- name: key.list', '- match: acc'),
  // several at once, waiting
  parallel: step(
    'salt.parallel_runners',
    '- runners:',
    '    one:',
    '      - name: lab.noop',
    '      - kwarg: {n: 1}',
    '    two:',
    '      - name: lab.noop',
  ),
  parallel_false: step(
    'salt.parallel_runners',
    '- runners:',
    '    one:',
    '      - name: lab.noop',
    '    two:',
    '      - name: v_runs.no',
  ),
  parallel_unknown: step(
    'salt.parallel_runners',
    '- runners:',
    '    one:',
    '      - name: lab.noop',
    '    two:',
    '      - name: nosuch.fun',
  ),
  parallel_id: 'lab.noop:\n  salt.parallel_runners:\n    - runners:\n        lab.noop: []\n',
  wait_timeout: step('salt.wait_for_event', '- name: lab/never/*', '- id_list: [db1]', '- timeout: 1'),
  wait_timeout_two: step(
    'salt.wait_for_event',
    '- name: lab/never/*',
    '- id_list: [db1, web-asg-1]',
    '- event_id: minion',
    '- timeout: 1',
  ),
  // states that run on the master
  succeed: 'a:\n  test.succeed_without_changes: []\nb:\n  test.succeed_with_changes: []\nc:\n  test.nop: []\n',
  fail_both: 'a:\n  test.fail_without_changes: []\nb:\n  test.fail_with_changes: []\nc:\n  test.nop: []\n',
  configurable: step(
    'test.configurable_test_state',
    '- changes: True',
    '- result: True',
    '- comment: said',
    '- warnings: careful',
  ),
  show_notification: step('test.show_notification', '- text: hear ye'),
  names: 'it:\n  test.nop:\n    - names: [x, y]\n',
  // order and requisites
  require_fails:
    'a:\n  test.fail_without_changes: []\nb:\n  test.nop:\n    - require: [{test: a}]\nc:\n  test.nop:\n    - require: [{test: b}]\nd:\n  test.nop: []\n',
  onfail:
    'a:\n  test.fail_without_changes: []\nb:\n  salt.runner:\n    - name: lab.noop\n    - onfail: [{test: a}]\nc:\n  test.nop:\n    - onfail: [{salt: b}]\n',
  onchanges:
    'a:\n  test.succeed_with_changes: []\nb:\n  test.nop:\n    - onchanges: [{test: a}]\nc:\n  test.nop:\n    - onchanges: [{test: b}]\n',
  onchanges_step:
    'a:\n  salt.state:\n    - tgt: db1\n    - sls: v.changed\nb:\n  salt.function:\n    - name: test.ping\n    - tgt: db1\n    - onchanges: [{salt: a}]\n',
  watch: 'a:\n  test.succeed_with_changes: []\nb:\n  test.nop:\n    - watch: [{test: a}]\n',
  listen: 'a:\n  test.succeed_with_changes: []\nb:\n  test.nop:\n    - listen: [{test: a}]\n',
  prereq: 'a:\n  test.nop:\n    - prereq: [{test: b}]\nb:\n  test.succeed_with_changes: []\n',
  require_any:
    'a:\n  test.fail_without_changes: []\nb:\n  test.nop: []\nc:\n  test.nop:\n    - require_any: [{test: a}, {test: b}]\n',
  require_in: 'a:\n  test.fail_without_changes:\n    - require_in: [{test: b}]\nb:\n  test.nop: []\n',
  failhard: 'a:\n  test.fail_without_changes:\n    - failhard: True\nb:\n  test.nop: []\n',
  failhard_step:
    'a:\n  salt.function:\n    - name: cmd.run\n    - tgt: db1\n    - arg: [exit 2]\n    - failhard: True\nb:\n  salt.runner:\n    - name: lab.noop\n',
  order: 'a:\n  test.nop:\n    - order: last\nb:\n  test.nop:\n    - order: 2\nc:\n  test.nop:\n    - order: 1\n',
  parallel_states: 'a:\n  test.nop:\n    - parallel: True\nb:\n  test.nop:\n    - parallel: True\n',
  retry: 'a:\n  test.fail_without_changes:\n    - retry: {attempts: 2, interval: 0}\n',
  include: 'include:\n  - v.succeed\nit:\n  test.nop:\n    - require: [{test: b}]\n',
  include_relative: 'include:\n  - .succeed\nit:\n  test.nop: []\n',
  extend: 'include:\n  - v.succeed\nextend:\n  a:\n    test:\n      - name: other\n',
  exclude: 'include:\n  - v.succeed\nexclude:\n  - id: b\nit:\n  test.nop: []\n',
  // files that are wrong
  include_missing: 'include:\n  - v.nowhere\nit:\n  test.nop: []\n',
  undefined: 'it:\n  test.nop:\n    - name: {{ nothing_here }}\n',
  jinja_syntax: 'it:\n  test.nop:\n    - name: {{ a[ }}\n',
  yaml_error: 'it:\n  test.nop:\n   - name: x\n     - bad\n',
  yaml_list: '- a\n- b\n',
  duplicate: 'it:\n  test.nop: []\nit:\n  test.nop: []\n',
  empty: '{# nothing #}\n',
  body_text: 'it: hello\n',
  body_short: 'it: test.nop\n',
  unknown_function: 'it:\n  salt.nosuch: []\n',
  unknown_module: 'it:\n  nosuch.fun: []\n',
  not_a_list: 'it:\n  test.nop: nothing\n',
  two_functions: 'it:\n  test:\n    - nop\n    - succeed_with_changes\n',
  no_function: 'it:\n  test:\n    - name: x\n',
  requisite_missing: 'it:\n  test.nop:\n    - require: [{test: nowhere}]\n',
  requisite_text: 'it:\n  test.nop:\n    - require: a\n',
  requisite_cycle: 'a:\n  test.nop:\n    - require: [{test: b}]\nb:\n  test.nop:\n    - require: [{test: a}]\n',
  extend_missing: 'extend:\n  nowhere:\n    test:\n      - name: other\nit:\n  test.nop: []\n',
  // what a template sees
  facts:
    "it:\n  test.configurable_test_state:\n    - changes: False\n    - result: True\n    - comment: 'sls={{ sls }} env={{ saltenv }} pillar={{ pillar.get('given', 'none') }} id={{ opts['id'].endswith('_master') }} path={{ slspath }} dot={{ sls | replace('.', '/') }}'\n",
  calls:
    "it:\n  test.configurable_test_state:\n    - changes: False\n    - result: True\n    - comment: \"{{ salt['pillar.get']('given', 'none') }} {{ salt['config.get']('timeout') is number }} {{ salt['test.echo']('x') }}\"\n",
}

/** What minions are told to run. */
const applied: Readonly<Record<string, string>> = {
  made: 'made_file:\n  file.managed:\n    - name: @LAB@/run/v_{{ grains.id }}.txt\n    - contents: |\n        one\n        two\n',
  changed: 'changed:\n  test.succeed_with_changes: []\nkept:\n  test.nop: []\n',
  nop: 'nop:\n  test.nop: []\n',
  pillared:
    "it:\n  test.configurable_test_state:\n    - changes: False\n    - result: True\n    - comment: 'given={{ pillar.get('given', 'none') }}'\n",
  fails:
    'ok:\n  test.succeed_without_changes: []\nbad:\n  test.fail_without_changes: []\nafter:\n  test.nop:\n    - require: [{test: bad}]\n',
  fails_on_db:
    "it:\n{% if grains.id == 'db1' %}\n  test.fail_with_changes: []\n{% else %}\n  test.succeed_with_changes: []\n{% endif %}\n",
  talks:
    'it:\n  test.configurable_test_state:\n    - changes: True\n    - result: None\n    - comment: |\n        several\n        lines\n    - warnings: [one, two]\n',
}

/** Runners that end in every way: Salt's form and ours. */
const pythonRunners = `
def no():
    return False

def text():
    return "a text\\nof two lines"

def none():
    return None

def error_map():
    return {"Error": "went wrong", "a": 1}
`
const ourRunners = `
export const no = () => false
export const text = () => 'a text\\nof two lines'
export const none = () => null
export const error_map = () => ({ Error: 'went wrong', a: 1 })
`

const sls = (name: string): string => `v.${name}`

const asked: readonly Variant[] = [
  run('orch: two files', 'state.orchestrate', 'v.succeed,v.nop'),
  run('orch: two files as a list', 'state.orchestrate', '["v.succeed", "v.nop"]'),
  run('orch: by keyword', 'state.orchestrate', 'mods=v.nop'),
  run('orch: no file', 'state.orchestrate'),
  run('orch: the alias', 'state.orch', 'v.nop'),
  run('orch: another environment', 'state.orchestrate', 'v.nop', 'saltenv=nosuch'),
  run('orch: environment as pillar', 'state.orchestrate', 'v.facts', 'saltenv=base', 'pillarenv=base'),
  run('orch: pillar', 'state.orchestrate', 'v.facts', 'pillar={"given": "a thing"}'),
  run('orch: pillar that is no map', 'state.orchestrate', 'v.facts', 'pillar=text'),
  run('orch: pillar for calls', 'state.orchestrate', 'v.calls', 'pillar={"given": [1, 2]}'),
  run('orch: exclude', 'state.orchestrate', 'v.succeed', 'exclude=[{"id": "b"}]'),
  run('orch: exclude by text', 'state.orchestrate', 'v.include', 'exclude=v.succeed'),
  run('orch: unknown keyword', 'state.orchestrate', 'v.nop', 'nosuch=1'),
  run('orch: test', 'state.orchestrate', 'v.succeed', 'test=True'),
  run('orch: test of states', 'state.orchestrate', 'v.state_changed', 'test=True'),
  run('orch: test of states that change nothing', 'state.orchestrate', 'v.state_grain', 'test=True'),
  run('orch: test of states that would fail', 'state.orchestrate', 'v.state_fails', 'test=True'),
  run('orch: test of a function', 'state.orchestrate', 'v.function_ping', 'test=True'),
  run('orch: test of a runner', 'state.orchestrate', 'v.runner_noop', 'test=True'),
  run('orch: test of a wheel', 'state.orchestrate', 'v.wheel_list', 'test=True'),
  run('orch: test of several', 'state.orchestrate', 'v.parallel', 'test=True'),
  run('orch: test of waiting', 'state.orchestrate', 'v.wait_timeout', 'test=True'),
  run('orch: test of requisites', 'state.orchestrate', 'v.onchanges', 'test=True'),
  run('orch: test of failures', 'state.orchestrate', 'v.fail_both', 'test=True'),
  run('orch: as json', 'state.orchestrate', 'v.state_fails_one', '--out=json'),
  run('orch: as yaml', 'state.orchestrate', 'v.function_text', '--out=yaml'),
  run('orch: raw', 'state.orchestrate', 'v.nop', '--out=raw'),
  run('orch: txt', 'state.orchestrate', 'v.nop', '--out=txt'),
  run('orch: pprint', 'state.orchestrate', 'v.nop', '--out=pprint'),
  run('orch: nested', 'state.orchestrate', 'v.nop', '--out=nested'),
  run('orch: quiet', 'state.orchestrate', 'v.require_fails', '--out=quiet'),
  run('orch: coloured', 'state.orchestrate', 'v.fail_both', '--force-color'),
  run('orch: coloured states', 'state.orchestrate', 'v.state_fails_one', '--force-color'),
  run('orch: terse', 'state.orchestrate', 'v.require_fails', '--state-output=terse'),
  run('orch: terse states', 'state.orchestrate', 'v.state_fails_one', '--state-output=terse'),
  run('orch: mixed', 'state.orchestrate', 'v.require_fails', '--state-output=mixed'),
  run('orch: changes', 'state.orchestrate', 'v.state_changed', '--state-output=changes'),
  run('orch: filter', 'state.orchestrate', 'v.require_fails', '--state-output=filter'),
  run('orch: full_id', 'state.orchestrate', 'v.require_fails', '--state-output=full_id'),
  run('orch: terse_id', 'state.orchestrate', 'v.require_fails', '--state-output=terse_id'),
  run('orch: mixed_id', 'state.orchestrate', 'v.require_fails', '--state-output=mixed_id'),
  run('orch: changes_id', 'state.orchestrate', 'v.require_fails', '--state-output=changes_id'),
  run('orch: not verbose', 'state.orchestrate', 'v.require_fails', '--state-verbose=False'),
  run('orch: not verbose, all well', 'state.orchestrate', 'v.nop', '--state-verbose=False'),
  run('orch: async', '--async', 'state.orchestrate', 'v.nop'),
  run('orch: nothing such', 'state.orchestrate', 'v.not_there'),
  run('orch: nothing such as json', 'state.orchestrate', 'v.not_there', '--out=json'),
  run('orch: show_sls', 'state.orchestrate_show_sls', 'v.require_fails'),
  run('orch: show_sls as json', 'state.orchestrate_show_sls', 'v.state_pillar', '--out=json'),
  run('orch: show_sls of nothing', 'state.orchestrate_show_sls', 'v.not_there'),
  run('orch: single wheel', 'state.orchestrate_single', 'fun=salt.wheel', 'name=key.list_all'),
  run('orch: single runner', 'state.orchestrate_single', 'salt.runner', 'lab.noop'),
  run('orch: single function', 'state.orchestrate_single', 'fun=salt.function', 'name=test.ping', 'tgt=db1'),
  run('orch: single test', 'state.orchestrate_single', 'test.succeed_with_changes', 'name=x', 'test=True'),
  run('orch: single unknown', 'state.orchestrate_single', 'nosuch.fun', 'x'),
  run('orch: single that is no function', 'state.orchestrate_single', 'nodot', 'x'),
  run('orch: single as json', '--out=json', 'state.orchestrate_single', 'test.nop', 'x'),
  run('orch: single quiet', '--out=quiet', 'state.orchestrate_single', 'test.nop', 'x'),
  run('orch: single fails', 'state.orchestrate_single', 'test.fail_without_changes', 'x'),
  run('orch: single of nobody', 'state.orchestrate_single', 'fun=salt.function', 'name=test.ping', 'tgt=nobody'),
  run('orch: single that fails there', 'state.orchestrate_single', 'salt.function', 'nosuch.fun', 'tgt=db1'),
  run('orch: single and its events', 'state.orchestrate_single', 'test.nop', 'x'),
  run('orch: high', 'state.orchestrate_high', '{it: {test: [nop, {name: x}]}}'),
]

/** Orchestrations and what they are asked with. */
export const orchestrations: Subject = {
  files: Object.fromEntries([
    ...Object.entries({ ...applied, ...plain }).map(([name, text]) => [`srv/salt/v/${name}.sls`, text]),
    ['srv/salt/top.sls', "base:\n  'db1':\n    - v.changed\n"],
    ['srv/salt/other_top.sls', "base:\n  '*':\n    - v.nop\n"],
    ['srv/salt/_runners/v_runs.py', pythonRunners],
    ['srv/salt/_runners/v_runs.mjs', ourRunners],
  ]),
  variants: [...Object.keys(plain).map((name) => run(`orch ${name}`, 'state.orchestrate', sls(name))), ...asked],
}
