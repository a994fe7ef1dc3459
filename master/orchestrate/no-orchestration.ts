// What is told of a jid that is no orchestration's.
import { BrineError } from '../../core/error.ts'
import type { Jid } from '../../core/event/event.ts'

/** The error for it. */
export function noOrchestration(jid: Jid): BrineError {
  return new BrineError(`There is no orchestration ${jid}. brine-run orch.list shows those there are.`, {
    code: 'no-orchestration',
  })
}
