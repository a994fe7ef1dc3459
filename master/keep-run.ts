// Runs on the master among the jobs: what one came to is looked up by its jid, as a job's returns are.

import type { Jid } from '../core/event/event.ts'
import { stampOf } from '../core/event/stamp.ts'
import type { Mapping, Value } from '../core/value/index.ts'
import type { Clock, JobRecord, JobStore } from './ports.ts'

/** What a run's last event tells. */
export interface ToldRun {
  readonly jid: Jid
  /** With its client: `runner.manage.up`. */
  readonly fun: string
  readonly told: Mapping
  readonly user: string
}

/** Keeps a run that has ended. Safe to repeat: the first end stays. */
export type KeepRun = (run: ToldRun) => Promise<void>

/** Keeps runs as Salt's job cache does: a return of the master's own minion, which is what the run's last event tells. */
export function createKeepRun(jobs: JobStore, clock: Pick<Clock, 'now'>, masterId: string): KeepRun {
  return async ({ jid, fun, told, user }) => {
    const at = clock.now()
    const returned: Value = { ...told, _stamp: stampOf(at) }
    const load: Mapping = { fun, fun_args: [], tgt: masterId, tgt_type: 'list', user, return: returned }
    await jobs.addReturn(jid, { id: masterId, at, load })
  }
}

/** Whether a job is a run on the master. */
export function isRun({ fun }: Pick<JobRecord, 'fun'>): boolean {
  return typeof fun === 'string' && /^(?:runner|wheel)\./.test(fun)
}
