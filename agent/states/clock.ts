// Time for a run of states.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallClock } from '../../core/state/index.ts'
import type { Outside } from '../outside.ts'

/** This machine's clock; sleeping ends with the signal. */
export function clockOf(outside: Outside, signal: AbortSignal): CallClock {
  return {
    now: () => performance.now(),
    timeOfDay: () => timeOfDay(outside.now()),
    sleep: async (seconds) => void (await sleep(seconds * 1000, undefined, { signal })),
    random: () => outside.random(),
  }
}

/** `05:32:15.743233`, local time, of microseconds since 1970. */
export function timeOfDay(microseconds: number): string {
  const date = new Date(microseconds / 1000)
  const two = (number: number): string => String(number).padStart(2, '0')
  const fraction = String(Math.floor(microseconds % 1_000_000)).padStart(6, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${fraction}`
}
