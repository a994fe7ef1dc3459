// The time of day in results of states and of an orchestration's steps.
import { strftime } from '../core/value/strftime.ts'

/** This machine's time of day as Salt writes it: `05:32:15.743233`. Microseconds since 1970. */
export function localTime(at: number): string {
  const ahead = -new Date(at / 1000).getTimezoneOffset()
  return strftime(Math.floor(at) + ahead * 60_000_000, '%H:%M:%S.%f')
}
