// The functions of `state` that show what would run, and what runs.
import {
  compileChunks,
  type High,
  lowstate,
  lowText,
  type RenderedHigh,
  showTop,
  thawed,
  verifyHigh,
} from '../../core/state/index.ts'
import { isList, isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../modules/module.ts'
import { compiled, compileWorld, matchTops, namesOf, renderMatches, renderNamed } from './compile.ts'
import { conflictWords, jidOf, retcodes, type Scope, scopeOf, stateRuns } from './scope.ts'

async function soundScope(args: Arguments, call: Call): Promise<Scope> {
  const scope = await scopeOf(args, call)
  if (scope.pillarErrors.length === 0) return scope
  call.context.retcode = retcodes.pillar
  throw new CommandExecutionError(['Pillar failed to render', ...scope.pillarErrors].join('\n'))
}

function refused(call: Call, errors: readonly string[]): Value {
  call.context.retcode = retcodes.compile
  return [...errors]
}

/** The named files' high data, or why there is none. */
async function named(args: Arguments, call: Call): Promise<{ scope: Scope; high: High; errors: readonly string[] }> {
  const scope = await soundScope(args, call)
  const { high, errors } = await renderNamed(scope, scope.saltenv ?? 'base', namesOf(args.value('mods')))
  return { scope, high, errors: [...errors, ...verifyHigh(high)] }
}

async function showSls(args: Arguments, call: Call): Promise<Value> {
  const { high, errors } = await named(args, call)
  return errors.length > 0 ? refused(call, errors) : high
}

async function lowSls(args: Arguments, call: Call): Promise<Value> {
  const { scope, high, errors } = await named(args, call)
  if (errors.length > 0) return refused(call, errors)
  const made = compileChunks(high, compileWorld(scope.call))
  return made.kind === 'errors' ? refused(call, made.errors) : [...lowstate(made.plan)]
}

async function highstateData(args: Arguments, call: Call): Promise<{ scope: Scope } & RenderedHigh> {
  const scope = await soundScope(args, call)
  const found = await matchTops(scope)
  if (found.kind === 'unrendered') throw new CommandExecutionError(found.message)
  if (found.errors.length > 0) return { scope, high: thawed({}), errors: found.errors }
  return { scope, ...(await renderMatches(scope, found.matches)) }
}

async function showHighstate(args: Arguments, call: Call): Promise<Value> {
  const { high, errors } = await highstateData(args, call)
  if (errors.length > 0) return refused(call, errors)
  call.context.retcode = high.size === 0 ? retcodes.failure : 0
  return high
}

async function showLowstate(args: Arguments, call: Call): Promise<Value> {
  const { scope, high, errors } = await highstateData(args, call)
  if (errors.length > 0) return refused(call, errors)
  const made = compiled(scope.call, high)
  return made.kind === 'errors' ? refused(call, made.errors) : [...lowstate(made.plan)]
}

async function showStates(args: Arguments, call: Call): Promise<Value> {
  const chunks = await showLowstate(args, call)
  if (!isList(chunks) || !chunks.every(isMap)) return chunks
  return [...new Set(chunks.map((low) => lowText(low, '__sls__')))]
}

async function showTops(args: Arguments, call: Call): Promise<Value> {
  const found = await matchTops(await soundScope(args, call))
  if (found.kind === 'unrendered') throw new CommandExecutionError(found.message)
  return found.errors.length > 0 ? refused(call, found.errors) : showTop(found.matches)
}

/** Which SLS files there are, by environment, and which of them the top file names for this minion. */
async function stateUsage(args: Arguments, call: Call): Promise<Value> {
  const scope = await soundScope(args, call)
  const found = await matchTops(scope)
  if (found.kind === 'unrendered') throw new CommandExecutionError(found.message)
  if (found.errors.length > 0) return refused(call, found.errors)
  const told: Mapping = {}
  for (const env of namesOf(await scope.call.salt('cp.envs'))) {
    const all = namesOf(await scope.call.salt('cp.list_states', [env]))
    const named = new Set(found.matches.get(env) ?? [])
    const [used, unused] = [all.filter((name) => named.has(name)), all.filter((name) => !named.has(name))]
    told[env] = { used, unused, count_all: all.length, count_used: used.length, count_unused: unused.length }
  }
  return told
}

async function idExists(args: Arguments, call: Call): Promise<Value> {
  const chunks = await lowSls(args, call)
  const there = new Set<string>()
  for (const low of isList(chunks) ? chunks : []) if (isMap(low)) there.add(lowText(low, '__id__'))
  return namesOf(args.value('ids')).every((id) => there.has(id))
}

/** Adds to or takes from `state_runs_disabled` of the grains. */
async function switchRuns(args: Arguments, call: Call, disable: boolean): Promise<Value> {
  const list = call.agent.grains.all().state_runs_disabled
  const disabled = new Set(Array.isArray(list) ? list.map(pythonStr) : [])
  const word = disable ? 'disabled' : 'enabled'
  const lines: string[] = []
  for (const name of namesOf(args.value('states'))) {
    lines.push(`Info: ${name} state ${disabled.has(name) === disable ? 'already ' : ''}${word}.`)
    if (disable) disabled.add(name)
    else disabled.delete(name)
  }
  await call.salt('grains.setval', ['state_runs_disabled', [...disabled]])
  return { res: true, msg: lines.join('\n') } satisfies Mapping
}

const readOnly = { readOnly: true }
const words = 'test=None, queue=None, **kwargs'

/** `state.show_sls`, `state.show_top`, `state.running` and the like. */
export const stateShowing: Readonly<Record<string, ExecutionFunction>> = {
  show_sls: define(
    `mods, ${words}`,
    `Show the high data of SLS files.${examples("brine '*' state.show_sls core,edit.vim saltenv=dev")}`,
    showSls,
    readOnly,
  ),
  show_low_sls: define(
    `mods, ${words}`,
    `Show the low chunks of SLS files.${examples("brine '*' state.show_low_sls foo")}`,
    lowSls,
    readOnly,
  ),
  show_highstate: define(
    'queue=None, test=None, **kwargs',
    `Show the high data that the top file leads to.${examples("brine '*' state.show_highstate")}`,
    showHighstate,
    readOnly,
  ),
  show_lowstate: define(
    'queue=None, test=None, **kwargs',
    `Show the low chunks that the top file leads to.${examples("brine '*' state.show_lowstate")}`,
    showLowstate,
    readOnly,
  ),
  show_states: define(
    'queue=None, test=None, **kwargs',
    `List the SLS files that the top file leads to, in the order in which they run.${examples("brine '*' state.show_states")}`,
    showStates,
    readOnly,
  ),
  show_top: define(
    'queue=None, test=None, **kwargs',
    `Show what the top file gives this minion, by environment.${examples("brine '*' state.show_top")}`,
    showTops,
    readOnly,
  ),
  show_state_usage: define(
    'queue=None, **kwargs',
    `List the SLS files that the top file gives this minion, and those that it does not, by environment.${examples("brine '*' state.show_state_usage")}`,
    stateUsage,
    readOnly,
  ),
  sls_exists: define(
    `mods, ${words}`,
    `Return whether SLS files are there and render.${examples("brine '*' state.sls_exists core,edit.vim saltenv=dev")}`,
    async (args, call) => isMap(await showSls(args, call)),
    readOnly,
  ),
  id_exists: define(
    `ids, mods, ${words}`,
    `Return whether SLS files have all the IDs.${examples("brine '*' state.id_exists create_myfile,update_template filestate saltenv=dev")}`,
    idExists,
    readOnly,
  ),
  running: define(
    'concurrent=False',
    `Return a line for each run of states under way.${examples("brine '*' state.running")}`,
    (args, call) => (args.is('concurrent') ? [] : stateRuns(call).others(jidOf(call)).map(conflictWords)),
    readOnly,
  ),
  disable: define(
    'states',
    `Let states, or the highstate, run no more until they are enabled.${examples("brine '*' state.disable highstate", "brine '*' state.disable bind.config")}`,
    (args, call) => switchRuns(args, call, true),
  ),
  enable: define(
    'states',
    `Let states run again that were disabled.${examples("brine '*' state.enable highstate", "brine '*' state.enable test.succeed_without_changes")}`,
    (args, call) => switchRuns(args, call, false),
  ),
  list_disabled: define(
    '',
    `List the states that are disabled.${examples("brine '*' state.list_disabled")}`,
    (_, call) => call.agent.grains.all().state_runs_disabled ?? [],
    readOnly,
  ),
}
