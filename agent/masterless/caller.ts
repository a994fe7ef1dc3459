// Runs what a reaction of a minion without a master calls: functions of its own, by `caller.`.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Cause, causeOf } from '../../core/event/event.ts'
import type { Executor, Started } from '../../reaction/index.ts'
import type { Ending, Reaction } from '../../reaction/plan.ts'
import { runOwnJob } from '../jobs/own-job.ts'
import type { AgentView } from '../modules/module.ts'

/** An executor, and what the events are caused by that its functions fire. */
export interface CallerExecutor extends Executor {
  /** The cause of what happens right now; undefined outside of a reaction. */
  cause(): Cause | undefined
}

/** Functions run in this process; the signal ends them. */
export function createCaller(view: AgentView, signal: AbortSignal): CallerExecutor {
  const causes = new AsyncLocalStorage<Cause>()
  return {
    cause: () => causes.getStore(),
    async start({ call, type }, { event, jid, glob, file }): Promise<Started> {
      if (call.kind === 'refused') return { kind: 'refused', reason: call.reason }
      if (call.kind !== 'caller')
        return {
          kind: 'refused',
          reason: `${type}.${call.fun} needs a master, and this minion has none (file_client: local). Write caller.${call.fun}.`,
        }
      const { fun, arg, kwarg } = call
      const job = { fun, args: [...arg], kwargs: kwarg, isListed: true }
      const ended = causes.run(causeOf(event, glob, file, jid), async (): Promise<Ending> => {
        const ret = await runOwnJob(view, job, signal)
        if (ret.success !== false) return { state: 'done', success: true }
        return { state: 'done', success: false, reason: String(ret.return).slice(0, 2000) }
      })
      return { kind: 'started', ended }
    },
    isIdempotent: ({ call }: Reaction) => call.kind === 'caller' && view.functions.get(call.fun)?.readOnly === true,
  }
}
