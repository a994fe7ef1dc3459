// `salt.state` and `salt.function`: jobs for minions, and what their returns make of the step.

import { checkResult } from '../../core/state/index.ts'
import {
  entries,
  get,
  isInteger,
  isList,
  isMap,
  isMapping,
  type Mapping,
  pythonRepr,
  pythonStr,
  pythonTruth,
  type Value,
} from '../../core/value/index.ts'
import { returnerChoice, returnersOf } from '../returners.ts'
import {
  type Ended,
  type JobsRequest,
  type MinionAnswer,
  parameter,
  type StepFunction,
  type StepPlace,
} from './step.ts'

const common = [
  parameter('ssh', false),
  parameter('tgt_type', 'glob'),
  parameter('ret', ''),
  parameter('ret_config', null),
  parameter('ret_kwargs', null),
  parameter('fail_minions', null),
  parameter('timeout', null),
  parameter('batch', null),
  parameter('subset', null),
  parameter('failhard', null),
]

/** `salt.state`: applies SLS files, a top file or the highstate on minions. */
export const stateStep: StepFunction = {
  signature: {
    params: [
      parameter('name'),
      parameter('tgt'),
      ...common,
      parameter('highstate', null),
      parameter('sls', null),
      parameter('top', null),
      parameter('saltenv', null),
      parameter('test', null),
      parameter('pillar', null),
      parameter('pillarenv', null),
      parameter('expect_minions', true),
      parameter('exclude', null),
      parameter('allow_fail', 0),
      parameter('concurrent', false),
      parameter('queue', false),
      parameter('orchestration_jid', null),
    ],
    varKwargs: true,
  },
  begin(args, place) {
    const refused = (comment: string) => ({ kind: 'returned' as const, value: result(args, false, comment) })
    if (allowedFailures(args) === undefined) return refused("Passed invalid value for 'allow_fail', must be an int")
    const called = stateFunction(args)
    if (called === undefined) return refused('No highstate or sls specified, no execution made')
    if (typeof args.concurrent !== 'boolean') return refused("Must pass in boolean for value of 'concurrent'")
    const kwarg: Mapping = {}
    if (given(args.test) || place.test) kwarg.test = given(args.test) ? (args.test ?? null) : true
    if (pythonTruth(args.pillar ?? null)) kwarg.pillar = args.pillar ?? null
    for (const key of ['pillarenv', 'saltenv', 'exclude']) if (given(args[key])) kwarg[key] = args[key] ?? null
    kwarg.queue = args.queue ?? false
    kwarg.concurrent = args.concurrent
    return begunJobs(args, place, { ...called, kwarg })
  },
  finish(args, place, ended) {
    const answers = answersOf(ended)
    const first = answers.find((answer) => !answer.failed)
    // A batch has a job for each of its parts: none is the step's.
    const base = first?.failed === false && !given(args.batch) ? { __jid__: first.jid } : {}
    if (answers.length === 0 && pythonTruth(args.expect_minions ?? null)) {
      return { ...result(args, false, 'No minions returned'), ...base }
    }
    return { ...stateReturn(args, place, answers), ...base }
  },
}

/** `salt.function`: runs an execution function on minions. */
export const functionStep: StepFunction = {
  signature: {
    params: [
      parameter('name'),
      parameter('tgt'),
      ...common,
      parameter('expect_minions', false),
      parameter('fail_function', null),
      parameter('arg', null),
      parameter('kwarg', null),
    ],
    varKwargs: true,
  },
  begin(args, place) {
    const fun = pythonStr(args.name ?? '')
    if (place.test) {
      const comment = `Function ${fun} would be executed on target ${pythonStr(args.tgt ?? null)}`
      return { kind: 'returned', value: result(args, null, comment) }
    }
    const kwarg = isMapping(args.kwarg ?? null) ? (args.kwarg as Mapping) : {}
    return begunJobs(args, place, { fun, arg: functionArguments(args), kwarg, meta: { _cmd_meta: true } })
  },
  finish(args, _, ended) {
    const answers = answersOf(ended)
    const first = answers.find((answer) => !answer.failed)
    const base: Mapping = {
      ...(typeof args.arg === 'string' ? { warnings: ["Please specify 'arg' as a list of arguments."] } : {}),
      ...(first?.failed === false && !given(args.batch) ? { __jid__: first.jid } : {}),
    }
    if (answers.length === 0) return { ...result(args, false, 'No minions responded'), ...base }
    const forgiven = failMinions(args)
    const failed = answers.filter((answer) => isFunctionFailure(answer, forgiven)).map(({ id }) => id)
    const name = pythonStr(args.name ?? '')
    const ret: Mapping = {}
    for (const answer of answers) ret[answer.id] = answer.failed ? false : answer.returned
    const outcome =
      failed.length > 0
        ? `Running function ${name} failed on minions: ${failed.join(', ')}`
        : 'Function ran successfully.'
    const ran = `Function ${name} ran on ${answers.map(({ id }) => id).join(', ')}.`
    return { ...result(args, failed.length === 0, `${outcome} ${ran}`, { ret }), ...base }
  },
}

/** A non-zero exit code always counts; what the function said only where the minion may not fail. */
function isFunctionFailure(answer: MinionAnswer, forgiven: readonly string[]): boolean {
  if (!answer.failed && answer.retcode !== 0) return true
  return (answer.failed || answer.returned === false) && !forgiven.includes(answer.id)
}

/** A text is split at white space, with a warning; Salt expects a list. */
function functionArguments({ arg }: Mapping): Value[] {
  if (typeof arg === 'string') return arg.split(/\s+/).filter((word) => word !== '')
  return isList(arg) ? [...arg] : []
}

function stateFunction(args: Mapping): { readonly fun: string; readonly arg: Value[] } | undefined {
  if (pythonTruth(args.highstate ?? null)) return { fun: 'state.highstate', arg: [] }
  if (pythonTruth(args.top ?? null)) return { fun: 'state.top', arg: [args.top ?? null] }
  const sls = args.sls ?? null
  if (!pythonTruth(sls)) return undefined
  return { fun: 'state.sls', arg: [isList(sls) ? sls.map(pythonStr).join(',') : sls] }
}

interface Called {
  readonly fun: string
  readonly arg: Value[]
  readonly kwarg: Mapping
  /** What the event of the step's arguments says besides. */
  readonly meta?: Mapping
}

function begunJobs(
  args: Mapping,
  place: StepPlace,
  { fun, arg, kwarg, meta = {} }: Called,
): { kind: 'jobs'; request: JobsRequest; told: Mapping } {
  const { tgt = null, tgt_type: tgtType = 'glob', ret = '', timeout = null, batch = null, subset = null } = args
  const failhard = args.failhard === true || place.failhard
  const returner = returnerChoice(args.ret_config, args.ret_kwargs)
  const request: JobsRequest = {
    fun,
    arg,
    kwarg,
    tgt,
    tgtType: pythonStr(tgtType),
    ret: returnersOf(ret),
    ...(returner === undefined ? {} : { returner }),
    timeout: timeout === null ? null : Number(pythonStr(timeout)),
    ...(batch === null ? {} : { batch: pythonStr(batch) }),
    ...(subset === null ? {} : { subset: Number(pythonStr(subset)) }),
    failhard,
    expectMinions: pythonTruth(args.expect_minions ?? null),
  }
  const told: Mapping = {
    type: fun === pythonStr(args.name ?? '') && meta._cmd_meta === true ? 'function' : 'state',
    tgt,
    name: args.name ?? null,
    args: {
      arg,
      kwarg,
      ret,
      timeout,
      ...(batch === null ? {} : { batch: pythonStr(batch) }),
      ...(subset === null ? {} : { subset }),
      tgt_type: tgtType,
      ssh: args.ssh ?? false,
      expect_minions: args.expect_minions ?? false,
      ...meta,
      ...(failhard ? { failhard: true } : {}),
    },
  }
  return { kind: 'jobs', request, told }
}

function stateReturn(args: Mapping, place: StepPlace, answers: readonly MinionAnswer[]): Mapping {
  const forgiven = failMinions(args)
  const changed: Mapping = {}
  const unchanged: string[] = []
  const failed: string[] = []
  const details: string[] = []
  for (const answer of answers) {
    const returned = answer.failed ? false : answer.returned
    if (answer.failed || !checkResult(returned, { recurse: true })) {
      if (!forgiven.includes(answer.id)) {
        failed.push(answer.id)
        details.push(failureDetail(answer))
      }
      changed[answer.id] = returned
    } else if (isMap(returned) && entries(returned).some(([, item]) => isMap(item) && hasChanges(item))) {
      changed[answer.id] = returned
    } else unchanged.push(answer.id)
  }
  const changes: Mapping = Object.keys(changed).length === 0 ? {} : { out: 'highstate', ret: changed }
  const isBad = failed.length > (allowedFailures(args) ?? 0)
  const comment = isBad
    ? [`Run failed on minions: ${failed.join(', ')}`, ...details.filter((detail) => detail !== '')].join('\n')
    : [
        'States ran successfully.',
        ...(Object.keys(changed).length === 0 ? [] : [`Updating ${Object.keys(changed).join(', ')}.`]),
        ...(unchanged.length === 0 ? [] : [`No changes made to ${unchanged.join(', ')}.`]),
      ].join(' ')
  const isTested = pythonTruth(args.test ?? null) || place.test
  const wouldChange = isTested && !isBad && Object.keys(changes).length > 0
  const warnings = warningsOf(args)
  return {
    ...result(args, wouldChange ? null : !isBad, comment, changes),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

const hasChanges = (item: Value): boolean => isMap(item) && pythonTruth(get(item, 'changes') ?? null)

/** Why a minion's return is no result of states, in one line; empty where its states tell it themselves. */
function failureDetail(answer: MinionAnswer): string {
  if (answer.failed) return `Minion ${answer.id} did not return a state result.`
  const { id, returned } = answer
  if (isMap(returned)) return ''
  if (!isList(returned)) return `Minion ${id} returned ${pythonRepr(returned)} instead of a state result.`
  const errors = returned.filter((item) => pythonTruth(item)).map(pythonStr)
  if (errors.length === 0) return `Minion ${id} returned an empty error list.`
  return `Minion ${id} returned errors: ${errors.join('; ')}`
}

function answersOf(ended: Ended): readonly MinionAnswer[] {
  return ended.kind === 'jobs' ? ended.answers : []
}

const given = (value: Value | undefined): boolean => value !== undefined && value !== null

function failMinions({ fail_minions: value = null }: Mapping): string[] {
  if (typeof value === 'string') return value.split(',').map((id) => id.trim())
  return isList(value) ? value.map(pythonStr) : []
}

function warningsOf({ fail_minions: value = null }: Mapping): string[] {
  if (value === null || typeof value === 'string' || isList(value)) return []
  return ["'fail_minions' needs to be a list or a comma separated string. Ignored."]
}

/** Python's `int(allow_fail)`; undefined for what it refuses. */
function allowedFailures({ allow_fail: value = 0 }: Mapping): number | undefined {
  if (isInteger(value)) return Number(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  return /^\s*[-+]?\d+\s*$/.test(pythonStr(value)) ? Number(pythonStr(value)) : undefined
}

function result(args: Mapping, outcome: boolean | null, comment: string, changes: Mapping = {}): Mapping {
  return { name: args.name ?? null, changes, comment, result: outcome }
}
