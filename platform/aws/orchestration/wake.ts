// Waking orchestrations: their news are counted, and the execution that waits with a token goes on.
import type { Jid, Tag } from '../../../core/event/event.ts'
import type { DynamoHolds } from '../store/orchestration-holds.ts'
import { inParallel } from '../store/parallel.ts'
import type { Executions } from './executions.ts'

/** Wakes one: a turn that looks now or is not begun yet sees what happened, and one that waits is taken at once. */
export async function wake(jid: Jid, holds: DynamoHolds, executions: Executions): Promise<void> {
  const token = await holds.news(jid)
  if (token !== undefined) await executions.goOn(token)
}

/** Wakes whoever waits for events with these tags, each once. */
export async function wakeConcerned(tags: readonly Tag[], holds: DynamoHolds, executions: Executions): Promise<void> {
  await inParallel(await holds.concerned(tags), (jid) => wake(jid, holds, executions))
}
