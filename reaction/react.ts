// Reacts to deliveries: plan → store and claim → run → tell → settle, many events at once.
import { messageOf } from '../core/error.ts'
import type { Event, EventId } from '../core/event/event.ts'
import { admit } from './admit.ts'
import { createEngine, type Engine, type EngineParts, type ReactorCounts } from './engine.ts'
import { isLoopCode, isOnceCode, isThrottleCode, totalRefusal } from './limits.ts'
import type { PlanMaker } from './make-plan.ts'
import { fileNotice, loopNotice, type Notice, reactionNotice, throttledNotice } from './notice.ts'
import { type Ending, type Plan, reactionKey } from './plan.ts'
import type { Claim, ClaimRequest, Delivery, ReactorSet, Settlement, StoredPlan } from './ports.ts'
import { backOff, isTransient } from './retry.ts'
import { firstWave, runPlan } from './run-plan.ts'
import { type Standing, settlementOf } from './standing.ts'

/** How one batch is reacted to. */
export interface ReactOptions {
  /** Told of each event as soon as it stands still, while others of the batch still run. */
  readonly settled?: (event: EventId, settlement: Settlement) => void
  /** After it nothing more is started. */
  readonly signal?: AbortSignal
}

/** The engine. */
export interface Reactor {
  /**
   * Reacts to each event and answers how each delivery is to be settled. Never throws: what fails is put off, and what
   * fails for good is dead. Batches may overlap; an event may be delivered twice at once.
   */
  react(
    deliveries: readonly Delivery[],
    reactors: ReactorSet,
    options?: ReactOptions,
  ): Promise<ReadonlyMap<EventId, Settlement>>
  counts(): Readonly<ReactorCounts>
  /** Stops renewing leases. For when all batches have ended, or are given up. */
  close(): void
}

/** Joins a plan maker and the parts to a reactor. */
export function createReactor(parts: EngineParts & { readonly makePlan: PlanMaker }): Reactor {
  const engine = createEngine(parts)
  return {
    async react(deliveries, reactors, options = {}) {
      const settlements = new Map<EventId, Settlement>()
      const once = new Map(deliveries.map((delivery) => [delivery.event.id, delivery]))
      const works = [...once.values()].map(async (delivery) => {
        const settlement = await settle(engine, parts.makePlan, delivery, reactors, options.signal)
        settlements.set(delivery.event.id, settlement)
        options.settled?.(delivery.event.id, settlement)
      })
      await Promise.all(works)
      return settlements
    },
    counts: () => ({ ...engine.counts }),
    close: () => engine.leases.close(),
  }
}

async function settle(
  engine: Engine,
  makePlan: PlanMaker,
  delivery: Delivery,
  reactors: ReactorSet,
  signal: AbortSignal | undefined,
): Promise<Settlement> {
  const { event, attempt } = delivery
  try {
    const found = attempt > 1 ? await engine.findPlan(event.id) : undefined
    if (found !== undefined) return await run(engine, event, found, undefined, signal)
    const matching = reactors.matching(event)
    if (matching.length === 0) return { kind: 'done' }
    const admitted = admit(engine, event, matching)
    const matched = admitted instanceof Promise ? await admitted : admitted
    const made = makePlan(event, matched, reactors.version)
    const plan = made instanceof Promise ? await made : made
    const { claims, ...stored } = await engine.storePlan({ plan, claims: requestsOf(engine, plan) })
    if (claims !== undefined) {
      engine.counts.planned++
      engine.counts.fileErrors += plan.files.filter(({ error }) => error !== undefined).length
    }
    return await run(engine, event, stored, claims, signal)
  } catch (error) {
    return putOff(engine, delivery, error)
  }
}

function requestsOf(engine: Engine, plan: Plan): ClaimRequest[] {
  return firstWave(plan.reactions).map(({ ordinal }) => ({
    key: reactionKey(plan.event, ordinal),
    jid: engine.clock.jid(),
  }))
}

/**
 * Runs the plan and tells what went wrong. Settled only after that was told: a crash between tells it again, under the
 * same ids.
 */
async function run(
  engine: Engine,
  event: Event,
  stored: StoredPlan,
  answered: readonly Claim[] | undefined,
  signal: AbortSignal | undefined,
): Promise<Settlement> {
  const { plan } = stored
  const list = answered ?? (await Promise.all(requestsOf(engine, plan).map((request) => engine.claim(request))))
  const claims = new Map<number, Claim>()
  for (const [index, { ordinal }] of firstWave(plan.reactions).entries()) {
    const claim = list[index]
    if (claim !== undefined) claims.set(ordinal, claim)
  }
  const [told, ran] = await Promise.allSettled([
    tell(engine, noticesOfFiles(event, plan)),
    runPlan(engine, { event, stored, claims, signal }),
  ])
  if (ran.status === 'rejected') throw ran.reason
  if (told.status === 'rejected') throw told.reason
  await tell(engine, noticesOfReactions(engine, event, stored, ran.value))
  return settlementOf(ran.value, plan.reactions)
}

async function tell(engine: Engine, notices: readonly Notice[]): Promise<void> {
  if (notices.length > 0) await engine.fire(...notices)
}

function noticesOfFiles(event: Event, plan: Plan): Notice[] {
  return plan.files.flatMap((file, index) => {
    const code = file.error?.code
    if (code === undefined || isLoopCode(code) || isOnceCode(code)) return []
    return [isThrottleCode(code) ? throttledNotice(event, plan, file) : fileNotice(event, plan, index, file)]
  })
}

/** For each that failed, was refused or interrupted; and one for all that the limits on loops refused, files and reactions. */
function noticesOfReactions(
  engine: Engine,
  event: Event,
  { plan, before }: StoredPlan,
  standings: readonly Standing[],
): Notice[] {
  const notices: Notice[] = []
  const looped: Parameters<typeof loopNotice>[1][number][] = plan.files.flatMap((file) =>
    file.error !== undefined && isLoopCode(file.error.code) ? [{ file, reason: file.error.message }] : [],
  )
  for (const [ordinal, standing] of standings.entries()) {
    const reaction = plan.reactions[ordinal]
    if (reaction === undefined || standing.kind !== 'ended' || !isTold(standing.ending)) continue
    const refusal = totalRefusal(before, ordinal, engine.options.limits)
    if (refusal === undefined) notices.push(reactionNotice(event, plan, reaction, standing.ending))
    else looped.push({ file: plan.files[reaction.file], id: reaction.id, reason: refusal.reason })
  }
  return looped.length === 0 ? notices : [...notices, loopNotice(event, looped)]
}

function isTold({ state }: Ending): boolean {
  return state === 'failed' || state === 'refused' || state === 'interrupted'
}

/** What is busy passes; anything else is tried as often as a reaction, and then somebody has to look at it. */
function putOff(engine: Engine, { event, attempt }: Delivery, error: unknown): Settlement {
  const { options, random, clock, counts, warn } = engine
  counts.troubled++
  const reason = messageOf(error)
  if (!isTransient(error) && attempt >= options.retry.tries) return { kind: 'dead', reason }
  warn(`the reaction to ${event.tag} (${event.id}) is put off: ${reason}`)
  return { kind: 'later', at: clock.now() + backOff(attempt, options.retry, random) }
}
