// Runs on the master among the jobs: what one came to is looked up by its jid, as a job's returns are.
import type { Jid } from '../core/event/event.ts'
import { stampOf } from '../core/event/stamp.ts'
import type { Mapping } from '../core/value/index.ts'
import type { Clock, JobRecord, JobStore } from './ports.ts'

/** Where runs are kept, and the name that they stand under. */
export interface KeepRunNeeds {
  readonly jobs: JobStore
  readonly clock: Pick<Clock, 'now'>
  readonly masterId: string
}

/**
 * Keeps a run that has ended as Salt's job cache does: a return of the master's own minion, which is `told`, the data of the
 * run's last event. Safe to repeat: the first end stays.
 */
export async function keepRun({ jobs, clock, masterId }: KeepRunNeeds, jid: Jid, told: Mapping): Promise<void> {
  const at = clock.now()
  const { fun = '', user = '' } = told
  const returned: Mapping = { ...told, _stamp: stampOf(at) }
  const load: Mapping = { fun, fun_args: [], tgt: masterId, tgt_type: 'list', user, return: returned }
  await jobs.addReturn(jid, { id: masterId, at, load })
}

/** Whether a job is a run on the master. */
export function isRun({ fun }: Pick<JobRecord, 'fun'>): boolean {
  return typeof fun === 'string' && /^(?:runner|wheel)\./.test(fun)
}
