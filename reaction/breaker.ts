// The breaker of an entry and a minion: above so many reactions a minute it opens, and closes by itself.
import type { EventId, MinionId } from '../core/event/event.ts'

/** An open breaker, microseconds since 1970. */
export interface Trip {
  readonly at: number
  readonly until: number
}

/** Counts reactions and says which are too many. In memory: each process counts its own, and begins anew. */
export interface Breaker {
  /** Counts a reaction of the entry to an event of the minion; answers the trip where the breaker is open. The same event is counted once. */
  count(entry: string, minion: MinionId, event: EventId, now: number): Trip | undefined
}

const MINUTE = 60_000_000
const SECOND = 1_000_000
/** Breakers looked after at most; the one whose last event lies furthest back goes first. */
const MOST = 10_000

interface State {
  /** Reactions by second, oldest first. */
  readonly seconds: { readonly second: number; count: number }[]
  total: number
  last: EventId | undefined
  trip: Trip | undefined
}

/** `perMinute` reactions pass in any 60 s; one more opens the breaker for a minute. 0 for no breaker. */
export function createBreaker(perMinute: number): Breaker {
  const states = new Map<string, State>()
  return {
    count(entry, minion, event, now) {
      if (perMinute === 0) return undefined
      const key = `${entry}\n${minion}`
      const state = states.get(key) ?? { seconds: [], total: 0, last: undefined, trip: undefined }
      // The map's order is that of their last events.
      states.delete(key)
      states.set(key, state)
      if (states.size > MOST) {
        const [first = key] = states.keys()
        states.delete(first)
      }
      if (state.trip !== undefined && now < state.trip.until) return state.trip
      if (state.trip !== undefined) {
        state.trip = undefined
        state.seconds.length = 0
        state.total = 0
      }
      if (state.last === event) return undefined
      state.last = event
      forgetOld(state, now)
      if (state.total >= perMinute) {
        state.trip = { at: now, until: now + MINUTE }
        return state.trip
      }
      const second = Math.floor(now / SECOND)
      const newest = state.seconds.at(-1)
      if (newest?.second === second) newest.count++
      else state.seconds.push({ second, count: 1 })
      state.total++
      return undefined
    },
  }
}

function forgetOld(state: State, now: number): void {
  const since = Math.floor((now - MINUTE) / SECOND)
  for (let first = state.seconds[0]; first !== undefined && first.second <= since; first = state.seconds[0]) {
    state.total -= first.count
    state.seconds.shift()
  }
}
