// Signed jobs on their way to minions.

import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { FetchedEntry, Jid, Mailbox, MailboxEntry, MailboxPage, MinionId } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import type { OpenStore } from './open-store.ts'
import { sweepStep } from './retention.ts'
import type { Table } from './table.ts'

/**
 * Tables: `mailbox` `<minion id>/<jid>` → expiry; `envelopes` jid → {envelope, expiry}, once for all its minions;
 * `mailbox_times` [expiry, minion id, jid] → nothing; `mailbox_fetched` `<minion id>/<jid>` → the journal it went into.
 *
 * INVARIANTS
 * - an entry goes on `settle`, `drop` or at expiry; fetching notes the first journal and changes nothing else.
 * - a note holds at once, and is stored with the next transaction of anybody.
 * - an envelope stays until its expiry, so that no entry is without one.
 */
export class EmbeddedMailbox implements Mailbox {
  readonly #store: OpenStore
  readonly #clock: Pick<Clock, 'now'>
  readonly #entries: Table
  readonly #envelopes: Table
  readonly #times: Table
  readonly #fetched: Table
  /** Notes that wait for a transaction. */
  readonly #notes = new Map<string, string>()
  readonly #waiting = new Map<MinionId, Set<() => void>>()

  constructor(store: OpenStore, clock: Pick<Clock, 'now'>) {
    this.#store = store
    this.#clock = clock
    this.#entries = store.table('mailbox')
    this.#envelopes = store.table('envelopes')
    this.#times = store.table('mailbox_times')
    this.#fetched = store.table('mailbox_fetched')
    store.commits.beforeCommit(() => this.#writeNotes())
  }

  async put(minions: readonly MinionId[], entry: MailboxEntry): Promise<void> {
    const text = encodeRecord(entry)
    await this.#store.commits.write(
      () => {
        if (!this.#envelopes.has(entry.jid)) {
          this.#envelopes.put(entry.jid, text)
          this.#times.put([entry.expiry, '', entry.jid], '')
        }
        for (const minion of minions) this.#putOne(minion, entry)
      },
      () => {
        for (const minion of minions) this.#wake(minion)
      },
    )
  }

  async fetch(
    minion: MinionId,
    now: number,
    journal?: string,
    { after, most = Number.POSITIVE_INFINITY }: MailboxPage = {},
  ): Promise<FetchedEntry[]> {
    const found: FetchedEntry[] = []
    const range = rangeOf(minion)
    const from = after === undefined ? range : { ...range, start: `${minion}/${after}`, after: true }
    for (const { key, text } of this.#entries.entries(from)) {
      if (found.length >= most) break
      if (Number(text) <= now) continue
      const envelope = this.#envelopes.get(jidOf(key))
      if (envelope === undefined) continue
      const before = journal === undefined ? undefined : this.#firstJournal(String(key), journal)
      const entry = decodeRecord<MailboxEntry>(envelope)
      found.push(before === journal ? entry : { ...entry, fetched: true })
    }
    return found
  }

  async settle(minion: MinionId, jid: Jid): Promise<void> {
    const key = `${minion}/${jid}`
    if (!this.#entries.has(key)) return
    await this.#store.commits.write(() => this.#remove(key))
  }

  async drop(minion: MinionId): Promise<void> {
    await this.#store.commits.write(() => {
      for (const key of this.#entries.keys(rangeOf(minion))) this.#remove(String(key))
    })
  }

  async wait(minion: MinionId, signal: AbortSignal, known: ReadonlySet<Jid> = new Set()): Promise<void> {
    if (signal.aborted || this.#hasMore(minion, known)) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done)
        const waiting = this.#waiting.get(minion)
        waiting?.delete(done)
        if (waiting?.size === 0) this.#waiting.delete(minion)
        resolve()
      }
      const waiting = this.#waiting.get(minion) ?? new Set()
      waiting.add(done)
      this.#waiting.set(minion, waiting)
      signal.addEventListener('abort', done, { once: true })
    })
  }

  /** Removes what has expired, at most one step. */
  async sweep(now: number): Promise<number> {
    return this.#store.commits.write(() => {
      const gone = this.#times.keys({ end: [now, ''], limit: sweepStep })
      for (const key of gone) {
        const [, minion, jid] = Array.isArray(key) ? key : []
        if (minion === '') this.#envelopes.remove(String(jid))
        else this.#forget(`${minion}/${jid}`)
        this.#times.remove(key)
      }
      return gone.length
    })
  }

  #hasMore(minion: MinionId, known: ReadonlySet<Jid>): boolean {
    const now = this.#clock.now()
    for (const { key, text } of this.#entries.entries(rangeOf(minion)))
      if (Number(text) > now && !known.has(jidOf(key))) return true
    return false
  }

  #putOne(minion: MinionId, { jid, expiry }: MailboxEntry): void {
    const key = `${minion}/${jid}`
    if (this.#entries.has(key)) return
    this.#entries.put(key, String(expiry))
    this.#times.put([expiry, minion, jid], '')
  }

  #remove(key: string): void {
    const expiry = this.#entries.get(key)
    if (expiry === undefined) return
    this.#forget(key)
    const jid = jidOf(key)
    this.#times.remove([Number(expiry), key.slice(0, -jid.length - 1), jid])
  }

  #forget(key: string): void {
    this.#entries.remove(key)
    this.#notes.delete(key)
    this.#fetched.remove(key)
  }

  /** The journal that an entry first went into: this one, where it is the first. */
  #firstJournal(key: string, journal: string): string {
    const known = this.#notes.get(key) ?? this.#fetched.get(key)
    if (known === undefined) this.#notes.set(key, journal)
    return known ?? journal
  }

  /** Inside a transaction. */
  #writeNotes(): void {
    for (const [key, journal] of this.#notes) if (this.#entries.has(key)) this.#fetched.put(key, journal)
    this.#notes.clear()
  }

  #wake(minion: MinionId): void {
    for (const done of [...(this.#waiting.get(minion) ?? [])]) done()
  }
}

function rangeOf(minion: MinionId): { start: string; end: string } {
  return { start: `${minion}/`, end: `${minion}0` }
}

function jidOf(key: unknown): Jid {
  const text = String(key)
  return text.slice(text.lastIndexOf('/') + 1)
}
