// What waits to be sent, in its order, within its bounds.
import type { EventId, Jid } from '../../core/event/event.ts'
import type { Return } from '../../core/protocol/minion.ts'
import { parseJson, stringifyJson, type Value } from '../../core/value/index.ts'
import type { Dropped, JournalLimits } from './journal.ts'
import { timeOfUlid } from './ulid.ts'

/** An event or a return as the text the master gets. */
export interface OutgoingItem {
  readonly kind: 'beacon' | 'event' | 'return'
  readonly id: EventId
  readonly text: string
  readonly jid?: Jid
}

/** Neighbours of one kind that can go in one request. */
export interface OutgoingBatch {
  readonly kind: 'events' | 'returns'
  readonly items: readonly OutgoingItem[]
}

const maxItems = { events: 500, returns: 100 }
const maxBatchBytes = 900_000

/** Order is that of adding. Events are refused and beacons dropped past `maxBytes`; returns may go half as far again. */
export class OutgoingQueue {
  readonly #items = new Map<EventId, OutgoingItem>()
  readonly #maxBytes: number
  readonly #maxAge: number
  #bytes = 0
  #dropped = { beacon: 0, event: 0, return: 0, reason: '' }

  constructor(limits: JournalLimits, items: Iterable<OutgoingItem>) {
    this.#maxBytes = limits.maxBytes ?? 16 * 1024 * 1024
    this.#maxAge = limits.maxAge ?? 7 * 86_400
    for (const item of items) this.add(item)
  }

  get size(): number {
    return this.#items.size
  }

  get bytes(): number {
    return this.#bytes
  }

  all(): OutgoingItem[] {
    return [...this.#items.values()]
  }

  add(item: OutgoingItem): void {
    this.#items.set(item.id, item)
    this.#bytes += item.text.length
  }

  remove(ids: readonly EventId[]): OutgoingItem[] {
    const removed: OutgoingItem[] = []
    for (const id of ids) {
      const item = this.#items.get(id)
      if (item === undefined) continue
      this.#items.delete(id)
      this.#bytes -= item.text.length
      removed.push(item)
    }
    return removed
  }

  /** Drops beacons, oldest first, until the item fits; events are never dropped for another. */
  makeRoom(item: OutgoingItem): { readonly fits: boolean; readonly dropped: OutgoingItem[] } {
    const dropped: OutgoingItem[] = []
    if (this.#bytes + item.text.length > this.#maxBytes) {
      for (const old of this.#items.values()) {
        if (old.kind !== 'beacon') continue
        dropped.push(old)
        this.#items.delete(old.id)
        this.#bytes -= old.text.length
        this.countDropped(old, 'the journal is full')
        if (this.#bytes + item.text.length <= this.#maxBytes) break
      }
    }
    const fits = this.#bytes + item.text.length <= this.#maxBytes
    if (!fits) this.countDropped(item, 'the journal is full')
    return { fits, dropped }
  }

  /** The return, or its substitute where even the returns' reserve has no room for it. */
  fitReturn(item: OutgoingItem, shorten: (reason: string) => string): OutgoingItem {
    if (this.#bytes + item.text.length <= this.#maxBytes * 1.5) return item
    this.countDropped(item, 'the journal is full')
    const most = `${Math.floor(this.#maxBytes * 1.5)} bytes of returns that wait, ${this.#bytes} of them taken`
    const reason = `What the function returned (${item.text.length} bytes) was dropped: the minion's journal holds ${most}. Write such output to a file.`
    return { ...item, text: shorten(reason) }
  }

  /** Drops events that have waited too long. Returns stay. */
  expire(nowMs: number): OutgoingItem[] {
    const dropped: OutgoingItem[] = []
    for (const item of this.#items.values()) {
      if (timeOfUlid(item.id) + this.#maxAge * 1000 >= nowMs) break
      if (item.kind !== 'return') dropped.push(item)
    }
    for (const item of dropped) this.countDropped(item, 'it waited too long for the master')
    return this.remove(dropped.map(({ id }) => id))
  }

  next(): OutgoingBatch | undefined {
    const items: OutgoingItem[] = []
    let kind: OutgoingBatch['kind'] | undefined
    let bytes = 0
    for (const item of this.#items.values()) {
      const itemKind = item.kind === 'return' ? 'returns' : 'events'
      kind ??= itemKind
      if (kind !== itemKind || items.length >= maxItems[kind]) break
      if (items.length > 0 && bytes + item.text.length > maxBatchBytes) break
      items.push(item)
      bytes += item.text.length
    }
    return kind === undefined ? undefined : { kind, items }
  }

  replace(id: EventId, change: (ret: Return) => Return): void {
    const item = this.#items.get(id)
    if (item?.kind !== 'return') return
    const ret = change(parseJson(item.text) as unknown as Return)
    const text = stringifyJson(ret as unknown as Value, { ascii: false, separators: [',', ':'] })
    this.#bytes += text.length - item.text.length
    this.#items.set(id, { ...item, text })
  }

  countDropped(item: Pick<OutgoingItem, 'kind'>, reason: string): void {
    this.#dropped[item.kind]++
    this.#dropped.reason = reason
  }

  takeDropped(): Dropped | undefined {
    const dropped = this.#dropped
    if (dropped.reason === '') return undefined
    this.#dropped = { beacon: 0, event: 0, return: 0, reason: '' }
    return dropped
  }
}
