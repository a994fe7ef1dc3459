// A function that the minion runs by itself: scheduled, or at its start. It is listed while it runs, and returned to the master.
import { jidOf } from '../../core/event/jid.ts'
import type { Mapping } from '../../core/value/index.ts'
import type { NewReturn } from '../journal/journal.ts'
import { execute } from '../modules/execute.ts'
import type { AgentView } from '../modules/module.ts'
import { functionReturn } from './return-load.ts'

/** What to run. */
export interface OwnJob {
  readonly fun: string
  readonly args: NewReturn['fun_args']
  readonly kwargs: Mapping
  /** The scheduled job's name. */
  readonly schedule?: string
  readonly metadata?: Mapping
  /** It is among the running jobs while it runs. */
  readonly isListed: boolean
}

/** Runs it and says what is to be returned. Never rejects; the signal ends it. */
export async function runOwnJob(view: AgentView, job: OwnJob, signal: AbortSignal): Promise<NewReturn> {
  const { fun, args, kwargs, schedule, metadata } = job
  const jid = jidOf(Math.floor(view.outside.now()))
  const hasKeywords = Object.keys(kwargs).length > 0
  const shown = hasKeywords ? [...args, kwargs] : [...args]
  const data: Mapping = {
    fun,
    arg: shown,
    jid,
    pid: process.pid,
    tgt: view.id,
    tgt_type: 'glob',
    ret: '',
    user: 'root',
    ...(schedule === undefined ? {} : { schedule }),
  }
  const over = new AbortController()
  const stop = (): void => over.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (job.isListed) view.jobs.add({ jid, data, stop: (name) => over.abort(name) })
  try {
    const arg = hasKeywords ? [...args, { ...kwargs, __kwarg__: true }] : args
    const outcome = await execute(view, { fun, arg, data, signal: over.signal })
    const failed = outcome.kind !== 'returned'
    return {
      jid,
      fun,
      fun_args: shown,
      arg: shown,
      tgt: view.id,
      tgt_type: 'glob',
      pid: process.pid,
      ...functionReturn(outcome),
      // As Salt's schedule has it: what came back at all was a success, whatever its code.
      ...(schedule === undefined ? {} : { schedule, success: !failed, ...(failed ? { retcode: 254 } : {}) }),
      ...(metadata === undefined ? {} : { metadata }),
    }
  } finally {
    signal.removeEventListener('abort', stop)
    if (job.isListed) view.jobs.remove(jid)
  }
}
