// The jobs that run right now, and how to end them.
import type { Mapping } from '../../core/value/index.ts'

/** A job while it runs. */
export interface RunningJob {
  readonly jid: string
  /** What `saltutil.running` shows: `fun jid arg tgt tgt_type ret user pid`. */
  readonly data: Mapping
  /** Ends the function; programs it started are killed with their children. */
  stop(signal: NodeJS.Signals): void
}

/** All running jobs of one agent, in the order they began. */
export class RunningJobs {
  readonly #jobs = new Map<string, RunningJob>()

  add(job: RunningJob): void {
    this.#jobs.set(job.jid, job)
  }

  remove(jid: string): void {
    this.#jobs.delete(jid)
  }

  get(jid: string): RunningJob | undefined {
    return this.#jobs.get(jid)
  }

  all(): RunningJob[] {
    return [...this.#jobs.values()]
  }
}
