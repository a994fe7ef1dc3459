// Runs one event's stored plan: claims each reaction, starts them in order, waits for what they require, ends them.
import { messageOf } from '../core/error.ts'
import type { Event } from '../core/event/event.ts'
import type { Engine } from './engine.ts'
import { totalRefusal } from './limits.ts'
import { type Ending, type Reaction, reactionKey } from './plan.ts'
import type { Claim, Started, StoredPlan } from './ports.ts'
import { backOff, isTransient } from './retry.ts'
import { type Standing, type Verdict, verdictOn } from './standing.ts'

/** What to run. `claims` holds what was claimed in the write that stored the plan, by ordinal. */
export interface PlanWork {
  readonly event: Event
  readonly stored: StoredPlan
  readonly claims: ReadonlyMap<number, Claim>
  /** After it nothing more is started, and what was claimed but not started is given back. */
  readonly signal: AbortSignal | undefined
}

/** The reactions that can be claimed at once: those that require nothing. */
export function firstWave(reactions: readonly Reaction[]): readonly Reaction[] {
  return reactions.filter(({ requisites }) => requisites.length === 0)
}

/**
 * Runs a plan to where it stands still, and answers how each reaction stands, by ordinal.
 *
 * Order: a reaction that requires nothing starts when those before it have started (a job: is published), failed or were
 * put off; one with requisites starts once they are met by what has ended, and is skipped once they cannot be.
 * Throws when the ledger cannot be written; what we hold then lapses with its lease.
 */
export async function runPlan(engine: Engine, work: PlanWork): Promise<readonly Standing[]> {
  return new PlanRun(engine, work).toEnd()
}

type Claimed = Extract<Claim, { kind: 'claimed' }>

/** Jids tried in a row until one is free; more is a fault of the clock. */
const MOST_JIDS = 100

/**
 * INVARIANTS
 * - a reaction is started only under a claim of ours, and only after the ledger holds the ends it waits for;
 * - a standing is written once, `ended` only when the ledger took the ending or told of one;
 * - no promise in `#running` rejects: trouble is kept and thrown when everything stands still.
 */
class PlanRun {
  readonly #engine: Engine
  readonly #work: PlanWork
  readonly #reactions: readonly Reaction[]
  readonly #standings: (Standing | undefined)[]
  readonly #running = new Set<Promise<void>>()
  #trouble: { readonly error: unknown } | undefined

  constructor(engine: Engine, work: PlanWork) {
    this.#engine = engine
    this.#work = work
    this.#reactions = work.stored.plan.reactions
    this.#standings = this.#reactions.map(() => undefined)
  }

  async toEnd(): Promise<readonly Standing[]> {
    for (let open = this.#reactions; open.length > 0; ) {
      const waiting = await this.#pass(open)
      if (waiting.length === open.length && this.#running.size === 0) {
        throw new Error(`the plan of ${this.#work.event.id} holds reactions that require each other`)
      }
      if (waiting.length > 0 && this.#running.size > 0) await Promise.race(this.#running)
      open = waiting
    }
    await Promise.all(this.#running)
    if (this.#trouble !== undefined) throw this.#trouble.error
    return this.#standings.filter((standing) => standing !== undefined)
  }

  /** Begins what can begin, in order; answers what must wait. */
  async #pass(open: readonly Reaction[]): Promise<readonly Reaction[]> {
    const waiting: Reaction[] = []
    for (const reaction of open) {
      const verdict = verdictOn(reaction, this.#reactions, this.#standings)
      if (verdict.kind === 'wait') waiting.push(reaction)
      else if (verdict.kind === 'put-off') this.#standings[reaction.ordinal] = verdict.standing
      else await this.#begin(reaction, verdict).catch((error) => this.#troubled(reaction, error))
    }
    return waiting
  }

  /** Resolves when the reaction has started, and, where that is known at once, ended. */
  async #begin(reaction: Reaction, verdict: Verdict): Promise<void> {
    const { signal } = this.#work
    const claim = this.#work.claims.get(reaction.ordinal) ?? (signal?.aborted ? undefined : await this.#claim(reaction))
    if (claim === undefined) this.#standings[reaction.ordinal] = { kind: 'retry', at: this.#engine.clock.now() }
    else if (claim.kind === 'ended') this.#standings[reaction.ordinal] = claim
    else if (claim.kind === 'held') this.#standings[reaction.ordinal] = { kind: 'held', at: claim.until }
    else {
      const ending = verdict.kind === 'skip' ? verdict.ending : this.#endingWithoutStart(reaction, claim)
      if (ending !== undefined) this.#run(reaction, this.#end(reaction, claim, ending))
      else if (signal?.aborted)
        this.#run(reaction, this.#giveBack(reaction, claim, undefined, this.#engine.clock.now()))
      else await this.#start(reaction, claim)
    }
  }

  #claim(reaction: Reaction): Promise<Claim> {
    const { clock, claim } = this.#engine
    return claim({ key: reactionKey(this.#work.event.id, reaction.ordinal), jid: clock.jid() })
  }

  #endingWithoutStart(reaction: Reaction, claim: Claimed): Ending | undefined {
    const { call, ordinal } = reaction
    const refusal = totalRefusal(this.#work.stored.before, ordinal, this.#engine.options.limits)
    if (refusal !== undefined) return { state: 'refused', reason: refusal.reason }
    if (call.kind === 'refused') return { state: 'refused', reason: call.reason }
    if (claim.resumed && !this.#isRepeatable(reaction)) {
      return { state: 'interrupted', reason: 'it was cut off while it ran, or just before, and must not run twice' }
    }
    return undefined
  }

  /** A job is known by its jid, so that starting it again starts nothing twice. */
  #isRepeatable(reaction: Reaction): boolean {
    return reaction.call.kind === 'local' || this.#engine.executor.isIdempotent(reaction)
  }

  async #start(reaction: Reaction, claim: Claimed): Promise<void> {
    const { leases, counts } = this.#engine
    const key = reactionKey(this.#work.event.id, reaction.ordinal)
    leases.hold(key, claim.generation)
    const started = await this.#tryJids(reaction, claim)
    if (started === undefined) {
      leases.release(key)
      this.#lost(reaction)
    } else if (started.kind === 'started') {
      counts.started++
      const ending = started.ended.catch((error): Ending => ({ state: 'failed', reason: messageOf(error) }))
      if (reaction.call.kind === 'local') this.#run(reaction, this.#end(reaction, claim, await ending))
      else
        this.#run(
          reaction,
          ending.then((known) => this.#end(reaction, claim, known)),
        )
    } else if (started.kind === 'refused') {
      this.#run(reaction, this.#end(reaction, claim, { state: 'refused', reason: started.reason }))
    } else {
      this.#run(reaction, this.#failedTry(reaction, claim, started.reason))
    }
  }

  /** Starts with the claim's jid, or with the first free one after it, each written before it is used. */
  async #tryJids(reaction: Reaction, claim: Claimed): Promise<Exclude<Started, { kind: 'jid-taken' }> | undefined> {
    const { executor, clock, write } = this.#engine
    const { event, stored } = this.#work
    const file = stored.plan.files[reaction.file]
    let jid = claim.jid
    for (let tried = 0; tried < MOST_JIDS; tried++) {
      try {
        const context = { event, jid, glob: file?.glob ?? '', file: file?.name ?? '' }
        const started = await executor.start(reaction, context)
        if (started.kind !== 'jid-taken') return started
      } catch (error) {
        if (isTransient(error)) return { kind: 'retry', reason: error.message }
        const again = this.#isRepeatable(reaction) ? ({ redrivable: true } as const) : {}
        return { kind: 'started', ended: Promise.resolve({ state: 'failed', reason: messageOf(error), ...again }) }
      }
      jid = clock.jid()
      const change = { kind: 'jid', jid } as const
      const { generation } = claim
      if (!(await write({ key: reactionKey(event.id, reaction.ordinal), generation, at: clock.now(), change })))
        return undefined
    }
    return { kind: 'retry', reason: `${MOST_JIDS} jids in a row were taken; check the clock` }
  }

  async #failedTry(reaction: Reaction, claim: Claimed, reason: string): Promise<void> {
    const { options, random, clock, counts } = this.#engine
    const failures = claim.failures.length + 1
    if (failures >= options.retry.tries) {
      const ending: Ending = {
        state: 'failed',
        reason: `${failures} tries failed, the last: ${reason}`,
        redrivable: true,
      }
      return this.#end(reaction, claim, ending)
    }
    counts.retried++
    const at = clock.now() + backOff(failures, options.retry, random)
    return this.#giveBack(reaction, claim, reason, at)
  }

  async #giveBack(reaction: Reaction, claim: Claimed, failure: string | undefined, at: number): Promise<void> {
    const change = { kind: 'give-back', ...(failure === undefined ? {} : { failure }) } as const
    if (await this.#write(reaction, claim, change)) this.#standings[reaction.ordinal] = { kind: 'retry', at }
    else this.#lost(reaction)
  }

  async #end(reaction: Reaction, claim: Claimed, ending: Ending): Promise<void> {
    if (!(await this.#write(reaction, claim, { kind: 'end', ending }))) return this.#lost(reaction)
    this.#engine.counts[ending.state]++
    this.#standings[reaction.ordinal] = { kind: 'ended', ending }
  }

  async #write(reaction: Reaction, claim: Claimed, change: Parameters<Engine['write']>[0]['change']): Promise<boolean> {
    const key = reactionKey(this.#work.event.id, reaction.ordinal)
    try {
      return await this.#engine.write({ key, generation: claim.generation, at: this.#engine.clock.now(), change })
    } finally {
      this.#engine.leases.release(key)
    }
  }

  /** Another has the claim, and with it the result: ours is dropped, and we look again when its lease must have ended. */
  #lost(reaction: Reaction): void {
    const { counts, clock, options } = this.#engine
    counts.lost++
    this.#standings[reaction.ordinal] = { kind: 'held', at: clock.now() + options.lease }
  }

  #troubled(reaction: Reaction, error: unknown): void {
    const { clock, options } = this.#engine
    this.#trouble ??= { error }
    this.#standings[reaction.ordinal] = { kind: 'held', at: clock.now() + options.lease }
  }

  #run(reaction: Reaction, work: Promise<void>): void {
    const running = work.catch((error) => this.#troubled(reaction, error)).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }
}
