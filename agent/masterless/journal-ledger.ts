// The ledger of a minion without a master: every write in a journal on disk, from which the same state comes again.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Event, EventId } from '../../core/event/event.ts'
import { decodeRecord, encodeRecord } from '../../core/value/record-text.ts'
import { createMemoryLedger, emptyLedgerMemory, type Ledger, type LedgerMemory } from '../../reaction/index.ts'
import { reactionKey } from '../../reaction/plan.ts'
import { readIfThere } from '../filesystem/read.ts'
import { AppendFile } from '../journal/append-file.ts'
import { decodeFrames, encodeFrame } from '../journal/frame.ts'

/** How much is kept, and by whom. */
export interface LedgerLimits {
  /** Bytes from which the file is written anew without what is over. @default 4 MiB */
  readonly maxBytes?: number
  /** Microseconds that a plan whose reactions have all ended is kept. @default a day */
  readonly keep?: number
  /** A lease of another owner is one of an earlier start, and void. @default true */
  readonly oneProcess?: boolean
}

type Method = 'storePlans' | 'claim' | 'write' | 'openWindows' | 'reopen'

/** A write as it stands in the file: repeated in its order, it has the same outcome again. */
interface Operation {
  readonly method: Method
  readonly args: readonly unknown[]
}

/** A ledger that outlives the process, and the events that still have reactions to run. */
export interface JournalLedger {
  readonly ledger: Ledger
  /** Keeps an event for its reactions until they have all ended. On disk when it resolves. */
  keep(event: Event): Promise<void>
  /** Events that were kept, and not all of whose reactions have ended. */
  unfinished(): Promise<Event[]>
  close(): Promise<void>
}

/** Opens the ledger at a path, or makes one. What a crash cut off at the end is left out. `now` is in microseconds since 1970. */
export async function openJournalLedger(
  path: string,
  now: () => number,
  limits: LedgerLimits = {},
): Promise<JournalLedger> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const { maxBytes = 4 * 1024 * 1024, keep = 86_400_000_000 } = limits
  const { frames, length } = decodeFrames((await readIfThere(path)) ?? Buffer.alloc(0))
  const memory = emptyLedgerMemory()
  const inner = createMemoryLedger(memory, { oneProcess: limits.oneProcess ?? true })
  const events = new Map<EventId, Event>()
  for (const { kind, text } of frames) {
    if (kind === 'E') takeEvent(events, decodeRecord<Event>(text))
    else if (kind === 'S') takeSnapshot(memory, events, decodeRecord<Snapshot>(text))
    else await perform(inner, decodeRecord<Operation>(text))
  }
  const file = await AppendFile.open(path, length)
  let compacting: Promise<void> | undefined

  const compact = async (): Promise<void> => {
    forgetOver(memory, events, now() - keep)
    await file.replace(() => frame('S', snapshotOf(memory, events)))
  }
  const append = async (kind: 'E' | 'O', record: object): Promise<void> => {
    await compacting
    await file.append(frame(kind, record))
    if (file.length <= maxBytes || compacting !== undefined) return
    compacting = compact().finally(() => {
      compacting = undefined
    })
    await compacting
  }
  // The memory is changed with the write to the file under way, in one order; the answer waits until that is done.
  const recorded =
    <M extends Method>(method: M) =>
    async (...args: Parameters<Ledger[M]>): Promise<Awaited<ReturnType<Ledger[M]>>> => {
      const outcome = perform(inner, { method, args }) as Promise<Awaited<ReturnType<Ledger[M]>>>
      await append('O', { method, args })
      return outcome
    }
  return {
    ledger: {
      ...inner,
      storePlans: recorded('storePlans'),
      claim: recorded('claim'),
      write: recorded('write'),
      openWindows: recorded('openWindows'),
      reopen: recorded('reopen'),
    },
    async keep(event) {
      takeEvent(events, event)
      await append('E', event)
    },
    async unfinished() {
      const open = [...events.values()].filter(({ id }) => !isOver(memory, id))
      return open
    },
    async close() {
      await compacting
      await file.close()
    },
  }
}

interface Snapshot {
  readonly maps: Readonly<Record<string, readonly (readonly [string, unknown])[]>>
  readonly events: readonly Event[]
}

function frame(kind: string, record: object): Buffer {
  return encodeFrame({ kind, id: '-', text: encodeRecord(record) })
}

function perform(ledger: Ledger, { method, args }: Operation): Promise<unknown> {
  const run = ledger[method] as (...all: readonly unknown[]) => Promise<unknown>
  return run(...args)
}

function takeEvent(events: Map<EventId, Event>, event: Event): void {
  events.set(event.id, event)
}

function snapshotOf(memory: LedgerMemory, events: Map<EventId, Event>): Snapshot {
  const maps = Object.entries(memory as unknown as Record<string, Map<string, unknown>>)
  return { maps: Object.fromEntries(maps.map(([name, map]) => [name, [...map]])), events: [...events.values()] }
}

function takeSnapshot(memory: LedgerMemory, events: Map<EventId, Event>, snapshot: Snapshot): void {
  const maps = memory as unknown as Record<string, Map<string, unknown>>
  for (const [name, pairs] of Object.entries(snapshot.maps))
    for (const [key, value] of pairs) maps[name]?.set(key, value)
  for (const event of snapshot.events) takeEvent(events, event)
}

/** True where the event has a plan, and all of its reactions have ended. */
function isOver(memory: LedgerMemory, event: EventId): boolean {
  const stored = memory.plans.get(event)
  if (stored === undefined) return false
  return stored.plan.reactions.every(
    ({ ordinal }) => memory.entries.get(reactionKey(event, ordinal))?.ending !== undefined,
  )
}

function forgetOver(memory: LedgerMemory, events: Map<EventId, Event>, before: number): void {
  for (const [event, { plan }] of memory.plans) {
    if (plan.at >= before || !isOver(memory, event)) continue
    for (const { ordinal } of plan.reactions) memory.entries.delete(reactionKey(event, ordinal))
    memory.plans.delete(event)
    memory.planned.delete(event)
    events.delete(event)
  }
  for (const event of events.keys()) if (isOver(memory, event)) events.delete(event)
}
