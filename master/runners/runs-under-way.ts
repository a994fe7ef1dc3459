// The runs that have begun and not ended, by their events.
import type { Jid } from '../../core/event/event.ts'
import { stampInstant } from '../../core/event/stamp.ts'
import { get, isMapping, type Mapping, pythonStr } from '../../core/value/index.ts'
import type { Clock, EventLog } from '../ports.ts'

/** Microseconds that are looked back on. */
const span = 3_600_000_000

/** Those of the last hour, oldest first, as Salt tells running jobs; without the run that asks. */
export async function runsUnderWay(
  { log, clock }: { readonly log: EventLog; readonly clock: Clock },
  own: Jid,
): Promise<Mapping[]> {
  const since = clock.now() - span
  const ended = new Set<Jid>([own])
  const runs: Mapping[] = []
  for await (const batch of log.back()) {
    for (const { tag, data } of batch) {
      const [, jid = '', part] = /^salt\/run\/([^/]+)\/(new|ret)$/.exec(tag) ?? []
      if (part === 'ret') ended.add(jid)
      if (part !== 'new' || ended.has(jid) || !isMapping(data)) continue
      const { fun = null, user = null, fun_args: args = [] } = data
      runs.unshift({ jid, fun, user, fun_args: args })
    }
    const times = batch.map(({ data }) => stampInstant(pythonStr(get(data, '_stamp') ?? '')) ?? 0)
    if (Math.max(...times) < since) break
  }
  return runs
}
