// Runs what a reaction calls: a job is published, a runner or wheel function is started.

import { causeOf } from '../core/event/event.ts'
import { type Mapping, pythonStr, type Value } from '../core/value/index.ts'
import type { Ending, Reaction } from '../reaction/plan.ts'
import type { Executor, Started } from '../reaction/ports.ts'
import type { Publish, PublishOutcome } from './publish.ts'
import type { StartRun } from './run.ts'
import type { RunTables } from './run-events.ts'

interface ExecutorNeeds {
  readonly publish: Publish
  readonly startRun: StartRun
  readonly tables: RunTables
  /** The daemon's user: a reactor's job is published under it, as in Salt. */
  readonly user: string
}

/** The user whose name a reactor's runs carry. */
export const reactorUser = 'Reactor'

/** The {@link Executor} of a master: its jobs and runs carry the cause of the event they come from. */
export function createExecutor(needs: ExecutorNeeds): Executor {
  return {
    async start(reaction, { event, jid, glob, file }): Promise<Started> {
      const { call } = reaction
      const cause = causeOf(event, glob, file, jid)
      switch (call.kind) {
        case 'local': {
          const published = await needs.publish({
            tgt: call.tgt,
            tgtType: call.tgtType,
            fun: call.fun,
            arg: withKeywords(call.arg, call.kwarg),
            ret: call.ret,
            user: needs.user,
            expiresIn: call.expiresIn,
            jid,
            origin: `${event.id}/${reaction.ordinal}`,
            cause,
            ...(call.metadata === undefined ? {} : { metadata: call.metadata }),
          })
          return startedJob(published, call.tgt, call.tgtType)
        }
        case 'runner':
        case 'wheel': {
          const run = needs.startRun({
            client: call.kind,
            fun: call.fun,
            arg: call.arg,
            kwarg: call.kwarg,
            user: reactorUser,
            jid,
            cause,
            boundTo: event.key,
          })
          const ended = run.outcome.then(
            ({ success, return: returned }): Ending =>
              success
                ? { state: 'done', success }
                : { state: 'done', success, reason: pythonStr(returned).slice(0, 2000) },
          )
          return { kind: 'started', ended }
        }
        case 'caller':
          return {
            kind: 'refused',
            reason: `caller.${call.fun} runs only in the reactor of a masterless minion; use local.${call.fun} with a tgt here`,
          }
        case 'refused':
          return { kind: 'refused', reason: call.reason }
      }
    },

    isIdempotent({ call }: Reaction): boolean {
      // A job is safe to publish again: the same jid and origin are one job.
      if (call.kind === 'local') return true
      if (call.kind === 'runner' || call.kind === 'wheel')
        return needs.tables[call.kind]().get(call.fun)?.idempotent === true
      return false
    },
  }
}

function startedJob(published: PublishOutcome, tgt: Value, tgtType: string): Started {
  switch (published.kind) {
    case 'published':
      return { kind: 'started', ended: Promise.resolve({ state: 'done', success: true, minions: published.minions }) }
    case 'no-minions': {
      const reason = `no accepted minion matches the ${tgtType} target ${pythonStr(tgt)}`
      return { kind: 'started', ended: Promise.resolve({ state: 'done', success: false, minions: [], reason }) }
    }
    case 'no-nodegroup':
      return {
        kind: 'started',
        ended: Promise.resolve({ state: 'done', success: false, minions: [], reason: published.message }),
      }
    case 'jid-taken':
      return { kind: 'jid-taken' }
  }
}

/** Keywords ride at the end of `arg`, marked. */
export function withKeywords(arg: readonly Value[], kwarg: Mapping): Value[] {
  return Object.keys(kwarg).length === 0 ? [...arg] : [...arg, { __kwarg__: true, ...kwarg }]
}
