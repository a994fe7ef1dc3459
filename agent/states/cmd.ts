// Salt's `cmd` states: commands and scripts, run when something else asks for them.
import { messageOf } from '../../core/error.ts'
import { isMap, isMapping, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { isDirectory } from '../filesystem/paths.ts'
import type { Arguments } from '../modules/arguments.ts'
import { boundArguments } from './bound-arguments.ts'
import {
  type AgentState,
  defineState,
  type StateCall,
  type StateModule,
  type StateReturn,
  slsExample,
} from './state-module.ts'
import { reinterpreted } from './stateful.ts'

const passed = [
  'cwd',
  'runas',
  'password',
  'env',
  'prepend_path',
  'output_loglevel',
  'hide_output',
  'success_retcodes',
  'success_stdout',
  'success_stderr',
  'timeout',
]

/** `stateful` as true or false, and the command that test mode may run. */
function statefulOf(args: Arguments): { readonly stateful: boolean; readonly testName: string | undefined } {
  const value = args.value('stateful')
  if (!Array.isArray(value)) return { stateful: value === true, testName: undefined }
  const [first = null] = value
  const testName = isMapping(first) ? first.test_name : undefined
  return { stateful: value.length > 0, testName: testName === undefined ? undefined : pythonStr(testName) }
}

function shellOf(args: Arguments, { agent }: StateCall): Mapping {
  const shell = args.is('shell') ? args.value('shell') : agent.grains.all().shell
  return typeof shell === 'string' && shell !== '' ? { shell } : {}
}

const wrongMap = (args: Arguments, name: string): string | undefined =>
  pythonTruth(args.value(name)) && !isMap(args.value(name))
    ? `Invalidly-formatted '${name}' parameter. Must be formed as a dict.`
    : undefined

function wrongEnv(args: Arguments): string | undefined {
  const env = args.value('env')
  return env === null || Array.isArray(env) || isMap(env)
    ? undefined
    : "Invalidly-formatted 'env' parameter. See documentation."
}

async function wrongDirectory(args: Arguments): Promise<string | undefined> {
  const cwd = args.textIfAny('cwd')
  return cwd === undefined || (await isDirectory(cwd))
    ? undefined
    : `Desired working directory "${cwd}" is not available`
}

/** The keywords that go on to the execution function. */
function further(args: Arguments): Mapping {
  const own = ['python_shell', 'sfun', 'creates', 'onlyif', 'unless']
  return Object.fromEntries(Object.entries(args.cleanKeywords).filter(([name]) => !own.includes(name)))
}

async function run(args: Arguments, call: StateCall): Promise<StateReturn> {
  const { stateful, testName } = statefulOf(args)
  const command = call.test && testName !== undefined ? testName : args.text('name')
  const ret: StateReturn = { name: args.value('name'), changes: {}, result: false, comment: '' }
  const wrong = wrongEnv(args)
  if (wrong !== undefined) return { ...ret, comment: wrong }
  if (args.is('root'))
    return { ...ret, comment: "The 'root' option is not available: run chroot by the command itself." }
  if (call.test && testName === undefined) {
    const would: StateReturn = {
      ...ret,
      result: null,
      comment: `Command "${command}" would have been executed`,
      changes: { cmd: command },
    }
    return stateful ? reinterpreted(would) : would
  }
  const nowhere = await wrongDirectory(args)
  if (nowhere !== undefined) return { ...ret, comment: nowhere }
  let done: Mapping
  try {
    const options = { ...further(args), ...args.given(passed), ...shellOf(args, call), python_shell: true }
    done = { ...((await call.salt('cmd.run_all', [command], options)) as Mapping) }
  } catch (error) {
    return { ...ret, comment: messageOf(error) }
  }
  const timedOut =
    args.is('ignore_timeout') && done.retcode === 1 && pythonStr(done.stdout ?? '').includes('Timed out after')
  if (timedOut) done.retcode = 0
  return finished({ ...ret, comment: `Command "${command}" run` }, done, stateful, call)
}

function finished(ret: StateReturn, done: Mapping, stateful: boolean, call: StateCall): StateReturn {
  const ran: StateReturn = { ...ret, changes: done, result: done.retcode === 0 }
  const told = stateful ? reinterpreted(ran) : ran
  return call.test && done.retcode === 0 && Object.keys(told.changes).length > 0 ? { ...told, result: null } : told
}

async function script(args: Arguments, call: StateCall): Promise<StateReturn> {
  const { stateful, testName } = statefulOf(args)
  const name = call.test && testName !== undefined ? testName : args.text('name')
  const ret: StateReturn = { name, changes: {}, result: false, comment: '' }
  const wrong = wrongEnv(args) ?? wrongMap(args, 'context') ?? wrongMap(args, 'defaults')
  if (wrong !== undefined) return { ...ret, comment: wrong }
  if (call.test && testName === undefined) {
    const would: StateReturn = { ...ret, result: null, comment: `Command '${name}' would have been executed` }
    return stateful ? reinterpreted(would) : would
  }
  const nowhere = await wrongDirectory(args)
  if (nowhere !== undefined) return { ...ret, comment: nowhere }
  const more = further(args)
  const [first = '', ...rest] = name.split(' ')
  const source = args.textIfAny('source') ?? (rest.length > 0 ? first : name)
  const words = !pythonTruth(more.args ?? null) && rest.length > 0 ? { args: name.slice(first.length + 1) } : {}
  const context = { ...entriesOf(args.value('defaults')), ...entriesOf(args.value('context')) }
  let done: Mapping
  try {
    const options = {
      ...more,
      ...words,
      ...args.given([...passed, 'template']),
      ...shellOf(args, call),
      context,
      saltenv: call.env,
    }
    done = { ...((await call.salt('cmd.script', [source], { ...options, python_shell: true })) as Mapping) }
  } catch (error) {
    return { ...ret, comment: messageOf(error) }
  }
  const comment =
    done.cache_error === true ? `Unable to cache script ${source} from saltenv '${call.env}'` : `Command '${name}' run`
  return finished({ ...ret, comment }, done, stateful, call)
}

const entriesOf = (value: Value): Mapping => (isMapping(value) ? value : {})

const waits: AgentState['run'] = (args) => ({ name: args.value('name'), changes: {}, result: true, comment: '' })

const runArguments =
  "cwd=None, root=None, runas=None, password=None, shell=None, env=None, prepend_path=None, stateful=False, output_loglevel='debug', hide_output=False, timeout=None, ignore_timeout=False, use_vt=False, success_retcodes=None, success_stdout=None, success_stderr=None, **kwargs"
const scriptArguments =
  "source=None, template=None, cwd=None, runas=None, password=None, shell=None, env=None, stateful=False, timeout=None, use_vt=False, output_loglevel='debug', hide_output=False, defaults=None, context=None, success_retcodes=None, success_stdout=None, success_stderr=None, **kwargs"

const options = `

cwd, runas, shell, env, prepend_path, timeout
    Where, as whom, by which shell, with which variables it runs; seconds until it is killed.
creates, onlyif, unless
    Only where a file is not there yet; only where commands end well, or badly.
stateful
    The command says itself what it changed: JSON, or a last line \`\`changed=yes comment='…'\`\`.
    As a list with \`\`test_name\`\`: the command for test mode.
success_retcodes, success_stdout, success_stderr
    What means success although the return code is not 0.
hide_output, output_loglevel
    Keep what it prints out of the return; out of the log.`

const runState = defineState(
  `name, ${runArguments}`,
  `Run a command; it fails where its return code is not 0. Run it only when it is needed: with \`\`creates\`\`, \`\`unless\`\`, \`\`onlyif\`\` or \`\`onchanges\`\`.${options}${slsExample(`
date > /tmp/salt-run:
  cmd.run:
    - creates: /tmp/salt-run`)}`,
  run,
)
const scriptState = defineState(
  `name, ${scriptArguments}`,
  `Get a script from the master and run it.

source
    Where it is; by default the name. What follows its first space are the script's arguments.
template, context, defaults
    \`\`jinja\`\`: render it first, and what it sees.${options}${slsExample(`
Run myscript:
  cmd.script:
    - source: salt://path/to/my.script
    - cwd: /
    - args: "arg1 arg2"`)}`,
  script,
)
const waitState = defineState(
  `name, ${runArguments}`,
  `Run a command only when a state it watches changes.${options}${slsExample(`
run_postinstall:
  cmd.wait:
    - name: /usr/local/bin/postinstall.sh
    - watch:
      - file: /usr/local/bin/postinstall.sh`)}`,
  waits,
)

/** `cmd.wait_script` and what a fired `watch` calls. */
const waitScript = defineState(
  `name, ${scriptArguments}`,
  `Run a script only when a state it watches changes.${options}${slsExample(`
run_postinstall:
  cmd.wait_script:
    - source: salt://postinstall.sh
    - watch:
      - file: /etc/app.conf`)}`,
  waits,
)

const modWatch = defineState(
  'name, sfun=None, **kwargs',
  `What a \`\`watch\`\` that fired runs: the command or the script of the state.${slsExample(`
restart_it:
  cmd.run:
    - name: /usr/local/bin/restart.sh
    - watch:
      - file: /etc/app.conf`)}`,
  (args, call) => {
    const sfun = args.text('sfun')
    const given = { ...args.keywords, name: args.value('name') }
    if (['wait', 'run', 'watch'].includes(sfun)) return run(boundArguments(runState, given), call)
    if (['wait_script', 'script'].includes(sfun)) return script(boundArguments(scriptState, given), call)
    const comment = `cmd.${sfun} does not work with the watch requisite, please use cmd.wait or cmd.wait_script`
    return { name: args.value('name'), changes: {}, comment, result: false }
  },
)

const refusal = (name: string): string =>
  `cmd.${name} calls a function of Python, which no SLS file of YAML can name: use module.run for a function of the minion, or cmd.run for a command.`

/** `cmd.call` and `cmd.wait_call`: states for the Python renderers, which the minion does not have. */
const callState = (name: string): AgentState =>
  defineState(
    "name, func, args=[], kws=None, output_loglevel='debug', hide_output=False, use_vt=False, **kwargs",
    `Not available: it calls a function of Python. Use \`\`module.run\`\` for a function of the minion, \`\`cmd.run\`\` for a command.${slsExample(`
instead:
  module.run:
    - test.ping: []`)}`,
    (args) => ({ name: args.value('name'), changes: {}, result: false, comment: refusal(name) }),
  )

/** Salt's `cmd` states. */
export const cmd: StateModule = {
  name: 'cmd',
  functions: {
    run: runState,
    script: scriptState,
    wait: waitState,
    watch: waitState,
    wait_script: waitScript,
    call: callState('call'),
    wait_call: callState('wait_call'),
    mod_watch: modWatch,
  },
}
