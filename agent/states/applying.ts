// The functions of `state` that run states.
import { readFile } from 'node:fs/promises'
import {
  bindLow,
  checkResult,
  type High,
  type Low,
  lowTag,
  lowText,
  type Plan,
  padStates,
  type Results,
  renderFailure,
  type SlsFile,
  thawed,
  verifyLow,
} from '../../core/state/index.ts'
import { isMap, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { isErrno } from '../filesystem/os-error.ts'
import type { Arguments } from '../modules/arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../modules/errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../modules/module.ts'
import { compiledToRun, excluding, matchTops, namesOf, renderMatches, renderNamed, whitelisted } from './compile.ts'
import { stateFunctions } from './functions.ts'
import { runPlan } from './run.ts'
import { inTurn, retcodes, type Scope, scopeOf } from './scope.ts'
import { withSls } from './sls.ts'

const noTop = 'No Top file or master_tops data matches found. Please see master log for details.'

/** Words that mean that nothing ran. */
function refused(call: Call, errors: readonly string[], code: number = retcodes.compile): Value {
  call.context.retcode = code
  return [...errors]
}

function pillarRefusal(call: Call, { pillarErrors }: Scope): Value | undefined {
  if (pillarErrors.length === 0) return undefined
  return refused(call, ['Pillar failed to render with the following messages:', ...pillarErrors], retcodes.pillar)
}

async function runHigh(args: Arguments, call: Call, scope: Scope, high: High): Promise<Value> {
  padStates(high)
  const made = compiledToRun(scope.call, high)
  if (made.kind === 'errors') return refused(call, made.errors)
  const given = args.value('state_events')
  const events = pythonTruth(given === null ? (scope.call.agent.opts.state_events ?? false) : given)
  const results = await runPlan(scope.call, made.plan, { test: scope.test, events })
  call.context.retcode = checkResult({ ...results }, { high: made.high }) ? 0 : retcodes.failure
  return told(args, results)
}

/** With `terse=True` only what changed or failed. */
function told(args: Arguments, results: Results): Value {
  if (!pythonTruth(args.keywords.terse ?? false)) return { ...results }
  return Object.fromEntries(
    Object.entries(results).filter(
      ([, { result = null, changes = null }]) => !pythonTruth(result) || pythonTruth(changes),
    ),
  )
}

/** `state_runs_disabled` of the grains. */
function disabledWords(call: Call, names: readonly string[]): string[] {
  const list = call.agent.grains.all().state_runs_disabled
  const disabled = Array.isArray(list) ? list.map(pythonStr) : []
  return names.flatMap((name) =>
    disabled.flatMap((entry) => {
      if (entry === name)
        return [`The state file "${name}" is currently disabled, to re-enable, run state.enable ${name}.`]
      if (!entry.includes('.*') || !name.startsWith(`${entry.split('.')[0]}.`)) return []
      return [`The state file "${name}" is currently disabled by "${entry}", to re-enable, run state.enable ${entry}.`]
    }),
  )
}

async function sls(args: Arguments, call: Call): Promise<Value> {
  return inTurn(args, call, async () => {
    const names = namesOf(args.value('mods'))
    const disabled = disabledWords(call, names)
    if (disabled.length > 0) return refused(call, disabled)
    await syncNamed(args, call)
    const scope = await scopeOf(args, call)
    const refusal = pillarRefusal(call, scope)
    if (refusal !== undefined) return refusal
    const { high, errors } = await renderNamed(scope, scope.saltenv ?? 'base', names)
    if (errors.length > 0) return refused(call, errors)
    excluding(high, args.value('exclude'))
    return runHigh(args, call, scope, high)
  })
}

/** `sync_mods=all` or names of kinds, before the files are read. */
async function syncNamed(args: Arguments, call: Call): Promise<void> {
  const kinds = args.value('sync_mods') === true ? ['all'] : namesOf(args.value('sync_mods'))
  for (const kind of kinds.includes('all') ? ['all'] : kinds) {
    const fun = `saltutil.sync_${kind}`
    if (call.agent.functions.get(fun) === undefined)
      call.agent.outside.log.warn(`Invalid custom module type '${kind}', ignoring`)
    else await call.salt(fun)
  }
}

async function highstate(args: Arguments, call: Call, stateTop?: string): Promise<Value> {
  if (disabledWords(call, ['highstate']).length > 0) {
    const name = 'Salt highstate run is disabled. To re-enable, run state.enable highstate'
    return { name, result: 'False', comment: 'Disabled' }
  }
  return inTurn(args, call, async () => {
    // As in Salt, whose minion gets its pillar for a highstate over a new channel.
    const scope = await scopeOf(args, call, true)
    const refusal = pillarRefusal(call, scope)
    if (refusal !== undefined) return refusal
    const found = await matchTops(scope, stateTop)
    if (found.kind === 'unrendered') return noStates(call, `Unable to render top file: ${found.message}`)
    if (found.matches.size === 0) return noStates(call, noTop)
    if (scope.call.agent.opts.autoload_dynamic_modules !== false)
      await syncEnvironments(call, [...found.matches.keys()])
    const { high, errors } = await renderMatches(scope, whitelisted(found.matches, args.keywords.whitelist ?? null))
    const all = [...found.errors, ...errors]
    if (all.length > 0) return refused(call, all)
    if (high.size === 0) return noStates(call, 'No states found for this minion')
    excluding(high, args.keywords.exclude ?? null)
    return runHigh(args, call, scope, high)
  })
}

/** The user's modules of the environments that take part, as Salt loads them before a highstate. */
async function syncEnvironments(call: Call, environments: readonly string[]): Promise<void> {
  if (call.agent.functions.get('saltutil.sync_all') !== undefined)
    await call.salt('saltutil.sync_all', [], { saltenv: [...environments] })
}

function noStates(call: Call, comment: string): Value {
  call.context.retcode = retcodes.failure
  return { 'no_|-states_|-states_|-None': { result: false, comment, name: 'No States', changes: {}, __run_num__: 0 } }
}

/** One chunk, which no other goes before. */
function planOf(low: Low): Plan {
  return { chunks: [low], nodes: [{ chunk: 0, tag: lowTag(low), test: false, needs: [] }] }
}

async function single(args: Arguments, call: Call): Promise<Value> {
  return inTurn(args, call, async () => {
    const [module, fun] = args.text('fun').split('.')
    if (module === undefined || fun === undefined || fun === '') {
      call.context.retcode = retcodes.compile
      return 'Invalid function passed'
    }
    const name = args.value('name')
    const low: Low = { ...args.cleanKeywords, state: module, fun, __id__: name, name }
    const scope = await scopeOf(args, call)
    const unfit = verifyLow(low, stateFunctions(scope.call))
    if (unfit.length > 0) return refused(call, unfit)
    const results = await runPlan(scope.call, planOf(low), { test: scope.test, events: false })
    call.context.retcode = checkResult({ ...results }) ? 0 : retcodes.failure
    return { ...results }
  })
}

async function low(args: Arguments, call: Call): Promise<Value> {
  return inTurn(args, call, async () => {
    const data = args.value('data')
    const chunk: Low = isMap(data) ? data : {}
    const scope = await scopeOf(args, call)
    const states = stateFunctions(scope.call)
    const unfit = verifyLow(chunk, states)
    if (unfit.length > 0) return refused(call, unfit)
    const state = states(`${lowText(chunk, 'state')}.${lowText(chunk, 'fun')}`)
    const bound = state === undefined ? undefined : bindLow(chunk, state)
    if (bound?.kind === 'unknown') return refused(call, [bound.message])
    const results = await runPlan(scope.call, planOf(chunk), { test: scope.test, events: false })
    call.context.retcode = checkResult({ ...results }) ? 0 : retcodes.failure
    return Object.values(results)[0] ?? {}
  })
}

async function high(args: Arguments, call: Call): Promise<Value> {
  return inTurn(args, call, async () => runHigh(args, call, await scopeOf(args, call), thawed(args.value('data'))))
}

/** A file of this minion's, or a text, as an SLS file of no environment. */
async function template(args: Arguments, call: Call, file: Pick<SlsFile, 'sls' | 'text'>): Promise<Value> {
  return inTurn(args, call, async () => {
    const scope = await scopeOf(args, call)
    const refusal = pillarRefusal(call, scope)
    if (refusal !== undefined) return refusal
    const env = scope.saltenv ?? 'base'
    const rendered = await withSls(scope.call, (world) => {
      try {
        return { document: world.render({ ...file, env, path: '' }) }
      } catch (error) {
        return { failure: renderFailure(error, { ...file, env, path: '' }) }
      }
    })
    if ('failure' in rendered) return refused(call, [rendered.failure])
    if (!isMap(rendered.document)) return refused(call, [`SLS ${file.sls} does not render to a dictionary`])
    return runHigh(args, call, scope, thawed(rendered.document))
  })
}

async function slsId(args: Arguments, call: Call): Promise<Value> {
  return inTurn(args, call, async () => {
    const scope = await scopeOf(args, call)
    const refusal = pillarRefusal(call, scope)
    if (refusal !== undefined) return refusal
    const env = scope.saltenv ?? 'base'
    const { high: rendered, errors } = await renderNamed(scope, env, namesOf(args.value('mods')))
    if (errors.length > 0) return refused(call, errors)
    const made = compiledToRun(scope.call, rendered)
    if (made.kind === 'errors') return refused(call, made.errors)
    const id = args.text('id_')
    const plan = onlyId(made.plan, id)
    if (plan.nodes.length === 0) {
      throw new SaltInvocationError(
        `No matches for ID '${id}' found in SLS '${pythonStr(args.value('mods'))}' within saltenv '${env}'`,
      )
    }
    const events = pythonTruth(args.value('state_events'))
    const results = await runPlan(scope.call, plan, { test: scope.test, events })
    call.context.retcode = checkResult({ ...results }, { high: made.high }) ? 0 : retcodes.failure
    return { ...results }
  })
}

/** The nodes of an ID with all that they need, directly or not. */
function onlyId(plan: Plan, id: string): Plan {
  const wanted = new Set<number>()
  const want = (index: number): void => {
    if (wanted.has(index)) return
    wanted.add(index)
    for (const { node } of plan.nodes[index]?.needs ?? []) want(node)
  }
  for (const [index, { chunk }] of plan.nodes.entries()) {
    const low = plan.chunks[chunk]
    if (low !== undefined && lowText(low, '__id__') === id) want(index)
  }
  const kept = [...wanted].sort((a, b) => a - b)
  const place = new Map(kept.map((index, position) => [index, position]))
  const nodes = kept.flatMap((index) => {
    const node = plan.nodes[index]
    if (node === undefined) return []
    return [{ ...node, needs: node.needs.map((need) => ({ ...need, node: place.get(need.node) ?? 0 })) }]
  })
  return { chunks: plan.chunks, nodes }
}

async function localTemplate(args: Arguments, call: Call): Promise<Value> {
  const path = args.text('tem').replace(/(\.sls)?$/, '.sls')
  try {
    return await template(args, call, { sls: path, text: await readFile(path, 'utf8') })
  } catch (error) {
    if (isErrno(error, 'ENOENT')) throw new CommandExecutionError(`There is no file ${path}.`, error)
    throw error
  }
}

const options = `

test
    True: change nothing, and say what would be changed.
pillar
    Values laid over the pillar: pillar='{"foo": "bar"}'.
exclude
    SLS files to leave out, or a list of maps with id or sls.
queue
    True: wait for other runs of states instead of failing. A number: if fewer than so many wait.
saltenv, pillarenv
    The environment of the files, and of the pillar.
state_events
    True: fire an event as each state ends.
concurrent
    True: run beside others. Dangerous.`

const highstateOut = { out: 'highstate' }

function apply(args: Arguments, call: Call): Promise<Value> {
  return pythonTruth(args.value('mods')) ? sls(args, call) : highstate(args, call)
}

const runWords = 'test=None, exclude=None, queue=None, sync_mods=None, state_events=None, **kwargs'

/** `state.apply`, `state.sls`, `state.single` and the like. */
export const stateApplying: Readonly<Record<string, ExecutionFunction>> = {
  apply: define(
    `mods=None, ${runWords}`,
    `Apply states: those of the SLS files named, or with none the highstate.${options}${examples("brine '*' state.apply", "brine '*' state.apply stuff", "brine '*' state.apply stuff,things test=True", `brine '*' state.apply stuff pillar='{"foo": "bar"}'`)}`,
    apply,
    highstateOut,
  ),
  sls: define(
    `mods, ${runWords}`,
    `Apply the states of SLS files.${options}${examples("brine '*' state.sls core,edit.vim", `brine '*' state.sls core exclude="[{'id': 'id_to_exclude'}, {'sls': 'sls_to_exclude'}]"`)}`,
    sls,
    highstateOut,
  ),
  highstate: define(
    'test=None, queue=None, state_events=None, **kwargs',
    `Bring the minion to the state that the top file gives it.${options}${examples("brine '*' state.highstate", "brine '*' state.highstate whitelist=sls1_to_run,sls2_to_run")}`,
    (args, call) => highstate(args, call),
    highstateOut,
  ),
  top: define(
    'topfn, test=None, queue=None, state_events=None, **kwargs',
    `Bring the minion to the state that another top file gives it.${options}${examples("brine '*' state.top reverse_top.sls")}`,
    (args, call) => highstate(args, call, args.text('topfn')),
    highstateOut,
  ),
  test: define(
    `mods=None, ${runWords}`,
    `Say what state.apply would change, and change nothing.${options}${examples("brine '*' state.test", "brine '*' state.test stuff")}`,
    (args, call) =>
      call.salt('state.apply', [args.value('mods')], {
        ...args.cleanKeywords,
        ...args.given(['exclude', 'queue', 'sync_mods', 'state_events']),
        test: true,
      }),
    highstateOut,
  ),
  single: define(
    'fun, name, test=None, queue=None, **kwargs',
    `Run one state function.${examples("brine '*' state.single pkg.installed name=vim")}`,
    single,
    highstateOut,
  ),
  sls_id: define(
    'id_, mods, test=None, queue=None, state_events=None, **kwargs',
    `Apply one ID of SLS files, with all that it requires.${options}${examples("brine '*' state.sls_id my_state my_module", "brine '*' state.sls_id my_state my_module,a_common_module")}`,
    slsId,
    highstateOut,
  ),
  template: define(
    'tem, queue=None, test=None, state_events=None, **kwargs',
    `Apply the states of an SLS file that lies on the minion.${examples("brine '*' state.template '<Path to template on the minion>'")}`,
    localTemplate,
    highstateOut,
  ),
  template_str: define(
    'tem, queue=None, test=None, state_events=None, **kwargs',
    `Apply the states of an SLS file given as text.${examples("brine '*' state.template_str '<Template String>'")}`,
    (args, call) => template(args, call, { sls: '<template_str>', text: args.text('tem') }),
    highstateOut,
  ),
  low: define(
    'data, queue=None, test=None, **kwargs',
    `Run one low chunk.${examples(`brine '*' state.low '{"state": "pkg", "fun": "installed", "name": "vi"}'`)}`,
    low,
  ),
  high: define(
    'data, test=None, queue=None, state_events=None, **kwargs',
    `Apply high data.${examples(`brine '*' state.high '{"vim": {"pkg": ["installed"]}}'`)}`,
    high,
  ),
}
