// A ledger in memory, with every promise but durability: for dry runs, for masterless trials, and for tests.
import type { EventId, Jid } from '../core/event/event.ts'
import { type Ending, type LedgerEntry, type ReactionState, reactionKey } from './plan.ts'
import type { Claim, ClaimRequest, ClaimWrite, Lease, Ledger, StoredPlan, WindowHolder } from './ports.ts'
import { holderOf } from './window.ts'

interface Entry {
  readonly key: string
  state: ReactionState
  generation: number
  jid: Jid
  failures: readonly string[]
  claimedAt?: number
  endedAt?: number
  owner?: string
  leaseUntil?: number
  ending?: Ending
}

/** What a memory ledger remembers; kept apart so that a test can lose a process and keep its store. */
export interface LedgerMemory {
  readonly plans: Map<EventId, StoredPlan>
  readonly entries: Map<string, Entry>
  readonly planned: Map<EventId, number>
  readonly windows: Map<string, WindowHolder>
}

/** An empty memory. */
export function emptyLedgerMemory(): LedgerMemory {
  return { plans: new Map(), entries: new Map(), planned: new Map(), windows: new Map() }
}

/** `oneProcess`: a lease of another owner is one of an earlier boot, and void. */
export function createMemoryLedger(memory: LedgerMemory, options: { readonly oneProcess: boolean }): Ledger {
  const { plans, entries, planned, windows } = memory

  const claim = ({ key, jid }: ClaimRequest, { owner, now, until }: Lease): Claim => {
    const entry = entries.get(key) ?? { key, state: 'planned', generation: 0, jid, failures: [] }
    if (entry.ending !== undefined) return { kind: 'ended', ending: entry.ending }
    const running = entry.state === 'running'
    const isVoid = options.oneProcess && entry.owner !== owner
    if (running && !isVoid && (entry.leaseUntil ?? 0) > now) return { kind: 'held', until: entry.leaseUntil ?? now }
    const generation = entry.generation + 1
    entries.set(key, { ...entry, state: 'running', generation, owner, claimedAt: now, leaseUntil: until })
    return { kind: 'claimed', generation, jid: entry.jid, resumed: running, failures: entry.failures }
  }

  const write = ({ key, generation, at, change }: ClaimWrite): boolean => {
    const entry = entries.get(key)
    if (entry === undefined || entry.generation !== generation || entry.state !== 'running') return false
    switch (change.kind) {
      case 'end':
        entry.state = change.ending.state
        entry.ending = change.ending
        entry.endedAt = at
        return true
      case 'give-back':
        entry.state = 'planned'
        if (change.failure !== undefined) entry.failures = [...entry.failures, change.failure]
        return true
      case 'jid':
        entry.jid = change.jid
        return true
      case 'renew':
        entry.leaseUntil = change.until
        return true
    }
  }

  const entriesOf = (event: EventId): Entry[] => {
    const reactions = plans.get(event)?.plan.reactions ?? []
    return reactions.flatMap(({ ordinal }) => entries.get(reactionKey(event, ordinal)) ?? [])
  }

  return {
    async storePlans(items, lease) {
      return items.map(({ plan, claims }) => {
        const known = plans.get(plan.event)
        if (known !== undefined) return known
        const before = planned.get(plan.root) ?? 0
        planned.set(plan.root, before + plan.reactions.length)
        plans.set(plan.event, { plan, before })
        return { plan, before, claims: claims.map((request) => claim(request, lease)) }
      })
    },
    async plan(event) {
      return plans.get(event)
    },
    async claim(requests, lease) {
      return requests.map((request) => claim(request, lease))
    },
    async write(writes) {
      return writes.map(write)
    },
    async entries(event): Promise<LedgerEntry[]> {
      return entriesOf(event).map((entry) => ({ ...entry }))
    },
    async openWindows(requests) {
      return requests.map((request) => {
        const holder = holderOf(windows.get(request.key), request)
        windows.set(request.key, holder)
        return holder
      })
    },
    async reopen(event) {
      const again = entriesOf(event).filter(({ ending }) => ending?.redrivable === true)
      for (const { key, generation, jid } of again)
        entries.set(key, { key, generation, jid, state: 'planned', failures: [] })
      return again.length
    },
  }
}
