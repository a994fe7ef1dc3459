// What a returner is: somewhere else that a job's return goes to, beside the master.
import { BrineError } from '../../core/error.ts'
import type { Mapping } from '../../core/value/index.ts'
import type { Outgoing } from '../connection/outgoing.ts'

/** The options of one returner, looked up and with the job's own laid over them. */
export type ReturnerOptions = Mapping

/** What a returner has beside its options. */
export interface ReturnerWorld {
  readonly environment: NodeJS.ProcessEnv
  /** Milliseconds since 1970. */
  now(): number
  /** Waits so many milliseconds between two tries. */
  pause(milliseconds: number): Promise<void>
  /** Asks a web server, through the minion's proxy where it has one. */
  readonly fetch: Outgoing
}

/** One kind of returner. */
export interface Returner {
  /** The options it reads, each by its name below the returner's. */
  readonly options: readonly string[]
  /** Sends a return; rejects, where it cannot, with words that say why. May send the same one twice. */
  send(load: Mapping, options: ReturnerOptions, world: ReturnerWorld): Promise<void>
}

/** An option is missing or not what it must be. */
export function badOption(returner: string, option: string, problem: string): BrineError {
  return new BrineError(
    `${returner}.${option} ${problem}. Set it in the minion's configuration or pillar, or give it by --return_kwargs.`,
    { code: 'returner-option' },
  )
}
