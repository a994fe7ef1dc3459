// The agent's memory on disk: what must still be sent, and which jobs it has met.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf } from '../../core/error.ts'
import type { EventId, Jid, Tag } from '../../core/event/event.ts'
import type { Return } from '../../core/protocol/minion.ts'
import { type Mapping, stringifyJson, type Value } from '../../core/value/index.ts'
import { readIfThere } from '../filesystem/read.ts'
import type { Outside } from '../outside.ts'
import { AppendFile } from './append-file.ts'
import { encodeFrame, type Frame } from './frame.ts'
import { type OutgoingBatch, type OutgoingItem, OutgoingQueue } from './outgoing.ts'
import { type JobEntry, type Recovered, recover } from './recover.ts'
import { createUlids } from './ulid.ts'

export type { JobEntry } from './recover.ts'

/** How much the journal may hold. */
export interface JournalLimits {
  /** Bytes of what waits to be sent; returns may take half as much again. @default 16 MiB */
  readonly maxBytes?: number
  /** Seconds an event waits at most. @default 7 days */
  readonly maxAge?: number
}

/** An event to send. `beacon` ones are dropped first when there is no room. */
export interface NewEvent {
  readonly tag: Tag
  readonly data: Mapping
  readonly beacon?: boolean
}

/** How many items of each kind were dropped, and why the last one was. */
export interface Dropped {
  readonly beacon: number
  readonly event: number
  readonly return: number
  readonly reason: string
}

/** A return before it has its id. */
export type NewReturn = Omit<Return, 'id'>

/**
 * Promises: what `addEvent` kept, what `addReturn` took and what `startJob` started is on disk when the promise
 * resolves, in the order of the calls; a file cut at any byte gives its longest whole prefix again; a jid is started
 * once until an hour after its expiry; an item leaves by `settle` or, counted, by being dropped (too old, no room).
 */
export class Journal {
  /** Names this very journal: another one knows nothing of the jobs this one has met. */
  readonly id: string
  /** Jobs that had started and not returned when the file was last written. */
  readonly unfinished: readonly JobEntry[]
  readonly #file: AppendFile
  readonly #outside: Outside
  readonly #ulid: () => EventId
  readonly #queue: OutgoingQueue
  readonly #jobs: Map<Jid, JobEntry>
  readonly #listeners = new Set<() => void>()
  #compacting: Promise<void> | undefined

  private constructor(id: string, file: AppendFile, outside: Outside, queue: OutgoingQueue, found: Recovered) {
    this.id = id
    this.#file = file
    this.#outside = outside
    this.#ulid = createUlids(outside)
    this.#queue = queue
    this.#jobs = found.jobs
    this.unfinished = found.interrupted
  }

  /** Opens the journal, or makes one. */
  static async open(path: string, outside: Outside, limits: JournalLimits = {}): Promise<Journal> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const found = recover((await readIfThere(path)) ?? Buffer.alloc(0))
    const queue = new OutgoingQueue(limits, found.items)
    const file = await AppendFile.open(path, found.length)
    const id = found.id ?? createUlids(outside)()
    const journal = new Journal(id, file, outside, queue, found)
    if (found.id === undefined) await file.append(encodeFrame({ kind: 'H', id, text: '{"version":1}' }))
    if (found.damaged > 0) {
      outside.log.warn(
        `The last ${found.damaged} bytes of the journal ${path} were cut off or damaged and are left out.`,
      )
    }
    return journal
  }

  /** Called whenever there is something new to send. */
  onAdded(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Keeps an event for sending; undefined where there was no room for it, or the disk took it not. */
  async addEvent(event: NewEvent): Promise<EventId | undefined> {
    const id = this.#ulid()
    const text = stringifyJson({ id, tag: event.tag, data: event.data }, { ascii: false, separators: [',', ':'] })
    const item: OutgoingItem = { kind: event.beacon === true ? 'beacon' : 'event', id, text }
    this.#forget(this.#queue.expire(Math.floor(this.#outside.now() / 1000)))
    const room = this.#queue.makeRoom(item)
    this.#forget(room.dropped)
    if (!room.fits) return undefined
    try {
      await this.#file.append(encodeFrame({ kind: event.beacon === true ? 'B' : 'E', id, text }))
    } catch (error) {
      this.#queue.countDropped(item, messageOf(error))
      this.#outside.log.error(`The journal took an event not (${messageOf(error)}): ${event.tag} is dropped.`)
      return undefined
    }
    this.#queue.add(item)
    this.#notify()
    return id
  }

  /**
   * Keeps a return for sending and ends its job. On a full disk it is kept in memory and sent all the same; a value for
   * which there is no room at all is replaced by a sentence that says so. `soon` does not wait for the disk.
   */
  async addReturn(ret: NewReturn, durable: 'durable' | 'soon' = 'durable'): Promise<void> {
    const id = this.#ulid()
    const whole = { ...ret, id } as Return
    const item = this.#queue.fitReturn({ kind: 'return', id, text: returnText(whole), jid: ret.jid }, (reason) =>
      returnText({ ...whole, return: reason, success: false, retcode: 1 }),
    )
    try {
      await this.#write(encodeFrame({ kind: 'R', id, text: item.text }), durable)
    } catch (error) {
      this.#outside.log.error(
        `The journal took the return of job ${ret.jid} not (${messageOf(error)}): it is sent from memory.`,
      )
    }
    const job = this.#jobs.get(ret.jid)
    if (job !== undefined) this.#jobs.set(ret.jid, { ...job, state: 'done' })
    this.#queue.add(item)
    this.#notify()
  }

  /**
   * `seen` where this jid was started before; else the start is on disk when it resolves, or, with `soon`, some time
   * later: for jobs that change nothing, which may as well run again. Rejects on a full disk.
   */
  async startJob(
    jid: Jid,
    expiry: number,
    data: Mapping,
    durable: 'durable' | 'soon' = 'durable',
  ): Promise<'started' | 'seen'> {
    if (this.#jobs.has(jid)) return 'seen'
    const entry: JobEntry = { jid, expiry, state: 'started', data }
    this.#jobs.set(jid, entry)
    try {
      await this.#write(jobFrame(entry), durable)
    } catch (error) {
      this.#jobs.delete(jid)
      throw error
    }
    return 'started'
  }

  /** How far a jid has come here; undefined where it was never met or is long over. */
  jobState(jid: Jid): JobEntry['state'] | undefined {
    return this.#jobs.get(jid)?.state
  }

  /** Jids that the master may still offer although they were taken, newest last. */
  metJids(limit: number): Jid[] {
    return [...this.#jobs.keys()].slice(-limit)
  }

  /** The oldest items of one kind, in order; undefined where nothing waits. */
  next(): OutgoingBatch | undefined {
    return this.#queue.next()
  }

  /** Items that wait to be sent. */
  get waiting(): number {
    return this.#queue.size
  }

  /** Releases what the master took, or what it will never take. */
  settle(ids: readonly EventId[]): void {
    this.#forget(this.#queue.remove(ids))
  }

  /** Takes the oldest return's place by another text (its value was too large for the master). */
  replaceReturn(id: EventId, change: (ret: Return) => Return): void {
    this.#queue.replace(id, change)
  }

  /** What was dropped since the last call; undefined where nothing was. */
  takeDropped(): Dropped | undefined {
    return this.#queue.takeDropped()
  }

  async close(): Promise<void> {
    await this.#compacting
    await this.#file.close()
  }

  /** Writes everything anew without what is over, where that saves much. Jids stay until an hour after their expiry. */
  async compact(): Promise<void> {
    this.#compacting ??= this.#rewrite().finally(() => {
      this.#compacting = undefined
    })
    await this.#compacting
  }

  async #rewrite(): Promise<void> {
    const now = this.#outside.now() / 1_000_000
    for (const { jid, expiry, state } of this.#jobs.values()) {
      if (state === 'done' && expiry + 3600 < now) this.#jobs.delete(jid)
    }
    try {
      await this.#file.replace(() => {
        const frames: Frame[] = [{ kind: 'H', id: this.id, text: '{"version":1}' }]
        const jobs = [...this.#jobs.values()].map(jobFrame)
        const items = this.#queue.all().map(itemFrame)
        return Buffer.concat([...frames.map(encodeFrame), ...jobs, ...items])
      })
    } catch (error) {
      this.#outside.log.warn(`The journal could not be compacted: ${messageOf(error)}`)
    }
  }

  async #write(bytes: Buffer, durable: 'durable' | 'soon'): Promise<void> {
    if (durable === 'durable') await this.#file.append(bytes)
    else this.#file.appendLater(bytes)
  }

  #forget(items: readonly OutgoingItem[]): void {
    if (items.length === 0) return
    for (let at = 0; at < items.length; at += 100) {
      const ids = items.slice(at, at + 100).map(({ id }) => id)
      this.#file.appendLater(encodeFrame({ kind: 'D', id: ids.join(','), text: '' }))
    }
    if (this.#file.length > 1_000_000 && this.#file.length > 4 * this.#queue.bytes) void this.compact()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

function jobFrame(entry: JobEntry): Buffer {
  const { jid, expiry, state, data } = entry
  const value: Mapping = state === 'done' ? { expiry, done: true } : { expiry, data }
  return encodeFrame({ kind: 'J', id: jid, text: stringifyJson(value, { separators: [',', ':'] }) })
}

function itemFrame(item: OutgoingItem): Buffer {
  const kind = item.kind === 'return' ? 'R' : item.kind === 'beacon' ? 'B' : 'E'
  return encodeFrame({ kind, id: item.id, text: item.text })
}

function returnText(ret: Return): string {
  return stringifyJson(ret as unknown as Value, { ascii: false, separators: [',', ':'] })
}
