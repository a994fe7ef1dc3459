// `salt.runner`, `salt.wheel`, `salt.parallel_runners` and `salt.wait_for_event`: what a step asks of the master itself.
import {
  entries,
  Float,
  get,
  isList,
  isMap,
  isMapping,
  type Mapping,
  pythonStr,
  pythonTruth,
  type Value,
} from '../../core/value/index.ts'
import { withoutInner } from '../inner-keywords.ts'
import { isOrchestration } from './is-orchestration.ts'
import { type Ended, parameter, type RunEnd, type RunItem, type StepFunction, type StepPlace } from './step.ts'

/** `salt.runner`: runs one runner function with the step's other arguments. */
export const runnerStep: StepFunction = oneRun('runner')

/** `salt.wheel`: runs one wheel function with the step's other arguments. */
export const wheelStep: StepFunction = oneRun('wheel')

function oneRun(client: RunItem['client']): StepFunction {
  const word = client === 'runner' ? 'Runner' : 'Wheel'
  return {
    signature: { params: [parameter('name')], varKwargs: true },
    begin(args, place) {
      const fun = pythonStr(args.name ?? '')
      if (place.test) {
        const comment = `${word} function '${fun}' would be executed.`
        return { kind: 'returned', value: { name: fun, result: null, changes: {}, comment } }
      }
      const arg = isList(args.arg) ? args.arg : []
      const item = runItem({ client, name: fun, fun, arg, kwarg: keywordsOf(args) }, place)
      return { kind: 'runs', items: [item], told: [toldOf(item)] }
    },
    finish(args, _, ended) {
      const [run] = runsOf(ended)
      const returned = run?.returned ?? null
      const isError = isMap(returned) && get(returned, 'Error') !== undefined
      const success = run?.success === true && !isError
      return {
        name: args.name ?? null,
        changes: { return: returned },
        result: success,
        comment: `${word} function '${pythonStr(args.name ?? '')}' ${success ? 'executed' : 'failed'}.`,
        ...(run === undefined ? {} : { __jid__: run.jid }),
      }
    },
  }
}

/** `salt.parallel_runners`: several runner functions side by side, each under a name of its own. */
export const parallelRunnersStep: StepFunction = {
  signature: { params: [parameter('name'), parameter('runners')], varKwargs: true },
  begin(args, place) {
    const { runners = null } = args
    const configured = typeof runners === 'string' ? { [runners]: [{ name: runners }] } : runners
    if (!isMap(configured)) {
      const comment = 'The runners parameter must be a string or dict.'
      return { kind: 'returned', value: { name: args.name ?? null, result: false, changes: {}, comment } }
    }
    if (place.test) {
      const names = entries(configured).map(([id]) => pythonStr(id))
      const comment = `Runner functions ${names.join(', ')} would be executed.`
      return { kind: 'returned', value: { name: args.name ?? null, result: null, changes: {}, comment } }
    }
    const items = entries(configured).map(([id, config]) => {
      const options = mergedList(config)
      const kwarg = isMapping(options.kwarg ?? null) ? (options.kwarg as Mapping) : {}
      const [name, fun] = [pythonStr(id), pythonStr(options.name ?? id)]
      return runItem({ client: 'runner', name, fun, arg: [], kwarg }, place)
    })
    return { kind: 'runs', items, told: items.map(toldOf) }
  },
  finish(args, _, ended) {
    const runs = runsOf(ended)
    return { name: args.name ?? null, ...(areHighstates(runs) ? highstateReturn(runs) : plainReturn(runs)) }
  },
}

/** Whether each returned what an orchestration returns. */
function areHighstates(runs: readonly RunEnd[]): boolean {
  return runs.every(
    ({ returned }) =>
      isMap(returned) && get(returned, 'outputter') === 'highstate' && get(returned, 'data') !== undefined,
  )
}

/** Salt looks for the exit code inside the data, where 3007 no longer puts it; the one beside counts here too. */
function highstateReturn(runs: readonly RunEnd[]): Mapping {
  const failed = runs.filter(({ returned, success }) => !success || exitCode(returned) !== 0)
  const changes: Mapping = {}
  for (const { name, returned } of runs) {
    const found = changesIn(isMap(returned) ? (get(returned, 'data') ?? null) : null)
    if (pythonTruth(found)) changes[name] = found
  }
  return { result: failed.length === 0, changes, comment: runnersComment(failed) }
}

function plainReturn(runs: readonly RunEnd[]): Mapping {
  const failed = runs.filter(
    ({ returned, success }) => !success || (isMap(returned) && pythonTruth(get(returned, 'exit_code') ?? 0)),
  )
  const ret: Mapping = {}
  for (const { name, returned } of runs) ret[name] = returned
  return { result: failed.length === 0, changes: { ret }, comment: runnersComment(failed) }
}

function runnersComment(failed: readonly RunEnd[]): string {
  if (failed.length === 0) return 'All runner functions executed successfully.'
  const names = failed.map(({ name }) => name).join(', ')
  return failed.length === 1 ? `Runner ${names} failed.` : `Runners ${names} failed.`
}

function exitCode(returned: Value): number {
  if (!isMap(returned)) return 0
  const data = get(returned, 'data') ?? null
  const inside = isMap(data) ? get(data, 'retcode') : undefined
  return Number(inside ?? get(returned, 'retcode') ?? 0)
}

/** The `changes` that stand anywhere in results, by the keys that lead there. */
function changesIn(value: Value): Value {
  if (!isMap(value)) return {}
  const changes = get(value, 'changes')
  if (changes !== undefined) {
    const isRun = isMap(changes) && get(changes, 'out') === 'highstate' && get(changes, 'ret') !== undefined
    return isRun ? (get(changes, 'ret') ?? null) : changes
  }
  const found: Mapping = {}
  for (const [key, item] of entries(value)) {
    const deeper = changesIn(item)
    if (pythonTruth(deeper)) found[pythonStr(key)] = deeper
  }
  return found
}

/** `salt.wait_for_event`: waits until each id was seen in an event. */
export const waitForEventStep: StepFunction = {
  signature: {
    params: [
      parameter('name'),
      parameter('id_list'),
      parameter('event_id', 'id'),
      parameter('timeout', 300),
      parameter('node', 'master'),
    ],
    varKwargs: true,
  },
  begin(args, place) {
    const name = pythonStr(args.name ?? '')
    if (place.test) {
      const comment = `Orchestration would wait for event '${name}'`
      return { kind: 'returned', value: { name, changes: {}, comment, result: null } }
    }
    const ids = isList(args.id_list) ? args.id_list : [args.id_list ?? null]
    const timeout = Number(pythonStr(args.timeout ?? 300))
    return { kind: 'events', request: { tag: name, ids, key: pythonStr(args.event_id ?? 'id'), timeout } }
  },
  finish(args, _, ended) {
    const { seen, seconds, isComplete } = ended.kind === 'events' ? ended : { seen: [], seconds: 0, isComplete: false }
    const comment = isComplete
      ? `All events seen in ${pythonStr(new Float(seconds))} seconds.`
      : 'Timeout value reached.'
    const changes: Mapping = seen.length === 0 ? {} : { minions_seen: [...seen] }
    return { name: args.name ?? null, changes, comment, result: isComplete }
  },
}

/** The item; an orchestration in a step is told of the one it is in. */
function runItem(item: RunItem, { env, orchestration }: StepPlace): RunItem {
  if (item.client !== 'runner' || !isOrchestration(item.fun)) return item
  return { ...item, kwarg: { saltenv: env, ...item.kwarg, orchestration_jid: orchestration } }
}

function toldOf({ client, fun, arg, kwarg }: RunItem): Mapping {
  return client === 'runner'
    ? { type: 'runner', name: fun, args: [...arg], kwargs: kwarg }
    : { type: 'wheel', name: fun, args: kwarg }
}

/** The step's arguments for the function: all but its name, the target it may carry, and the engine's own. */
function keywordsOf(args: Mapping): Mapping {
  const { name: _, arg, kwarg, ...rest } = args
  return { ...withoutInner(rest), ...(isMapping(kwarg ?? null) ? (kwarg as Mapping) : {}) }
}

/** Salt's `repack_dictlist`: a list of one-key maps as one map. */
function mergedList(value: Value): Mapping {
  if (isMapping(value)) return value
  if (!isList(value)) return {}
  return Object.assign({}, ...value.filter(isMapping)) as Mapping
}

function runsOf(ended: Ended): readonly RunEnd[] {
  return ended.kind === 'runs' ? ended.runs : []
}
