// Runs a function by name and says how it went.
import {
  bindArguments,
  invalidKeywords,
  minionInvocationError,
  minionMisuse,
  notAvailable,
  splitKwargs,
  strippedDoc,
} from '../../core/arguments/index.ts'
import { messageOf } from '../../core/error.ts'
import { tagGlob } from '../../core/event/tag-glob.ts'
import { get, isMap, type Mapping, pythonTruth, type Value } from '../../core/value/index.ts'
import { Arguments } from './arguments.ts'
import {
  ArgumentError,
  CommandExecutionError,
  CommandNotFoundError,
  MissingFunctionError,
  PythonError,
  SaltInvocationError,
  tracebackOf,
} from './errors.ts'
import type { AgentView, Call, ExecutionFunction } from './module.ts'
import { type ProcessRunner, plainProcesses } from './process.ts'

/** How a call went. */
export type Outcome =
  | { readonly kind: 'returned'; readonly value: Value; readonly retcode: number; readonly out?: string }
  /** Nobody has the function; `value` is what a job returns then. */
  | { readonly kind: 'unavailable'; readonly value: Value }
  /** It threw. `words` are the error's own, `value` is what a job returns, `trace` Python's view of it. */
  | {
      readonly kind: 'failed'
      readonly by: Failure
      readonly words: string
      readonly value: string
      readonly trace: string
    }

/** Which of Salt's exceptions it was. */
export type Failure = 'command' | 'command-not-found' | 'keywords' | 'invocation' | 'arguments' | 'exception'

/** What to run: `arg` as a job holds it, keywords in `__kwarg__` maps or as `key=value` texts. */
export interface Request {
  readonly fun: string
  readonly arg: readonly Value[]
  /** The job's data, which functions with `**kwargs` get as `__pub_*`. */
  readonly data: Mapping
  readonly signal: AbortSignal
  /** @default programs run as they come */
  readonly processes?: ProcessRunner
}

/** Never rejects: what a function throws is an outcome. */
export async function execute(agent: AgentView, request: Request): Promise<Outcome> {
  const { fun, arg, data, signal, processes = plainProcesses } = request
  const found = agent.functions.get(fun)
  if (found === undefined) return { kind: 'unavailable', value: unavailable(agent, fun) }
  const context = { retcode: 0 }
  const pub = Object.fromEntries(Object.entries(data).map(([key, value]) => [`__pub_${key}`, value]))
  try {
    refuseInBlackout(agent, fun)
    const { arg: positional, kwarg } = splitKwargs(arg)
    const invalid = invalidKeywords(found.signature, kwarg)
    if (invalid !== undefined) {
      const refused = new SaltInvocationError(invalid)
      return { ...failed(fun, found, refused), by: 'keywords' }
    }
    const keywords = found.signature.varKwargs === true ? { ...kwarg, ...pub } : kwarg
    const value = await runBound(agent, { fun, found, positional, keywords, pub, signal, processes, context })
    return {
      kind: 'returned',
      value,
      retcode: retcodeOf(context.retcode, value),
      ...(found.out === undefined ? {} : { out: found.out }),
    }
  } catch (error) {
    return failed(fun, found, error)
  }
}

interface Bindable {
  readonly fun: string
  readonly found: ExecutionFunction
  readonly positional: readonly Value[]
  readonly keywords: Mapping
  readonly pub: Mapping
  readonly signal: AbortSignal
  readonly processes: ProcessRunner
  readonly context: Call['context']
}

async function runBound(agent: AgentView, bindable: Bindable): Promise<Value> {
  const { fun, found, positional, keywords, pub, signal, processes, context } = bindable
  const bound = bindArguments(found.signature, positional, keywords, fun.slice(fun.indexOf('.') + 1))
  if (bound.kind === 'misfit') throw new ArgumentError(bound.message)
  return found.run(new Arguments(bound), callOn(agent, { fun, pub, signal, processes, context }))
}

/** A call on an agent: what it calls sees that agent too. */
export function callOn(agent: AgentView, parts: Omit<Call, 'agent' | 'salt'>): Call {
  return {
    ...parts,
    agent,
    salt: async (other, args = [], kwargs = {}) => {
      const found = agent.functions.get(other)
      if (found === undefined) throw new MissingFunctionError(other)
      return runBound(agent, { ...parts, fun: other, found, positional: args, keywords: kwargs, pub: {} })
    },
  }
}

/** A code the function set, or 1 where it returned a map whose `result` or `success` is false. */
function retcodeOf(code: number, value: Value): number {
  if (code !== 0 || !isMap(value)) return code
  return ['result', 'success'].every((key) => pythonTruth(get(value, key) ?? true)) ? 0 : 1
}

/** Names that begin alike are told with their docs, as Salt does. */
function unavailable(agent: AgentView, fun: string): Value {
  const alike = agent.functions.names().filter(tagGlob(`${fun}*`))
  if (alike.length === 0) return notAvailable(fun)
  const docs: Mapping = {}
  for (const name of alike) docs[name] = strippedDoc(agent.functions.get(name)?.doc ?? '')
  return { ...docs, [fun]: notAvailable(fun) }
}

function failed(fun: string, found: ExecutionFunction, error: unknown): Extract<Outcome, { kind: 'failed' }> {
  const words = messageOf(error)
  const base = { kind: 'failed' as const, words, trace: tracebackOf(error) }
  if (error instanceof CommandNotFoundError) {
    return { ...base, by: 'command-not-found', value: `Command required for '${fun}' not found: ${words}` }
  }
  if (error instanceof CommandExecutionError) return { ...base, by: 'command', value: `ERROR: ${words}` }
  if (error instanceof SaltInvocationError)
    return { ...base, by: 'invocation', value: minionInvocationError(fun, words) }
  if (error instanceof ArgumentError || (error instanceof PythonError && error.type === 'TypeError')) {
    return { ...base, by: 'arguments', value: minionMisuse(fun, words, found.doc) }
  }
  return { ...base, by: 'exception', value: `The minion function caused an exception: ${base.trace}` }
}

/** `minion_blackout` in pillar or grains lets nothing run but refresh_pillar and what its whitelist names. */
function refuseInBlackout(agent: AgentView, fun: string): void {
  if (fun === 'saltutil.refresh_pillar') return
  for (const source of [agent.pillar(), agent.grains.all()]) {
    const whitelist = source.minion_blackout_whitelist
    if (!pythonTruth(source.minion_blackout ?? false)) continue
    if (Array.isArray(whitelist) && whitelist.includes(fun)) continue
    throw new SaltInvocationError(
      "Minion in blackout mode. Set 'minion_blackout' to False in pillar or grains to resume operations. Only saltutil.refresh_pillar allowed in blackout mode.",
    )
  }
}
