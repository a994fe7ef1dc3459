// Reactions that run or change orchestrations: ordered of the function that runs runners, which may take its time.
import type { Desk } from '../../../master/desk.ts'
import { createExecutor } from '../../../master/executor.ts'
import type { Functions } from '../../../master/functions.ts'
import type { StartRun } from '../../../master/run.ts'
import type { Executor } from '../../../reaction/index.ts'
import type { Reaction } from '../../../reaction/plan.ts'
import type { OrderRun } from '../runs.ts'

/**
 * The executor of functions, but for the runners `state.…` and `orch.…`: such a reaction is done when its order was taken,
 * and safe to repeat, for a jid is run once. Its end is told by its events.
 */
export function orderingExecutor(
  { executor, tables }: Functions,
  { publish, options }: Pick<Desk, 'publish' | 'options'>,
  order: OrderRun,
  newJid: () => string,
): Executor {
  const startRun: StartRun = (request) => {
    const jid = request.jid ?? newJid()
    const started = order({ ...request, jid }, 1)
    return { jid, started, outcome: started.then(() => ({ jid, return: null, success: true, progress: [] })) }
  }
  const ordered = createExecutor({ publish, startRun, tables, user: options.user })
  const isOrdered = ({ call }: Reaction): boolean =>
    call.kind === 'runner' && /^(state|orch)\./.test(call.fun) && tables.runner().has(call.fun)
  return {
    start: (reaction, context) => (isOrdered(reaction) ? ordered : executor).start(reaction, context),
    isIdempotent: (reaction) => isOrdered(reaction) || executor.isIdempotent(reaction),
  }
}
