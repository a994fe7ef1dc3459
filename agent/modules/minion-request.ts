// What the functions have in common that ask the running minion over its bus.
import { pythonTruth } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'

/** The end of a comment where nobody answered. */
export const noMinion = 'No minion answers here: is one running?'

/** `test=True`: say what would be done. */
export function isDryRun(args: Arguments): boolean {
  return pythonTruth(args.keywords.test ?? false)
}

/** `timeout=` in seconds. */
export function secondsToWait(args: Arguments, usual: number): number {
  const { timeout } = args.keywords
  return typeof timeout === 'number' && timeout > 0 ? timeout : usual
}
