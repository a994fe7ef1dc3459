// Signed jobs on their way to minions.
import type { FetchedEntry, Jid, Mailbox, MailboxEntry, MailboxPage, MinionId } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { envelopeKey, mailboxPartition } from '../layout/index.ts'
import { type Attributes, type Dynamo, isAbsent, keyItem, n, numberIn, s } from './dynamo.ts'
import { inParallel, Remembered } from './parallel.ts'
import { endsAt, type Records } from './records.ts'

const REMEMBERED = 500
/** Milliseconds between two looks of one who waits: the first, and the longest. */
const FIRST_LOOK = 200
const LONGEST_LOOK = 2000

/**
 * Table Jobs: `mailbox#<minion id>` jid → expiry, and the journal it was fetched into; `envelope#<jid>` → {envelope, expiry}, once for all its minions.
 *
 * INVARIANTS
 * - an entry goes on `settle`, `drop` or at expiry; fetching notes the first journal and changes nothing else.
 * - an envelope is stored before its entries and never changes, which lets a process remember it.
 */
export class DynamoMailbox implements Mailbox {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #clock: Pick<Clock, 'now'>
  readonly #envelopes = new Remembered<Jid, MailboxEntry>(REMEMBERED)
  readonly #waiting = new Map<MinionId, Set<() => void>>()

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>) {
    this.#dynamo = dynamo
    this.#records = records
    this.#clock = clock
  }

  async put(minions: readonly MinionId[], entry: MailboxEntry): Promise<void> {
    await this.putEnvelope(entry)
    await this.putEntries(minions, entry)
  }

  /** Stores the signed job alone; whoever does so puts the entries later. */
  async putEnvelope(entry: MailboxEntry): Promise<void> {
    const { jid, expiry } = entry
    const item = { ...keyItem(envelopeKey(jid)), ...(await this.#records.pack(entry)), ...endsAt(expiry) }
    await this.#dynamo.put('Jobs', item, isAbsent)
  }

  /** Puts the entries of a job whose envelope is stored. */
  async putEntries(minions: readonly MinionId[], { jid, expiry }: Pick<MailboxEntry, 'jid' | 'expiry'>): Promise<void> {
    const items = [...new Set(minions)].map((id) => ({
      ...keyItem({ pk: mailboxPartition(id), sk: jid }),
      expiry: n(expiry),
      ...endsAt(expiry),
    }))
    await this.#dynamo.writeMany('Jobs', items)
    for (const minion of minions) for (const look of [...(this.#waiting.get(minion) ?? [])]) look()
  }

  async fetch(
    minion: MinionId,
    now: number,
    journal?: string,
    { after = '', most }: MailboxPage = {},
  ): Promise<FetchedEntry[]> {
    const open = (await this.#dynamo.all('Jobs', mailboxPartition(minion)))
      .filter((item) => isOpen(item, now) && (item.sk?.S ?? '') > after)
      .slice(0, most)
    const jids = open.map(({ sk }) => sk?.S ?? '')
    const journals = await inParallel(open, (item) => this.#firstJournal(minion, item, journal))
    const unknown = jids.filter((jid) => this.#envelopes.get(jid) === undefined)
    const found = new Map<Jid, MailboxEntry>()
    for (const item of await this.#dynamo.getMany('Jobs', unknown.map(envelopeKey))) {
      const entry = await this.#records.unpack<MailboxEntry>(item)
      found.set(entry.jid, entry)
      this.#envelopes.set(entry.jid, entry)
    }
    return jids.flatMap((jid, index) => {
      const entry = found.get(jid) ?? this.#envelopes.get(jid)
      if (entry === undefined) return []
      return [journals[index] === journal ? entry : { ...entry, fetched: true }]
    })
  }

  /** The journal that an entry first went into: this one, where it is the first. One that is settled meanwhile is not made again. */
  async #firstJournal(minion: MinionId, item: Attributes, journal: string | undefined): Promise<string | undefined> {
    if (journal === undefined || item.journal?.S !== undefined)
      return journal === undefined ? undefined : item.journal?.S
    const key = { pk: mailboxPartition(minion), sk: item.sk?.S ?? '' }
    const set = { text: 'SET journal = if_not_exists(journal, :journal)', values: { ':journal': s(journal) } }
    const { old } = await this.#dynamo.update('Jobs', key, set, 'attribute_exists(pk)')
    return old?.journal?.S ?? journal
  }

  async settle(minion: MinionId, jid: Jid): Promise<void> {
    await this.#dynamo.delete('Jobs', { pk: mailboxPartition(minion), sk: jid })
  }

  async drop(minion: MinionId): Promise<void> {
    const pk = mailboxPartition(minion)
    const entries = await this.#dynamo.all('Jobs', pk)
    await this.#dynamo.writeMany(
      'Jobs',
      [],
      entries.map(({ sk }) => ({ pk, sk: sk?.S ?? '' })),
    )
  }

  /** Looks again and again, less and less often: the bell is a socket's, this is for a minion without one. */
  async wait(minion: MinionId, signal: AbortSignal, known: ReadonlySet<Jid> = new Set()): Promise<void> {
    for (let pause = FIRST_LOOK; !signal.aborted; pause = Math.min(pause * 2, LONGEST_LOOK)) {
      const entries = await this.#dynamo.all('Jobs', mailboxPartition(minion))
      const now = this.#clock.now()
      if (entries.some((item) => isOpen(item, now) && !known.has(item.sk?.S ?? ''))) return
      await this.#pause(minion, pause, signal)
    }
  }

  /** So many milliseconds, less where this process puts something or the signal ends. */
  #pause(minion: MinionId, milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const looks = this.#waiting.get(minion) ?? new Set()
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        looks.delete(done)
        if (looks.size === 0 && this.#waiting.get(minion) === looks) this.#waiting.delete(minion)
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      looks.add(done)
      this.#waiting.set(minion, looks)
      signal.addEventListener('abort', done, { once: true })
      if (signal.aborted) done()
    })
  }
}

function isOpen(item: Attributes, now: number): boolean {
  return (numberIn(item, 'expiry') ?? 0) > now
}
