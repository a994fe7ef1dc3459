// Time for a run of states.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallClock } from '../../core/state/index.ts'
import { localTime } from '../../reaction/local-time.ts'
import type { Outside } from '../outside.ts'

/** This machine's clock; sleeping ends with the signal. */
export function clockOf(outside: Outside, signal: AbortSignal): CallClock {
  return {
    now: () => performance.now(),
    timeOfDay: () => localTime(outside.now()),
    sleep: async (seconds) => void (await sleep(seconds * 1000, undefined, { signal })),
    random: () => outside.random(),
  }
}
