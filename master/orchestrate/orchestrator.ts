// Orchestrations, turn by turn: what ended is noted, what may start is written down, then begun, then looked after.

import { BrineError } from '../../core/error.ts'
import { derivedEventId } from '../../core/event/derived-id.ts'
import type { Jid, Tag } from '../../core/event/event.ts'
import {
  activeSteps,
  advance,
  checkResult,
  newRun,
  type Plan,
  runResults,
  type SettledChunk,
  stopped,
  type Turn,
} from '../../core/state/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import type { Draft, Fire } from '../fire.ts'
import { keepRun } from '../keep-run.ts'
import type { OrchestrationStore } from '../ports.ts'
import { type RunTelling, type RunUnderJid, runEvents } from '../run-events.ts'
import { isOfNoFiles, resultsAsProgress } from './is-orchestration.ts'
import { noOrchestration } from './no-orchestration.ts'
import {
  type Orchestration,
  type OrchestrationRequest,
  readOrchestration,
  type StepCall,
  storedOrchestration,
} from './record.ts'
import { type CallTurn, idleOf, type StepCallNeeds, StepCalls } from './step-calls.ts'

/** What orchestrations need. */
export interface OrchestratorNeeds extends StepCallNeeds {
  readonly store: OrchestrationStore
  readonly fire: Fire
  /** The id that results stand under: `<master>_master`. */
  readonly masterId: string
  /** Fire `prog` events of steps: `orchestration_events`. */
  readonly stepEvents: boolean
}

/** What is to be run. */
export interface OrchestrationPlan {
  readonly request: OrchestrationRequest
  readonly plan: Plan
  readonly pillar: Mapping
  readonly test: boolean
  readonly failhard: boolean
}

/** Where a turn left an orchestration. */
export type TurnEnd =
  | { readonly kind: 'done'; readonly orchestration: Orchestration }
  | {
      readonly kind: 'waiting'
      readonly orchestration: Orchestration
      /** When to take a turn again although nobody asked. Microseconds since 1970. */
      readonly wakeAt: number
      /** Jobs and runs whose returns are waited for. */
      readonly jids: readonly Jid[]
      /** Globs over the tags of events that are waited for. */
      readonly events: readonly Tag[]
    }

/**
 * Runs orchestrations.
 *
 * INVARIANTS
 * - what a step does is written down, with its jids, before it is done; so a turn may be taken again from any record.
 * - a record is written only over the one that was read: of two who take a turn at once, one begins again.
 * - the `/ret` event is out before an orchestration counts as done.
 */
export class Orchestrator {
  readonly #needs: OrchestratorNeeds
  readonly #calls: StepCalls

  constructor(needs: OrchestratorNeeds) {
    this.#needs = needs
    this.#calls = new StepCalls(needs)
  }

  /** Stores a new orchestration; nothing of it runs before its first turn. */
  async create({ request, plan, pillar, test, failhard }: OrchestrationPlan): Promise<void> {
    const record: Orchestration = {
      request,
      at: this.#needs.clock.now(),
      status: 'running',
      pillar,
      plan,
      // Steps that name no requisite at all say their order by their lines, as everywhere in Salt.
      run: newRun({
        mode: plan.nodes.some(({ needs }) => needs.length > 0) ? 'parallel' : 'sequential',
        test,
        failhard,
      }),
      calls: {},
    }
    if (!(await this.#needs.store.create(storedOrchestration(record)))) {
      throw new BrineError(`There is an orchestration ${request.jid} already.`, { code: 'jid-taken' })
    }
  }

  /** The orchestration; undefined where there is none. */
  async get(jid: Jid): Promise<Orchestration | undefined> {
    const stored = await this.#needs.store.get(jid)
    return stored === undefined ? undefined : readOrchestration(stored)
  }

  /** Those that are not done. */
  unfinished(): Promise<Jid[]> {
    return this.#needs.store.unfinished()
  }

  /** The newest first. */
  async list(limit: number): Promise<Orchestration[]> {
    return (await this.#needs.store.list(limit)).map(readOrchestration)
  }

  /** Takes turns until everything that runs has to be waited for. */
  async turn(jid: Jid): Promise<TurnEnd> {
    for (;;) {
      const stored = await this.#stored(jid)
      const record = readOrchestration(stored)
      if (record.status !== 'running') return { kind: 'done', orchestration: record }
      const next = await this.#once(record)
      if (next.record === record) return next.end
      if (!(await this.#needs.store.update(storedOrchestration(next.record), stored.revision))) continue
      this.#calls.stored(next.record)
      if (next.end.kind === 'done') return next.end
      if (!next.again) return next.end
    }
  }

  /** Changes how a run stands: paused, resumed, stopped. False where it is done. */
  async change(jid: Jid, how: (run: Orchestration['run']) => Orchestration['run']): Promise<boolean> {
    for (;;) {
      const stored = await this.#stored(jid)
      const record = readOrchestration(stored)
      if (record.status !== 'running') return false
      const next = { ...record, run: how(record.run) }
      if (await this.#needs.store.update(storedOrchestration(next), stored.revision)) return true
    }
  }

  /** Lets nothing more of it start; what runs is waited for. False where it is done. */
  cancel(jid: Jid): Promise<boolean> {
    return this.change(jid, stopped)
  }

  /** What it returns: results by tag below the master's id, the outputter, the exit code. */
  returned(record: Orchestration): Mapping {
    const data: Mapping = { [this.#needs.masterId]: runResults(record.run) as Mapping }
    return { data, outputter: 'highstate', retcode: checkResult(data) ? 0 : 1 }
  }

  async #stored(jid: Jid) {
    const stored = await this.#needs.store.get(jid)
    if (stored === undefined) {
      throw noOrchestration(jid)
    }
    return stored
  }

  /** One turn over a record: the record after it (the same where nothing changed), and whether to go on at once. */
  async #once(record: Orchestration): Promise<{ record: Orchestration; end: TurnEnd; again: boolean }> {
    const { localTime, clock } = this.#needs
    const begun = advance(record.plan, record.run, localTime(clock.now()))
    if (begun.settled.length > 0 || begun.start.length > 0 || begun.done) return this.#noted(record, [begun])
    const active = activeSteps(record.plan, record.run)
    const looked = await this.#calls.look(record, active)
    if (looked.outcomes.length === 0) {
      const isChanged = looked.calls !== record.calls
      const after = isChanged ? { ...record, calls: looked.calls } : record
      return { record: after, end: this.#waiting(after, looked), again: looked.again }
    }
    const turns: Turn[] = []
    let { run } = record
    for (const outcome of looked.outcomes) {
      const turn = advance(record.plan, run, localTime(clock.now()), outcome)
      run = turn.state
      turns.push(turn)
    }
    return this.#noted({ ...record, calls: looked.calls }, turns)
  }

  /** The record after turns of the engine; done, where the last says so. */
  async #noted(record: Orchestration, turns: readonly Turn[]) {
    const last = turns.at(-1)
    const settled = turns.flatMap((turn) => turn.settled)
    const after = { ...record, run: last?.state ?? record.run }
    await this.#tellProgress(after, settled)
    if (last?.done !== true) return { record: after, end: this.#waiting(after), again: true }
    const status = after.run.stopped ? ('canceled' as const) : ('done' as const)
    const done: Orchestration = { ...after, status, ended: this.#needs.clock.now(), calls: {} }
    await this.#tellEnd(done)
    return { record: done, end: { kind: 'done' as const, orchestration: done }, again: false }
  }

  #waiting(record: Orchestration, looked?: CallTurn): TurnEnd {
    return {
      kind: 'waiting',
      orchestration: record,
      wakeAt: looked?.wakeAt ?? this.#needs.clock.now() + idleOf(this.#needs),
      jids: Object.values(record.calls).flatMap(awaitedJids),
      events: Object.values(record.calls).flatMap((call) => (call.kind === 'events' ? [call.request.tag] : [])),
    }
  }

  async #tellProgress({ request, plan }: Orchestration, settled: readonly SettledChunk[]): Promise<void> {
    if (!this.#needs.stepEvents || settled.length === 0) return
    const { masterId, fire } = this.#needs
    await fire(
      ...settled.map(({ tag, result }): Draft => {
        const number = String(result.__run_num__ ?? 0)
        return {
          tag: `salt/run/${request.jid}/prog/${masterId}/${number}`,
          data: { ret: result, len: plan.chunks.length, jid: request.jid },
          id: derivedEventId(request.jid, `prog/${tag}`),
          cause: this.#causeOf(request),
        }
      }),
    )
  }

  /** Tells the end as the run itself would, with the same id, so that it is told once. */
  async #tellEnd(record: Orchestration): Promise<void> {
    const { jid, fun, funArgs, user, cause } = record.request
    const run: RunUnderJid = {
      ...{ client: 'runner', fun, arg: funArgs, kwarg: {}, user, jid },
      ...(cause === undefined ? {} : { cause }),
    }
    const telling: RunTelling = { fire: this.#needs.fire, keep: (_, told) => keepRun(this.#needs, jid, told) }
    const { returned, success, progress } = endOf(fun, this.returned(record))
    const events = runEvents(run, undefined, telling)
    if (progress !== undefined) await events.says(0, 'progress', progress)
    await events.ended({ return: returned, success })
  }

  #causeOf({ cause, jid }: OrchestrationRequest): Draft['cause'] {
    return cause === undefined ? undefined : { ...cause, jid }
  }
}

/** How the runner function that ran it ends: one that runs no SLS files tells its results as progress, and as they are. */
function endOf(fun: string, whole: Mapping): { returned: Mapping; success: boolean; progress?: Mapping } {
  const data = (whole.data ?? {}) as Mapping
  if (!isOfNoFiles(fun)) return { returned: whole, success: checkResult(data) }
  return { returned: data, success: true, progress: resultsAsProgress(data) }
}

function awaitedJids(call: StepCall): Jid[] {
  switch (call.kind) {
    case 'jobs':
      return call.parts.flatMap(({ jid, asking }) => (asking === undefined ? [jid] : [jid, asking.jid]))
    case 'runs':
      return call.parts.filter(({ end }) => end === undefined).map(({ jid }) => jid)
    default:
      return []
  }
}
