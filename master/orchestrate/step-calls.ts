// What the active steps of an orchestration ask for: prepared, begun once that is stored, and looked at until it has ended.

import { messageOf } from '../../core/error.ts'
import { derivedEventId } from '../../core/event/derived-id.ts'
import type { Jid } from '../../core/event/event.ts'
import { bindLow, lowText, type Step, type StepOutcome, verifyLow } from '../../core/state/index.ts'
import { get, has, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { isTransient } from '../../reaction/retry.ts'
import type { Draft, Fire } from '../fire.ts'
import type { EventLog } from '../ports.ts'
import { pollEvents } from './event-calls.ts'
import { isOfNoFiles } from './is-orchestration.ts'
import { type JobCallNeeds, type JobPlace, pollJobs, prepareJobs, publishJobs } from './job-calls.ts'
import { callKey, type Orchestration, type StepCall } from './record.ts'
import { prepareRuns, type RunKeeper, type RunStart, type RunsCall, runEnds } from './run-calls.ts'
import type { Begun, Ended, StepPlace } from './step.ts'
import { orchestrationStates, stepFunction, whyMissing } from './step-functions.ts'

/** What steps need of the outside. */
export interface StepCallNeeds extends JobCallNeeds {
  readonly log: EventLog
  /** Has runs run. */
  readonly runs: RunKeeper
  readonly fire: Fire
  /** The local time of day of an instant in microseconds: `05:32:15.743233`. */
  readonly localTime: (at: number) => string
  /** Told when a run that this process started for an orchestration has ended. */
  readonly wake: (jid: Jid) => void
  /** Seconds after which a turn is taken although nothing was heard of. @default 60 */
  readonly idle?: number
}

/** What a look at the active steps came to. */
export interface CallTurn {
  /** The same map where nothing changed. */
  readonly calls: Orchestration['calls']
  readonly outcomes: readonly StepOutcome[]
  /** Something was prepared and has to be stored before it is begun. */
  readonly again: boolean
  readonly wakeAt: number
}

const second = 1_000_000

/** How long an orchestration that only events wake is left alone. Microseconds. */
export function idleOf({ idle = 60 }: Pick<StepCallNeeds, 'idle'>): number {
  return idle * second
}

/** Looks after the calls of orchestrations; what it is given is stored, what it answers is not yet. */
export class StepCalls {
  readonly #needs: StepCallNeeds

  constructor(needs: StepCallNeeds) {
    this.#needs = needs
  }

  /** The record was stored: what was prepared for it may begin. */
  stored(record: Orchestration): void {
    for (const call of Object.keys(record.calls)) this.#needs.runs.stored(runsName(record, call))
  }

  /** Looks at every active step. Rejects only where the store cannot answer now. */
  async look(record: Orchestration, active: readonly Step[]): Promise<CallTurn> {
    const looks = await Promise.all(active.map((step) => this.#lookAt(record, step)))
    const calls: Record<string, StepCall> = {}
    const outcomes: StepOutcome[] = []
    for (const look of looks) {
      if (look.kind === 'ended') outcomes.push(look.outcome)
      else calls[callKey(look.step)] = look.call
    }
    const waiting = looks.filter((look) => look.kind === 'waiting')
    const isSame =
      Object.keys(calls).length === Object.keys(record.calls).length &&
      Object.entries(calls).every(([key, call]) => record.calls[key] === call)
    return {
      calls: isSame ? record.calls : calls,
      outcomes,
      again: waiting.some(({ again }) => again),
      wakeAt: Math.min(this.#needs.clock.now() + idleOf(this.#needs), ...waiting.map(({ wakeAt }) => wakeAt)),
    }
  }

  async #lookAt(record: Orchestration, step: Step): Promise<Look> {
    const known = record.calls[callKey(step.id)]
    const began = known?.began ?? this.#needs.clock.now()
    try {
      return known === undefined ? await this.#begin(record, step, began) : await this.#goOn(record, step, known)
    } catch (error) {
      if (isTransient(error)) throw error
      return this.#ended(step, began, failure(step, messageOf(error)))
    }
  }

  async #begin(record: Orchestration, step: Step, began: number, waited?: number): Promise<Look> {
    if (step.wait !== undefined && waited === undefined) {
      const { seconds, splay } = step.wait
      const wait = seconds + (splay > 0 ? Math.floor(this.#needs.random() * (splay + 1)) : 0)
      const call: StepCall = { kind: 'sleep', began, until: began + wait * second, seconds: wait }
      return { kind: 'waiting', step: step.id, call, wakeAt: call.until, again: true }
    }
    const states = orchestrationStates(() => record.pillar, this.#needs.random)
    const errors = verifyLow(step.low, states, whyMissing)
    const refusal = errors.length > 0 ? errors.map((error) => `${error}\n`).join('') : checksRefusal(step)
    if (refusal !== undefined) return this.#ended(step, began, failure(step, refusal, ''), waited, errors.length > 0)
    const fun = nameOf(step)
    const state = states(fun)
    if (state === undefined) return this.#ended(step, began, failure(step, ''), waited)
    const bound = bindLow(step.low, state)
    if (bound.kind === 'unknown') return this.#ended(step, began, failure(step, bound.message, ''), waited)
    const own = stepFunction(fun)
    if (own === undefined) {
      const context = { test: step.test, low: step.low, env: envOf(step), running: record.run.results }
      return this.#ended(step, began, await state.run(bound.args, context), waited)
    }
    return this.#prepare(record, step, own.begin(bound.args, placeOf(record, step)), began, waited)
  }

  async #prepare(record: Orchestration, step: Step, begun: Begun, began: number, waited?: number): Promise<Look> {
    const rest = { began, ...(waited === undefined ? {} : { waited }) }
    const now = this.#needs.clock.now()
    const prepared = (call: StepCall): Look => ({ kind: 'waiting', step: step.id, call, wakeAt: now, again: true })
    switch (begun.kind) {
      case 'returned':
        return this.#ended(step, began, begun.value, waited)
      case 'jobs':
        return prepared({ ...rest, ...(await prepareJobs(begun.request, this.#needs)), told: begun.told })
      case 'runs': {
        const parts = prepareRuns(begun.items, this.#needs.clock)
        const call: RunsCall = { ...rest, kind: 'runs', told: begun.told, parts }
        this.#needs.runs.prepared(runsName(record, callKey(step.id)), parts, this.#runStart(record, step, call))
        return prepared(call)
      }
      case 'events': {
        const { request } = begun
        const cursor = await this.#needs.log.end()
        const until = now + request.timeout * second
        return prepared({ ...rest, kind: 'events', request, cursor, left: request.ids, seen: [], until })
      }
    }
  }

  async #goOn(record: Orchestration, step: Step, call: StepCall): Promise<Look> {
    const now = this.#needs.clock.now()
    switch (call.kind) {
      case 'sleep':
        if (now < call.until) return { kind: 'waiting', step: step.id, call, wakeAt: call.until, again: false }
        return this.#begin(record, step, call.until, call.seconds)
      case 'jobs': {
        const place = this.#jobPlace(record, step)
        const isNew = call.parts.some(({ minions }) => minions === undefined)
        if (call.parts.every(({ minions }) => minions === undefined)) await this.#tell(record, step, [call.told])
        const published = isNew ? await publishJobs(call, place, this.#needs) : call
        const progress = await pollJobs(published, place, this.#needs)
        if (progress.kind === 'ended')
          return this.#finish(record, step, call, { kind: 'jobs', answers: progress.answers })
        const after = isSameJobs(progress.call, call) ? call : progress.call
        const unsent = after.kind === 'jobs' && after.parts.some(({ minions }) => minions === undefined)
        return { kind: 'waiting', step: step.id, call: after, wakeAt: progress.wakeAt, again: unsent }
      }
      case 'runs': {
        const after = await this.#needs.runs.poll(call, this.#runStart(record, step, call))
        const runs = runEnds(after)
        if (runs !== undefined) return this.#finish(record, step, call, { kind: 'runs', runs })
        const isSame = after.parts.every((part, index) => part === call.parts[index])
        return {
          kind: 'waiting',
          step: step.id,
          call: isSame ? call : after,
          wakeAt: now + idleOf(this.#needs),
          again: false,
        }
      }
      case 'events': {
        const after = await pollEvents(call, this.#needs.log)
        const isComplete = after.left.length === 0
        if (!isComplete && now < call.until) {
          const isSame = after.cursor === call.cursor
          return { kind: 'waiting', step: step.id, call: isSame ? call : after, wakeAt: call.until, again: false }
        }
        const seconds = (now - call.began) / second
        return this.#finish(record, step, call, { kind: 'events', seen: after.seen, seconds, isComplete })
      }
    }
  }

  #finish(record: Orchestration, step: Step, call: StepCall, ended: Ended): Look {
    const own = stepFunction(nameOf(step))
    const bound = own === undefined ? undefined : bindLow(step.low, own)
    const returned =
      own === undefined || bound?.kind !== 'bound'
        ? failure(step, '')
        : own.finish(bound.args, placeOf(record, step), ended)
    return this.#ended(step, call.began, returned, call.kind === 'sleep' ? call.seconds : call.waited)
  }

  #ended(step: Step, began: number, returned: Value, waited?: number, refused = false): Look {
    const { clock, localTime } = this.#needs
    const outcome: StepOutcome = {
      step: step.id,
      returned,
      startTime: localTime(began),
      duration: Math.max(clock.now() - began, 0) / 1000,
      refused,
      ...(waited === undefined ? {} : { waited }),
    }
    return { kind: 'ended', outcome }
  }

  async #tell({ request }: Orchestration, step: Step, told: readonly Mapping[]): Promise<void> {
    const { jid, parent, cause, fun } = request
    // Salt tells nothing of what was not asked for as SLS files.
    if (isOfNoFiles(fun)) return
    await this.#needs.fire(
      ...told.map(
        (data, index): Draft => ({
          tag: `salt/run/${parent ?? jid}/args`,
          data,
          id: derivedEventId(jid, `args/${step.id}/${index}`),
          cause: cause === undefined ? undefined : { ...cause, jid },
        }),
      ),
    )
  }

  #jobPlace({ request }: Orchestration, step: Step): JobPlace {
    const { jid, cause } = request
    const user = request.stepUser ?? request.user
    return { origin: `${jid}/${step.id}`, user, cause: cause === undefined ? undefined : { ...cause, jid } }
  }

  #runStart(record: Orchestration, step: Step, call: RunsCall): RunStart {
    const { jid, cause, boundTo } = record.request
    const user = record.request.stepUser ?? record.request.user
    return {
      place: { user, cause, boundTo, ended: () => this.#needs.wake(jid) },
      tell: () => this.#tell(record, step, call.told),
    }
  }
}

type Look =
  | { readonly kind: 'ended'; readonly outcome: StepOutcome }
  | {
      readonly kind: 'waiting'
      readonly step: string
      readonly call: StepCall
      readonly wakeAt: number
      /** It has to be stored, and looked at again at once. */
      readonly again: boolean
    }

/** Names the runs of a step among those of all orchestrations. */
const runsName = ({ request }: Orchestration, call: string): string => `${request.jid}/${call}`

/** Polling makes new maps; what of them tells of a change. */
function isSameJobs(a: Extract<StepCall, { kind: 'jobs' }>, b: Extract<StepCall, { kind: 'jobs' }>): boolean {
  return (
    a.batch === b.batch && a.parts.length === b.parts.length && a.parts.every((part, index) => part === b.parts[index])
  )
}

function placeOf(record: Orchestration, step: Step): StepPlace {
  const { options } = record.run
  return {
    test: step.test,
    env: envOf(step),
    orchestration: record.request.parent ?? record.request.jid,
    failhard: options.failhard === true,
  }
}

const nameOf = ({ low }: Step): string => `${lowText(low, 'state')}.${lowText(low, 'fun')}`
const envOf = ({ low }: Step): string => pythonStr(get(low, '__env__') ?? 'base')

/** A master runs no commands, so that a step cannot ask for one. */
function checksRefusal({ low }: Step): string | undefined {
  const word = ['onlyif', 'unless', 'creates', 'check_cmd'].find((key) => has(low, key))
  if (word === undefined) return undefined
  return `${word} asks a machine, and an orchestration's steps run on none. Put it into the states that salt.state applies.`
}

/** What stands for a step that could not be called. */
function failure({ low }: Step, words: string, prefix = 'An exception occurred in this state: '): Mapping {
  const name = get(low, 'name') ?? null
  return { name: isMapping(name) ? pythonStr(name) : name, result: false, changes: {}, comment: `${prefix}${words}` }
}
