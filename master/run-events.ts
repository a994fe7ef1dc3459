// What is told of a run: that it begins, that it is refused, how it ended. The same, whoever tells it.
import { derivedEventId } from '../core/event/derived-id.ts'
import type { Jid } from '../core/event/event.ts'
import { isMapping, type Mapping, type Value } from '../core/value/index.ts'
import type { Fire } from './fire.ts'
import { fitted } from './fitting-keywords.ts'
import type { FunctionTable, MasterFunction, RunOutcome, RunRequest } from './run.ts'

/** Where it is told. */
export interface RunTelling {
  readonly fire: Fire
  /** Keeps what the last event of a run told, among the jobs. */
  readonly keep: (jid: Jid, told: Mapping) => Promise<void>
}

/** A request under its jid. */
export type RunUnderJid = RunRequest & { readonly jid: Jid }

/** Runner and wheel functions; asked for each run, so that functions may be added meanwhile. */
export interface RunTables {
  readonly runner: () => FunctionTable
  readonly wheel: () => FunctionTable
}

/** Tells of one run. Each resolves when that is durable; an event has an id by which it is told once. */
export interface RunEvents {
  begins(): Promise<void>
  /** Why it does not begin. */
  refused(message: string): Promise<void>
  /** What it says on its way, the `number`th time. */
  says(number: number, suffix: string, event: Mapping): Promise<void>
  ended(end: Pick<RunOutcome, 'return' | 'success' | 'retcode'>): Promise<void>
}

const folders = { runner: 'run', wheel: 'wheel' } as const

/** The events of a run whose keywords fit its function, which may be unknown. */
export function runEvents(
  request: RunUnderJid,
  known: MasterFunction | undefined,
  { fire, keep }: RunTelling,
): RunEvents {
  const { client, jid, cause } = request
  const fun = `${client}.${request.fun}`
  const user = toldUser(request)
  const tag = `salt/${folders[client]}/${jid}`
  const base: Mapping =
    request.tagged === true ? { fun, jid, tag, user } : { fun, jid, user, fun_args: toldArgs(request, known) }
  const emit = async (part: string, data: Mapping, name = part): Promise<void> => {
    await fire({
      tag: `${tag}/${part}`,
      data,
      id: derivedEventId(jid, name),
      cause: cause === undefined ? undefined : { ...cause, jid },
    })
  }
  return {
    begins() {
      // A function may change a map it was given; what was said before stays as it was.
      const before = Array.isArray(base.fun_args) ? { fun_args: base.fun_args.map(copied) } : {}
      return emit('new', { ...base, ...before })
    },
    says: (number, suffix, event) => emit(suffix, event, `said/${number}`),
    refused: (message) =>
      emit('ret', {
        success: false,
        return: message,
        retcode: 254,
        fun: user === 'Reactor' ? fun : request.fun,
        fun_args: typedArgs(request),
        jid,
      }),
    async ended({ return: returned, success, retcode }) {
      const told = success && known?.told !== undefined ? known.told(returned) : returned
      const end = { ...base, return: told, success, ...(retcode === undefined ? {} : { retcode }) }
      // Whoever only looks leaves no job behind: the list of jobs would be full of those who looked at it.
      const kept = known?.readOnly === true ? undefined : keep(jid, end)
      await Promise.all([emit('ret', end), kept])
    },
  }
}

/** What a run is told that was cut off and must not run twice. */
export function interrupted({ client, fun }: Pick<RunRequest, 'client' | 'fun'>): string {
  return `${client}.${fun} was interrupted: the master ended while it ran, and it must not run twice`
}

/** Tells the end of a run that was cut off as it would have told its own, which stays where it was told. */
export type TellInterrupted = (request: RunUnderJid) => Promise<void>

/** Joins the functions there are to {@link TellInterrupted}. */
export function createTellInterrupted(tables: RunTables, telling: RunTelling): TellInterrupted {
  return (request) => {
    const known = tables[request.client]().get(request.fun)
    return runEvents(fitted(request, known), known, telling).ended({ return: interrupted(request), success: false })
  }
}

/** Positional arguments, then one map of keywords where there are any: Salt's `fun_args`. */
export function funArgs(request: RunRequest): Value[] {
  return Object.keys(request.kwarg).length === 0 ? [...request.arg] : [...request.arg, request.kwarg]
}

function copied(value: Value): Value {
  return isMapping(value) ? { ...value } : value
}

/** What was typed: its keywords marked as on the wire, without the jid that an orchestration would be given. */
function typedArgs(request: RunRequest): Value[] {
  if (request.isTyped !== true) return funArgs(request)
  const { orchestration_jid: _, ...kwarg } = request.kwarg
  if (Object.keys(kwarg).length === 0) return [...request.arg]
  return [...request.arg, { __kwarg__: true, ...kwarg }]
}

/** Whose name the events carry: Salt forgets who asked where a step asks for a wheel function. */
function toldUser({ client, user, isStep }: RunRequest): string {
  return isStep === true && client === 'wheel' ? 'UNKNOWN' : user
}

/** As {@link funArgs}; a function that takes any keyword learns from a step who asks, and its events tell it. */
function toldArgs(request: RunRequest, known: MasterFunction | undefined): Value[] {
  if (request.isStep !== true || known?.signature.varKwargs !== true) return funArgs(request)
  return [...request.arg, { __pub_user: toldUser(request), ...request.kwarg }]
}
