// Which of the files that match an event may react to it: what the breaker and `once_within` refuse is marked so.
import { createHash } from 'node:crypto'
import type { Event } from '../core/event/event.ts'
import { replayOf } from '../core/event/replay-mark.ts'
import { stampInstant, stampOf } from '../core/event/stamp.ts'
import { groupKey, secondsText } from '../core/sls/entry-conditions.ts'
import { pythonStr } from '../core/value/index.ts'
import type { Engine } from './engine.ts'
import { minionOf, onceRefusal, throttleRefusal } from './limits.ts'
import type { MatchedFile, WindowHolder, WindowRequest } from './ports.ts'

/** Microseconds that the window of a replayed event is remembered beside its own time, which has passed. */
const REPLAYED = 86_400_000_000

/** The files with what refuses them. Asks the ledger only where an entry has `once_within`. */
export function admit(
  engine: Engine,
  event: Event,
  matched: readonly MatchedFile[],
): readonly MatchedFile[] | Promise<readonly MatchedFile[]> {
  const passed = throttled(engine, event, matched)
  if (!passed.some(({ once, refusal }) => once !== undefined && refusal === undefined)) return passed
  return heldBack(engine, event, passed)
}

function throttled(engine: Engine, event: Event, matched: readonly MatchedFile[]): readonly MatchedFile[] {
  const { breaker, clock, options } = engine
  const minion = minionOf(event)
  if (minion === undefined) return matched
  const now = clock.now()
  const trips = new Map(
    [...new Set(matched.map(({ glob }) => glob))].map((glob) => [glob, breaker.count(glob, minion, event.id, now)]),
  )
  return matched.map((file) => {
    const trip = trips.get(file.glob)
    return trip === undefined ? file : { ...file, refusal: throttleRefusal(file.glob, minion, trip, options.limits) }
  })
}

async function heldBack(
  engine: Engine,
  event: Event,
  matched: readonly MatchedFile[],
): Promise<readonly MatchedFile[]> {
  const asked = new Map<string, WindowRequest>()
  const keys = matched.map(({ once, refusal }) => {
    if (once === undefined || refusal !== undefined) return undefined
    const request = requestFor(event, once, engine.clock.now())
    asked.set(request.key, request)
    return request.key
  })
  const holders = new Map(
    await Promise.all(
      [...asked.values()].map(
        async (request): Promise<[string, WindowHolder]> => [request.key, await engine.openWindow(request)],
      ),
    ),
  )
  return matched.map((file, index) => {
    const holder = holders.get(keys[index] ?? '')
    if (file.once === undefined || holder === undefined || holder.event === event.id) return file
    const refusal = onceRefusal(secondsText(file.once.seconds), holder.event, stampOf(holder.at), stampOf(holder.until))
    return { ...file, refusal }
  })
}

/**
 * Windows begin when an event comes to the reactor. A replayed one is measured by the time it first happened, among those
 * of the same replay: it neither opens nor meets a window of events that are new.
 */
function requestFor(event: Event, once: Exclude<MatchedFile['once'], undefined>, now: number): WindowRequest {
  const replay = replayOf(event.data)
  const at = (replay === undefined ? undefined : stampInstant(pythonStr(replay.stamp))) ?? now
  const until = at + once.seconds * 1_000_000
  const parts = [once.entry, groupKey(once.groupBy, event), replay?.run ?? '']
  return {
    key: createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32),
    event: event.id,
    at,
    until,
    keep: replay === undefined ? until : now + REPLAYED,
  }
}
