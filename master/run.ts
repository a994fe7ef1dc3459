// Running a runner or wheel function: its events, its arguments bound as Python binds them, its outcome.

import { bindArguments, runnerMisuse, type Signature } from '../core/arguments/index.ts'
import { messageOf } from '../core/error.ts'
import type { Cause, Jid } from '../core/event/event.ts'
import { stampOf } from '../core/event/stamp.ts'
import { checkResult } from '../core/state/check-result.ts'
import { get, isMap, type Mapping, pythonStr, type Value } from '../core/value/index.ts'
import { fitted, fittingKeywords } from './fitting-keywords.ts'
import type { Clock } from './ports.ts'
import { funArgs, type RunTables, type RunTelling, runEvents } from './run-events.ts'
import { docsOf } from './runners/doc.ts'
import { type Hear, type Said, type SaidInAll, saidInAll } from './said.ts'

/** What a function knows of the run it is in. */
export interface RunContext {
  readonly jid: Jid
  /** The function's full name, and what it was called with as its events tell it. */
  readonly fun: string
  readonly funArgs: readonly Value[]
  readonly user: string
  readonly cause?: Cause | undefined
  /** Where an event caused the run: the key (`id@epoch`) that event came from or spoke of. */
  readonly boundTo?: string | undefined
  /** Called by a function that {@link MasterFunction.goesOn}, once it does. */
  begun?(): void
  /** Says how far it is, to whoever waits for the run and on the bus, as `salt/run/<jid>/<suffix>`. */
  progress(suffix: string, event: Mapping): void
  /** Says a line that Salt's function prints, to whoever waits for the run. */
  print(text: string): void
}

/** A function's arguments by parameter name; `rest` holds what a `**kwargs` caught. */
export interface BoundArguments {
  readonly named: Readonly<Record<string, Value>>
  readonly positional: readonly Value[]
  readonly rest: Mapping
}

/** A runner or wheel function: data, so that listing, documenting and checking need no running. */
export interface MasterFunction {
  readonly signature: Signature
  /** What `sys.doc` would print, with a CLI example. */
  readonly doc: string
  /** Running it twice does no harm: after a crash it is run again instead of ending as `interrupted`. */
  readonly idempotent?: boolean
  /** A reactor's template may call it while it renders. */
  readonly readOnly?: boolean
  /** From some moment on it goes on though its process dies; who only waits for its start waits for that moment. */
  readonly goesOn?: boolean
  /** The outputter it asks for. */
  readonly out?: string
  /** What its event tells in place of what it returned, where that is a secret. */
  readonly told?: (returned: Value) => Value
  run(bound: BoundArguments, context: RunContext): Promise<Value>
}

/** Functions by full name, `jobs.active`. */
export type FunctionTable = ReadonlyMap<string, MasterFunction>

/** How a run ended. */
export interface RunOutcome {
  readonly jid: Jid
  readonly return: Value
  readonly success: boolean
  readonly failure?: 'missing' | 'keywords' | 'arguments' | 'exception'
  /** Of a function that was refused: the docs of those whose names begin like it. */
  readonly docs?: Mapping
  readonly out?: string
  readonly retcode?: number
  readonly progress: SaidInAll['progress']
  readonly printed?: SaidInAll['printed']
}

/** A request to run a function. */
export interface RunRequest {
  readonly client: 'runner' | 'wheel'
  readonly fun: string
  readonly arg: readonly Value[]
  readonly kwarg: Mapping
  readonly user: string
  readonly jid?: Jid
  readonly cause?: Cause
  readonly boundTo?: string | undefined
  /** Keywords that the function has no parameter for are dropped, as salt-api does. */
  readonly isLoose?: boolean
  /** A keyword that the function has no parameter for refuses it before it begins, as salt-run does. */
  readonly isTyped?: boolean
  /** Nobody waits for its outcome. */
  readonly detached?: boolean
  /** A step of an orchestration asks for it, and its events tell so as Salt's do. */
  readonly isStep?: boolean
  /** Its events carry the run's tag instead of its arguments, as those of a wheel call through the API do. */
  readonly tagged?: boolean
}

/**
 * A run under way: `started` resolves when its `/new` event is durable, and a function that goes on by itself does so, or whoever runs it has taken it over for good;
 * `outcome` when its `/ret` is durable. The outcome of a detached run may never be told.
 */
export interface Run {
  readonly jid: Jid
  readonly started: Promise<void>
  readonly outcome: Promise<RunOutcome>
  /** It does not begin: there is no such function, or not with such keywords. Where nobody knows that yet, absent. */
  readonly isRefused?: boolean
}

/**
 * Starts a run. Nothing it does is thrown: a missing function, wrong arguments and exceptions are outcomes. What it says on
 * its way is heard as it comes where it runs in this process, and is in the outcome in any case.
 */
export type StartRun = (request: RunRequest, hear?: Hear) => Run

/** A failure of the function's own, told to the caller as it is. */
export class RunError extends Error {
  /** For a run that yields a value all the same, as a failed orchestration does. */
  readonly result?: Value
  constructor(message: string, result?: Value) {
    super(message)
    this.name = 'RunError'
    if (result !== undefined) this.result = result
  }
}

/** Arguments that fit the parameters and still mean nothing: told with the function's doc, as those that do not fit. */
export class MisuseError extends RunError {
  override readonly name = 'MisuseError'
}

/** Joins the functions there are to {@link StartRun}. What is not read-only is kept among the jobs. */
export function createStartRun(tables: RunTables, telling: RunTelling, clock: Clock): StartRun {
  return (asked, hear = () => undefined) => {
    const known = tables[asked.client]().get(asked.fun)
    const request = fitted({ ...asked, jid: asked.jid ?? clock.jid() }, known)
    const { client, fun, jid } = request
    const events = runEvents(request, known, telling)

    const refusal = refusalOf(request, known)
    if (known === undefined || refusal !== undefined) {
      const { failure, message } = refusal ?? missing(fun)
      const started = events.refused(message)
      return {
        jid,
        started,
        isRefused: true,
        outcome: started.then(() => ({
          jid,
          return: message,
          success: false,
          failure,
          ...(request.isTyped === true ? { docs: docsOf(tables[client](), `${fun}*`) } : {}),
          retcode: 254,
          progress: [],
        })),
      }
    }

    // The log keeps the order in which events are published: the function need not wait for the first to be durable.
    const told = events.begins()
    let begin = (): void => undefined
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const said: Said[] = []
    const sayings: Promise<void>[] = []
    const say = (one: Said): void => {
      said.push(one)
      if (one.kind === 'progress') {
        const telling = events.says(sayings.length, one.suffix, one.event)
        telling.catch(() => undefined)
        sayings.push(telling)
      }
      hear(one)
    }
    const executed = execute(known, request, jid, begin, say, clock)
    const under = known.goesOn === true ? Promise.race([begun, executed]) : undefined
    const started = Promise.all([told, under]).then(() => undefined)
    for (const promise of [told, started]) promise.catch(() => undefined)
    const finish = async (): Promise<RunOutcome> => {
      const outcome = {
        jid,
        ...(known.out === undefined ? {} : { out: known.out }),
        ...(await executed),
        ...saidInAll(said),
      }
      await Promise.all([told, ...sayings, events.ended(outcome)])
      return outcome
    }
    return { jid, started, outcome: finish() }
  }
}

type Refusal = { readonly failure: 'missing' | 'keywords'; readonly message: string }

function missing(fun: string): Refusal {
  return { failure: 'missing', message: `'${fun}' is not available.` }
}

/** Why a typed function does not begin. */
function refusalOf({ fun, kwarg, isTyped }: RunRequest, known: MasterFunction | undefined): Refusal | undefined {
  if (known === undefined) return missing(fun)
  if (isTyped !== true) return undefined
  const fitting = fittingKeywords(kwarg, known.signature)
  const others = Object.entries(kwarg).filter(([name]) => !Object.hasOwn(fitting, name))
  if (others.length === 0) return undefined
  const words = others.map(([name, value]) => `${name}=${pythonStr(value)}`).join(', ')
  return { failure: 'keywords', message: `The following keyword arguments are not valid: ${words}` }
}

async function execute(
  known: MasterFunction,
  request: RunRequest,
  jid: Jid,
  begun: () => void,
  say: Hear,
  clock: Clock,
): Promise<Omit<RunOutcome, 'jid' | 'progress' | 'printed'>> {
  const bound = bindArguments(known.signature, request.arg, request.kwarg, request.fun.split('.').at(-1) ?? request.fun)
  const misused = (message: string) => ({
    return: runnerMisuse(message, known.doc),
    success: false,
    failure: 'arguments' as const,
  })
  if (bound.kind === 'misfit') return misused(bound.message)
  const context: RunContext = {
    jid,
    fun: request.fun,
    funArgs: funArgs(request),
    user: request.user,
    cause: request.cause,
    boundTo: request.boundTo,
    begun,
    progress: (suffix, event) =>
      say({ kind: 'progress', suffix, event: { ...event, _stamp: event._stamp ?? stampOf(clock.now()) } }),
    print: (text) => say({ kind: 'printed', text }),
  }
  try {
    const returned = await known.run(bound, context)
    // Salt looks into what an orchestration returns.
    const data = isMap(returned) ? get(returned, 'data') : undefined
    return { return: returned, success: data === undefined || checkResult(data) }
  } catch (error) {
    if (error instanceof MisuseError) return misused(error.message)
    if (error instanceof RunError && error.result !== undefined)
      return { return: error.result, success: false, retcode: 1 }
    const what = `Exception occurred in ${request.client} ${request.fun}: ${messageOf(error)}`
    return { return: what, success: false, failure: 'exception', retcode: 1 }
  }
}
