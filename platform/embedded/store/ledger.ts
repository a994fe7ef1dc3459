// Plans, claims and how they ended.
import type { EventId, Jid } from '../../../core/event/event.ts'
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { Ending, LedgerEntry, Plan } from '../../../reaction/plan.ts'
import type {
  Claim,
  ClaimRequest,
  ClaimWrite,
  Lease,
  Ledger,
  NewPlan,
  StoredPlan,
  WindowHolder,
  WindowRequest,
} from '../../../reaction/ports.ts'
import { holderOf } from '../../../reaction/window.ts'
import type { OpenStore } from './open-store.ts'
import { secondsBefore, sweepStep } from './retention.ts'
import type { Table } from './table.ts'

interface Row {
  readonly state: LedgerEntry['state']
  readonly generation: number
  readonly jid: Jid
  readonly failures: readonly string[]
  /** The boot of the process that claimed it: a lease of another boot is void. */
  readonly boot?: string
  readonly owner?: string
  readonly claimedAt?: number
  readonly leaseUntil?: number
  readonly endedAt?: number
  readonly ending?: Ending
}

interface KeptWindow extends WindowHolder {
  readonly keep: number
}

/**
 * Tables: `plans` event id → `<before>;<reactions>;<record>`; `ledger` `<event id>/<ordinal>` → row; `roots` event id →
 * reactions planned for it, where events derived from it have plans; `ledger_times` [at, event id] → nothing; `windows`
 * key → {event, at, until, keep}; `window_times` [keep, key] → nothing.
 *
 * INVARIANTS
 * - a plan is written once; `before` with it.
 * - an ended reaction is never written again, but by `reopen`.
 * - a reaction is `running` under one generation; of two claims at the same time one is held.
 */
export class EmbeddedLedger implements Ledger {
  readonly #store: OpenStore
  readonly #keepSeconds: number
  readonly #plans: Table
  readonly #rows: Table
  readonly #roots: Table
  readonly #times: Table
  readonly #windows: Table
  readonly #windowTimes: Table

  constructor(store: OpenStore, keepSeconds: number) {
    this.#store = store
    this.#keepSeconds = keepSeconds
    this.#plans = store.table('plans')
    this.#rows = store.table('ledger')
    this.#roots = store.table('roots')
    this.#times = store.table('ledger_times')
    this.#windows = store.table('windows')
    this.#windowTimes = store.table('window_times')
  }

  async storePlans(
    plans: readonly NewPlan[],
    lease: Lease,
  ): Promise<(StoredPlan & { readonly claims?: readonly Claim[] })[]> {
    const texts = plans.map(({ plan }) => encodeRecord(plan))
    return this.#store.commits.write(() =>
      plans.map(({ plan, claims }, index) => {
        const known = this.#plans.get(plan.event)
        if (known !== undefined) return storedPlan(known)
        const before = this.#count(plan)
        this.#plans.put(plan.event, `${before};${plan.reactions.length};${texts[index] ?? ''}`)
        this.#times.put([plan.at, plan.event], '')
        return { plan, before, claims: claims.map((request) => this.#claim(request, lease)) }
      }),
    )
  }

  async plan(event: EventId): Promise<StoredPlan | undefined> {
    const text = this.#plans.get(event)
    return text === undefined ? undefined : storedPlan(text)
  }

  async claim(requests: readonly ClaimRequest[], lease: Lease): Promise<Claim[]> {
    return this.#store.commits.write(() => requests.map((request) => this.#claim(request, lease)))
  }

  async write(writes: readonly ClaimWrite[]): Promise<boolean[]> {
    return this.#store.commits.write(() => writes.map((each) => this.#write(each)))
  }

  async entries(event: EventId): Promise<LedgerEntry[]> {
    return this.#rowsOf(event).map(([key, { boot: _boot, ...row }]) => ({ key, ...row }))
  }

  async openWindows(requests: readonly WindowRequest[]): Promise<WindowHolder[]> {
    return this.#store.commits.write(() => requests.map((request) => this.#openWindow(request)))
  }

  #openWindow(request: WindowRequest): WindowHolder {
    const text = this.#windows.get(request.key)
    const known = text === undefined ? undefined : decodeRecord<KeptWindow>(text)
    const holder = holderOf(known, request)
    if (holder === known) return { event: holder.event, at: holder.at, until: holder.until }
    if (known !== undefined) this.#windowTimes.remove([known.keep, request.key])
    this.#windows.put(request.key, encodeRecord({ ...holder, keep: request.keep } satisfies KeptWindow))
    this.#windowTimes.put([request.keep, request.key], '')
    return holder
  }

  async reopen(event: EventId): Promise<number> {
    return this.#store.commits.write(() => {
      const again = this.#rowsOf(event).filter(([, { ending }]) => ending?.redrivable === true)
      for (const [key, { generation, jid }] of again)
        this.#put(key, { state: 'planned', generation, jid, failures: [] })
      return again.length
    })
  }

  /** Removes plans older than the retention with all that belongs to them, and closed windows, at most one step. */
  async sweep(now: number): Promise<number> {
    const before = secondsBefore(now, this.#keepSeconds)
    return this.#store.commits.write(() => {
      const gone = this.#times.keys({ end: [before, ''], limit: sweepStep })
      for (const key of gone) {
        const event = Array.isArray(key) ? String(key[1]) : ''
        for (const row of this.#rows.keys(rangeOf(event))) this.#rows.remove(row)
        this.#plans.remove(event)
        this.#roots.remove(event)
        this.#times.remove(key)
      }
      const closed = this.#windowTimes.keys({ end: [now, ''], limit: sweepStep - gone.length })
      for (const key of closed) {
        this.#windows.remove(Array.isArray(key) ? String(key[1]) : '')
        this.#windowTimes.remove(key)
      }
      return gone.length + closed.length
    })
  }

  /** Adds the plan's reactions to its root's and answers how many there were. A root's own plan is counted when asked. */
  #count(plan: Plan): number {
    const counted = this.#roots.get(plan.root)
    if (plan.root === plan.event) return Number(counted ?? 0)
    const before = counted === undefined ? this.#reactionsOf(plan.root) : Number(counted)
    this.#roots.put(plan.root, String(before + plan.reactions.length))
    if (counted === undefined) this.#times.put([plan.at, plan.root], '')
    return before
  }

  #reactionsOf(event: EventId): number {
    return Number(this.#plans.get(event)?.split(';', 2)[1] ?? 0)
  }

  #claim({ key, jid }: ClaimRequest, { owner, now, until }: Lease): Claim {
    const row = this.#get(key) ?? { state: 'planned', generation: 0, jid, failures: [] }
    if (row.ending !== undefined) return { kind: 'ended', ending: row.ending }
    const running = row.state === 'running'
    const leaseUntil = row.leaseUntil ?? 0
    if (running && row.boot === this.#store.boot && leaseUntil > now) return { kind: 'held', until: leaseUntil }
    const generation = row.generation + 1
    const { failures } = row
    const { boot } = this.#store
    this.#put(key, {
      state: 'running',
      generation,
      jid: row.jid,
      failures,
      boot,
      owner,
      claimedAt: now,
      leaseUntil: until,
    })
    return { kind: 'claimed', generation, jid: row.jid, resumed: running, failures }
  }

  #write({ key, generation, at, change }: ClaimWrite): boolean {
    const row = this.#get(key)
    if (row === undefined || row.generation !== generation || row.state !== 'running') return false
    switch (change.kind) {
      case 'end':
        this.#put(key, { ...row, state: change.ending.state, ending: change.ending, endedAt: at })
        return true
      case 'give-back': {
        const failures = change.failure === undefined ? row.failures : [...row.failures, change.failure]
        this.#put(key, { ...row, state: 'planned', failures })
        return true
      }
      case 'jid':
        this.#put(key, { ...row, jid: change.jid })
        return true
      case 'renew':
        this.#put(key, { ...row, leaseUntil: change.until })
        return true
    }
  }

  #get(key: string): Row | undefined {
    const text = this.#rows.get(key)
    return text === undefined ? undefined : decodeRecord<Row>(text)
  }

  #put(key: string, row: Row): void {
    this.#rows.put(key, encodeRecord(row))
  }

  #rowsOf(event: EventId): [string, Row][] {
    const rows = [...this.#rows.entries(rangeOf(event))].map(({ key, text }): [string, Row] => [
      String(key),
      decodeRecord<Row>(text),
    ])
    return rows.sort(([a], [b]) => ordinalOf(a) - ordinalOf(b))
  }
}

/** Keys that begin with `<event>/`: `0` follows `/`. */
function rangeOf(event: EventId): { start: string; end: string } {
  return { start: `${event}/`, end: `${event}0` }
}

function ordinalOf(key: string): number {
  return Number(key.slice(key.lastIndexOf('/') + 1))
}

function storedPlan(text: string): StoredPlan {
  const first = text.indexOf(';')
  const second = text.indexOf(';', first + 1)
  return { plan: decodeRecord<Plan>(text, second + 1), before: Number(text.slice(0, first)) }
}
