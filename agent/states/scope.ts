// What a state function works in: its environment, its pillar, test mode; and its turn among other runs.
import { join } from 'node:path'
import {
  isInteger,
  isMap,
  isMapping,
  type Mapping,
  pythonStr,
  pythonTruth,
  type Value,
} from '../../core/value/index.ts'
import { mergeDeep } from '../../core/value/merge.ts'
import type { Arguments } from '../modules/arguments.ts'
import { SaltInvocationError } from '../modules/errors.ts'
import { callOn } from '../modules/execute.ts'
import type { Call } from '../modules/module.ts'
import { plainProcesses } from '../modules/process.ts'
import { type StateRun, StateRuns } from './state-runs.ts'

/** Salt's exit codes. */
export const retcodes = { compile: 1, failure: 2, pillar: 5 } as const

/** Where a state function works. */
export interface Scope {
  /** The call with this scope's pillar and options; programs run as they come. */
  readonly call: Call
  readonly test: boolean
  /** Absent where none is chosen. */
  readonly saltenv: string | undefined
  /** Why the pillar could not be compiled; nothing may run then, unless `force` is given. */
  readonly pillarErrors: readonly string[]
}

/** Compiles the pillar for this call and reads what is common to all functions: `saltenv pillarenv pillar test`. */
export async function scopeOf(args: Arguments, call: Call, reauthenticate = false): Promise<Scope> {
  const { agent } = call
  const given = args.keywords
  const saltenv = environment(given.saltenv === undefined ? agent.opts.saltenv : given.saltenv)
  const pillarenv = environment(given.pillarenv === undefined ? agent.opts.pillarenv : given.pillarenv)
  const override = overrideOf(given.pillar ?? null)
  // brine-call has compiled its pillar just now.
  const isFresh = agent.cli === 'salt-call' && pillarenv === environment(agent.opts.pillarenv)
  let pillar = isFresh
    ? (mergeDeep(agent.pillar(), override ?? {}, false) as Mapping)
    : await agent.compilePillar({ pillarenv, saltenv, override, reauthenticate })
  // `reload_pillar` of a state: the states after it see the new one.
  const refreshPillar = async (): Promise<void> => {
    await agent.refreshPillar()
    pillar = await agent.compilePillar({ pillarenv, saltenv, override })
  }
  const test = testMode(args, call)
  const { state_events: events = false, ...steering } = agent.masterOpts()
  const opts: Mapping = {
    ...agent.opts,
    ...steering,
    state_events: pythonTruth(agent.opts.state_events ?? false) || pythonTruth(events),
    test,
    saltenv: saltenv ?? null,
    pillarenv: pillarenv ?? null,
  }
  const { fun, pub, signal, context } = call
  const { _errors: errors = null } = pillar
  return {
    call: callOn(
      { ...agent, pillar: () => pillar, refreshPillar, opts },
      { fun, pub, signal, context, processes: plainProcesses },
    ),
    test,
    saltenv,
    pillarErrors: pythonTruth(given.force ?? false) || !Array.isArray(errors) ? [] : errors.map(pythonStr),
  }
}

function environment(value: Value | undefined): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : pythonStr(value)
}

function overrideOf(value: Value): Mapping | undefined {
  if (value === null) return undefined
  if (isMapping(value)) return value
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [pythonStr(key), item]))
  throw new SaltInvocationError('Pillar data must be formatted as a dictionary, unless pillar_enc is specified.')
}

/** `test=` in any case, else the configuration's. */
function testMode(args: Arguments, { agent }: Call): boolean {
  const test = args.value('test')
  if (test === false) return false
  if (test !== null) return true
  const words = Object.entries(args.keywords).filter(([key]) => key.toLowerCase() === 'test')
  return words.some(([, value]) => pythonTruth(value)) || agent.opts.test === true
}

/** The state runs of this minion, `brine-call`'s among them. */
export function stateRuns({ agent }: Call): StateRuns {
  return new StateRuns(join(pythonStr(agent.opts.cachedir ?? ''), 'proc'))
}

/** Runs `work` when it is its turn; with others in the way and no `queue`, answers with Salt's words about them. */
export async function inTurn(args: Arguments, call: Call, work: () => Promise<Value>): Promise<Value> {
  if (pythonTruth(args.keywords.concurrent ?? false)) return work()
  const turn = await stateRuns(call).begin(call.fun, jidOf(call), queueOf(args, call), call.signal)
  if (turn.kind === 'conflict') {
    call.context.retcode = retcodes.compile
    return turn.others.map(conflictWords)
  }
  try {
    return await work()
  } finally {
    turn.end()
  }
}

/** The jid that stands for this run. */
export function jidOf({ pub }: Call): string {
  return pythonStr(pub.__pub_jid ?? `${process.pid}`)
}

function queueOf(args: Arguments, { agent }: Call): number {
  const given = args.value('queue')
  const queue = given === null ? (agent.opts.state_queue ?? false) : given
  if (queue === true) return Number.POSITIVE_INFINITY
  return isInteger(queue) ? Number(queue) : 0
}

/** Salt's words for a run that is in the way. */
export function conflictWords({ fun, pid, jid }: StateRun): string {
  return `The function "${fun}" is running as PID ${pid} and was started at ${jidTime(jid)} with jid ${jid}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2026, Nov 21 05:29:07.323827`; empty for what is no jid. */
function jidTime(jid: string): string {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{6})/.exec(jid)
  if (parts === null) return ''
  const [, year, month, day, hour, minute, second, fraction] = parts
  return `${year}, ${months[Number(month) - 1]} ${day} ${hour}:${minute}:${second}.${fraction}`
}
