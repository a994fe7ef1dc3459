// Plans, claims and how they ended.
import { randomUUID } from 'node:crypto'
import { BrineError } from '../../../core/error.ts'
import type { EventId } from '../../../core/event/event.ts'
import type { LedgerEntry, Plan } from '../../../reaction/plan.ts'
import { reactionKey } from '../../../reaction/plan.ts'
import type {
  Claim,
  ClaimRequest,
  ClaimWrite,
  Clock,
  Lease,
  Ledger,
  NewPlan,
  StoredPlan,
  WindowHolder,
  WindowRequest,
} from '../../../reaction/ports.ts'
import { planKey, reactionItemKey, rootKey, transactionItems, windowKey } from '../layout/index.ts'
import {
  type Attributes,
  type Dynamo,
  type Expression,
  isAbsent,
  keyItem,
  n,
  numberIn,
  s,
  type Write,
} from './dynamo.ts'
import { changeOf, claimOf, claimUpdate, entryOf, isReopenable, reopenUpdate } from './ledger-row.ts'
import { inParallel } from './parallel.ts'
import { endsAt, type Records } from './records.ts'

type Answer = StoredPlan & { readonly claims?: readonly Claim[] }

/** Claims that fit into the transaction that stores their plan: beside the plan and its root's count. */
const WITH_PLAN = transactionItems - 2
const ROOT_TRIES = 20

/**
 * Table Ledger: `plan#<event id>` `-` → plan, with what was planned before for its root and the number of its reactions;
 * `plan#<event id>` `r<ordinal>` → how a reaction stands; `root#<event id>` → reactions planned for it and what it led
 * to, where it led to plans of other events; `window#<key>` → whose a window of `once_within` is.
 *
 * INVARIANTS
 * - a plan is written once, its claims and its part of the root's count in the same transaction.
 * - an ended reaction is never written again, but by `reopen`.
 * - a reaction is `running` under one generation; of two claims at the same time one is held.
 */
export class DynamoLedger implements Ledger {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #clock: Pick<Clock, 'now'>
  readonly #keepSeconds: number

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>, keepSeconds: number) {
    this.#dynamo = dynamo
    this.#records = records
    this.#clock = clock
    this.#keepSeconds = keepSeconds
  }

  async storePlans(plans: readonly NewPlan[], lease: Lease): Promise<Answer[]> {
    // Those of one root follow each other: they count up the same item, and one event may come twice.
    const chains = new Map<EventId, number[]>()
    for (const [index, { plan }] of plans.entries()) chains.set(plan.root, [...(chains.get(plan.root) ?? []), index])
    const answers: Answer[] = []
    await inParallel([...chains.values()], async (chain) => {
      for (const index of chain) {
        const item = plans[index]
        if (item !== undefined) answers[index] = await this.#store(item, lease)
      }
    })
    return answers
  }

  async plan(event: EventId): Promise<StoredPlan | undefined> {
    const item = await this.#dynamo.get('Ledger', planKey(event))
    return item === undefined ? undefined : this.#stored(item)
  }

  claim(requests: readonly ClaimRequest[], lease: Lease): Promise<Claim[]> {
    return inParallel(requests, (request) => this.#claim(request, lease))
  }

  write(writes: readonly ClaimWrite[]): Promise<boolean[]> {
    return inParallel(writes, async (write) => {
      const { set, condition } = changeOf(write, this.#end())
      return (await this.#dynamo.update('Ledger', reactionItemKey(write.key), set, condition)).done
    })
  }

  async entries(event: EventId): Promise<LedgerEntry[]> {
    return (await this.#rows(event)).map((row) => entryOf(keyOf(event, row), row))
  }

  /** Requests for one window are made one after the other: the first of them opens it. */
  async openWindows(requests: readonly WindowRequest[]): Promise<WindowHolder[]> {
    const holders = new Map<WindowRequest, WindowHolder>()
    const byKey = new Map<string, WindowRequest[]>()
    for (const request of requests) byKey.set(request.key, [...(byKey.get(request.key) ?? []), request])
    await inParallel([...byKey.values()], async (same) => {
      for (const request of same) holders.set(request, await this.#openWindow(request))
    })
    return requests.flatMap((request) => holders.get(request) ?? [])
  }

  async reopen(event: EventId): Promise<number> {
    const rows = (await this.#rows(event)).filter(isReopenable)
    const done = await inParallel(rows, async (row) => {
      const { set, condition } = reopenUpdate(row)
      return (await this.#dynamo.update('Ledger', reactionItemKey(keyOf(event, row)), set, condition)).done
    })
    return done.filter((each) => each).length
  }

  async #store({ plan, claims }: NewPlan, lease: Lease): Promise<Answer> {
    const record = await this.#records.pack(plan)
    const first = claims.slice(0, WITH_PLAN)
    for (let tries = 0; tries < ROOT_TRIES; tries++) {
      const root = await this.#rootCount(plan)
      const before = root?.before ?? 0
      const item = {
        ...keyItem(planKey(plan.event)),
        ...record,
        before: n(before),
        reactions: n(plan.reactions.length),
        ...this.#end(),
      }
      const writes: Write[] = [
        { kind: 'put', table: 'Ledger', item, if: isAbsent },
        ...first.map((request): Write => this.#claimWrite(request, lease)),
        ...(root === undefined ? [] : [root.write]),
      ]
      const outcome = await this.#dynamo.transact(writes)
      if (outcome.done) return { plan, before, claims: await this.#claimsOf(claims, first.length, lease) }
      const known = outcome.refused[0]?.old
      if (known !== undefined) return this.#stored(known)
      // A reaction was claimed before there was a plan: the claims are made one by one, after the plan.
      if (outcome.refused.slice(1, first.length + 1).some((each) => each !== undefined)) first.length = 0
    }
    throw new BrineError(
      `The count of reactions of the root event ${plan.root} was written by others ${ROOT_TRIES} times in a row. It is tried again later.`,
      { code: 'busy' },
    )
  }

  /** The answers for the claims of a plan just stored: the first were made with it, the others are made now. */
  async #claimsOf(claims: readonly ClaimRequest[], made: number, lease: Lease): Promise<Claim[]> {
    const first = claims
      .slice(0, made)
      .map(({ jid }): Claim => ({ kind: 'claimed', generation: 1, jid, resumed: false, failures: [] }))
    return [...first, ...(await this.claim(claims.slice(made), lease))]
  }

  /** What was planned before for the plan's root, and the write that counts this plan. A root's own plan is counted when asked. */
  async #rootCount(plan: Plan): Promise<{ before: number; write: Write } | undefined> {
    if (plan.root === plan.event) return undefined
    const key = rootKey(plan.root)
    const counted = numberIn(await this.#dynamo.get('Ledger', key), 'planned')
    const before = counted ?? numberIn(await this.#dynamo.get('Ledger', planKey(plan.root)), 'reactions') ?? 0
    const after = n(before + plan.reactions.length)
    const end = this.#end().ttl ?? n(0)
    return {
      before,
      write: {
        kind: 'update',
        table: 'Ledger',
        key,
        set: 'SET planned = :after, #ttl = :end',
        names: { '#ttl': 'ttl' },
        values: { ':after': after, ':end': end, ...(counted === undefined ? {} : { ':before': n(counted) }) },
        if: counted === undefined ? isAbsent.text : 'planned = :before',
      },
    }
  }

  #claimWrite(request: ClaimRequest, lease: Lease): Write {
    const { set } = claimUpdate(request, lease, this.#end(), randomUUID())
    return {
      kind: 'update',
      table: 'Ledger',
      key: reactionItemKey(request.key),
      set: set.text,
      names: set.names ?? {},
      values: set.values ?? {},
      if: isAbsent.text,
    }
  }

  async #claim(request: ClaimRequest, lease: Lease): Promise<Claim> {
    const mark = randomUUID()
    const { set, condition } = claimUpdate(request, lease, this.#end(), mark)
    const { done, old } = await this.#dynamo.update('Ledger', reactionItemKey(request.key), set, condition)
    return claimOf(done, old, request, mark)
  }

  /** Two of one moment: the condition lets one write, and the other reads whose it is. */
  async #openWindow(request: WindowRequest): Promise<WindowHolder> {
    const { key, event, at, until, keep } = request
    const item = { ...keyItem(windowKey(key)), holder: s(event), from: n(at), until: n(until), ...endsAt(keep) }
    const free: Expression = {
      text: 'attribute_not_exists(pk) OR (holder <> :event AND (#until <= :at OR #from >= :until))',
      names: { '#until': 'until', '#from': 'from' },
      values: { ':event': s(event), ':at': n(at), ':until': n(until) },
    }
    if ((await this.#dynamo.put('Ledger', item, free)).done) return { event, at, until }
    const old = await this.#dynamo.get('Ledger', windowKey(key))
    if (old === undefined) return { event, at, until }
    return { event: old.holder?.S ?? '', at: numberIn(old, 'from') ?? at, until: numberIn(old, 'until') ?? until }
  }

  #rows(event: EventId): Promise<Attributes[]> {
    return this.#dynamo.all('Ledger', planKey(event).pk, { beginning: 'r' })
  }

  async #stored(item: Attributes): Promise<StoredPlan> {
    return { plan: await this.#records.unpack<Plan>(item), before: numberIn(item, 'before') ?? 0 }
  }

  #end(): Attributes {
    return endsAt(this.#clock.now() + this.#keepSeconds * 1_000_000)
  }
}

function keyOf(event: EventId, row: Attributes): string {
  return reactionKey(event, Number((row.sk?.S ?? 'r0').slice(1)))
}
