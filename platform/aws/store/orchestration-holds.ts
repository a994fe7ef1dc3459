// What orchestrations wait for between two turns, and with which token: found by the jid of a job, or by an event's tag.
import type { Jid, Tag } from '../../../core/event/event.ts'
import { matchTag } from '../../../core/event/tag-glob.ts'
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import { type Awaited, endedJid } from '../../../master/orchestrate/awaited.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { awaitedKey, hearingKey, hearingPartition, holdKey, holdPartition } from '../layout/index.ts'
import { type Attributes, type Dynamo, isAbsent, keyItem, n, numberIn, s } from './dynamo.ts'
import { inParallel } from './parallel.ts'
import { endsAt } from './records.ts'

/** How an orchestration stood after its last turn. */
export interface Hold {
  /** How much has happened to it; counted, so that a turn knows what it has seen of it. */
  readonly news: number
  readonly awaited: Awaited
  /** When its next turn is taken at the latest; microseconds, 0 before the first. */
  readonly wakeAt: number
  /** Which of its executions took the turn; 0 before the first. */
  readonly part: number
}

/** Microseconds for which a job is known to be waited for: late returns are not news of what has ended. */
const KEPT = 7 * 24 * 3_600_000_000

const nothing: Awaited = { jids: [], events: [] }

/**
 * Table State: `orchestration-hold` jid → {news, token, awaited, wake, part}; `awaited#<jid of a job or run>` → orchestration;
 * `orchestration-hears` jid → globs. The token is written by the state machine.
 *
 * INVARIANTS
 * - what is awaited is found by whoever appends to the log from before the turn that waits for it looks a last time.
 * - news are counted before the token is used: a token that is not held yet is not held any more.
 */
export class DynamoHolds {
  readonly #dynamo: Dynamo
  readonly #clock: Pick<Clock, 'now'>

  constructor(dynamo: Dynamo, clock: Pick<Clock, 'now'>) {
    this.#dynamo = dynamo
    this.#clock = clock
  }

  /** How it stands; undefined where no turn was taken yet, or it has ended. */
  async get(jid: Jid): Promise<Hold | undefined> {
    const item = await this.#dynamo.get('State', holdKey(jid))
    return item === undefined ? undefined : holdOf(item)
  }

  /** The same, made where there is none. */
  async open(jid: Jid): Promise<Hold> {
    const there = await this.get(jid)
    if (there !== undefined) return there
    const { done } = await this.#dynamo.put('State', { ...keyItem(holdKey(jid)), news: n(0) }, isAbsent)
    return done ? { news: 0, awaited: nothing, wakeAt: 0, part: 0 } : this.open(jid)
  }

  /** Notes what a turn waits for. Answers whether any of it is new: then it may have come before it was noted. */
  async wait(jid: Jid, before: Hold, now: Omit<Hold, 'news'>): Promise<boolean> {
    const { awaited, wakeAt, part } = now
    const fresh = awaited.jids.filter((each) => !before.awaited.jids.includes(each))
    const isOther = awaited.events.join('\n') !== before.awaited.events.join('\n')
    const end = endsAt(this.#clock.now() + KEPT)
    const jids = fresh.map((each) => ({ ...keyItem(awaitedKey(each)), orchestration: s(jid), ...end }))
    const hears = { ...keyItem(hearingKey(jid)), globs: s(encodeRecord({ events: awaited.events })) }
    const isHearing = awaited.events.length > 0
    await this.#dynamo.writeMany(
      'State',
      [...jids, ...(isOther && isHearing ? [hears] : [])],
      isOther && !isHearing ? [hearingKey(jid)] : [],
    )
    const set = {
      text: 'SET awaited = :awaited, wake = :wake, #part = :part',
      names: { '#part': 'part' },
      values: { ':awaited': s(encodeRecord(awaited)), ':wake': n(Math.round(wakeAt)), ':part': n(part) },
    }
    await this.#dynamo.update('State', holdKey(jid), set, 'attribute_exists(pk)')
    return fresh.length > 0 || (isOther && isHearing)
  }

  /** It has ended. */
  async close(jid: Jid): Promise<void> {
    await this.#dynamo.writeMany('State', [], [holdKey(jid), hearingKey(jid)])
  }

  /** Counts news of one; answers the token that is held for it, if any. One that has ended has no news. */
  async news(jid: Jid): Promise<string | undefined> {
    const set = { text: 'SET news = news + :one', values: { ':one': n(1) } }
    const { done, old } = await this.#dynamo.update('State', holdKey(jid), set, 'attribute_exists(pk)')
    return done ? old?.token?.S : undefined
  }

  /** The orchestrations that may wait for events with these tags. */
  async concerned(tags: readonly Tag[]): Promise<Jid[]> {
    if (tags.length === 0) return []
    const jids = [...new Set(tags.flatMap((tag) => endedJid(tag) ?? []))]
    const [awaiting, hearing] = await Promise.all([
      jids.length === 0 ? [] : this.#dynamo.getMany('State', jids.map(awaitedKey)),
      this.#dynamo.all('State', hearingPartition),
    ])
    const found = new Set(awaiting.map(({ orchestration }) => orchestration?.S ?? ''))
    for (const { sk, globs } of hearing) {
      const { events } = decodeRecord<Pick<Awaited, 'events'>>(globs?.S ?? '')
      if (events.some((glob) => tags.some((tag) => matchTag(glob, tag)))) found.add(sk?.S ?? '')
    }
    return [...found]
  }

  /** Every one that is not closed, by its jid. */
  async all(): Promise<ReadonlyMap<Jid, Hold>> {
    const items = await this.#dynamo.all('State', holdPartition)
    return new Map(await inParallel(items, async (item) => [item.sk?.S ?? '', holdOf(item)] as const))
  }
}

function holdOf(item: Attributes): Hold {
  const awaited = item.awaited?.S
  return {
    news: numberIn(item, 'news') ?? 0,
    awaited: awaited === undefined ? nothing : decodeRecord<Awaited>(awaited),
    wakeAt: numberIn(item, 'wake') ?? 0,
    part: numberIn(item, 'part') ?? 0,
  }
}
