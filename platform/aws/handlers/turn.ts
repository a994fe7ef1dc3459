// The turn function's work: one turn of an orchestration, and what its state machine does next.
import type { Jid } from '../../../core/event/event.ts'
import { masterIdOf } from '../../../master/orchestrate/master-id.ts'
import { Orchestrator, type TurnEnd } from '../../../master/orchestrate/orchestrator.ts'
import { OrderedRuns } from '../../../master/orchestrate/ordered-runs.ts'
import type { Orchestration } from '../../../master/orchestrate/record.ts'
import { waitingText } from '../../../master/orchestrate/standing.ts'
import { localTime } from '../../../reaction/local-time.ts'
import { type AwsDesk, openDesk } from '../compose.ts'
import { type Environment, variableIn } from '../deploy/environment.ts'
import { executionName, type TurnAnswer, type TurnOrder, turnsOfExecution } from '../layout/index.ts'
import { orderRuns } from '../runs.ts'
import { DynamoHolds } from '../store/orchestration-holds.ts'
import type { Telemetry } from '../telemetry.ts'
import { insist } from './insist.ts'

/** Takes turns. */
export interface TurnFunction {
  /** Safe to repeat, and to take twice at once. A busy table is tried again while the invocation has time. */
  take(order: TurnOrder, timeLeft: () => number): Promise<TurnAnswer>
}

/** Seconds: an orchestration nothing is heard of is looked at so often. */
const IDLE = 900
/** Seconds, with a minute to spare: a run lasts as long as its function may, and Lambda keeps an order for six hours. */
const LONGEST_RUN = 16 * 60
const LONGEST_QUEUED = 6 * 3600

/** Opens it. */
export function openTurns(environment: Environment, telemetry: Telemetry): TurnFunction {
  const aws = openDesk(environment, telemetry)
  const { store } = aws
  const holds = new DynamoHolds(store.dynamo, store.clock)
  const orchestrator = orchestratorOf(aws, variableIn(environment, 'runFunction'))

  /** Turns, until what is waited for was noted before it was looked for. */
  const turned = async ({ jid, part }: TurnOrder): Promise<{ end: TurnEnd; news: number }> => {
    for (;;) {
      const hold = await holds.open(jid)
      const end = await orchestrator.turn(jid)
      if (end.kind === 'done') {
        await holds.close(jid)
        return { end, news: 0 }
      }
      const { jids, events, wakeAt } = end
      const isFresh = await holds.wait(jid, hold, { awaited: { jids, events }, wakeAt, part })
      if (!isFresh) return { end, news: hold.news }
    }
  }

  const answer = async (order: TurnOrder): Promise<TurnAnswer> => {
    const { end, news } = await turned(order)
    const after = { ...onlyOrder(order), turns: order.turns + 1 }
    if (end.kind === 'done') return { ...after, ...endOf(order.jid, end.orchestration, orchestrator) }
    if (after.turns >= turnsOfExecution) {
      const part = order.part + 1
      return { ...after, part, next: 'renew', name: executionName(order.jid, part) }
    }
    const seconds = Math.max(1, Math.ceil((end.wakeAt - store.clock.now()) / 1_000_000))
    return { ...after, next: 'wait', seconds, news: String(news), waiting: waitingOf(end.orchestration) }
  }

  return { take: (order, timeLeft) => insist(() => answer(order), timeLeft) }
}

function orchestratorOf({ store, settings, desk }: AwsDesk, runFunction: string): Orchestrator {
  const { log, jobs, mailbox, orchestrations, clock } = store
  return new Orchestrator({
    ...{ log, jobs, mailbox, clock, localTime },
    ...{ fire: desk.fire, publish: desk.publish, resolve: desk.resolve },
    store: orchestrations,
    runs: new OrderedRuns({
      ...{ order: orderRuns(runFunction), log, orchestrations, clock },
      ...{ longest: LONGEST_RUN, longestQueued: LONGEST_QUEUED },
    }),
    masterId: masterIdOf(settings.template.opts, desk.options),
    stepEvents: desk.options.orchestrationEvents,
    timeout: settings.timeout,
    gatherJobTimeout: settings.gatherJobTimeout,
    random: Math.random,
    idle: IDLE,
    wake: () => undefined,
  })
}

/** What the machine handed over beside an order is the answer of the turn before. */
function onlyOrder({ jid, sls, user, part, turns }: TurnOrder): TurnOrder {
  return { jid, sls, user, part, turns }
}

function endOf(
  jid: Jid,
  record: Orchestration,
  orchestrator: Orchestrator,
): { next: 'done' } | { next: 'failed'; error: string; cause: string } {
  if (record.status === 'canceled')
    return { next: 'failed', error: 'Canceled', cause: `brine-run orch.show ${jid} shows what had run before.` }
  if (orchestrator.returned(record).retcode === 0) return { next: 'done' }
  return { next: 'failed', error: 'StepFailed', cause: `brine-run orch.show ${jid} shows which step failed, and why.` }
}

/** Steps whose end is waited for, at most some, as people read them in the AWS console. */
function waitingOf(record: Orchestration): string[] {
  return waitingText(record).slice(0, 20)
}
