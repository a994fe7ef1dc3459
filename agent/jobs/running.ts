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
  readonly #onEnd = new Set<(job: RunningJob) => void>()

  add(job: RunningJob): void {
    this.#jobs.set(job.jid, job)
  }

  remove(jid: string): void {
    const job = this.#jobs.get(jid)
    if (job === undefined) return
    this.#jobs.delete(jid)
    for (const listener of this.#onEnd) listener(job)
  }

  /** Called with each job that has ended, after it is no longer among those that run. */
  onEnd(listener: (job: RunningJob) => void): void {
    this.#onEnd.add(listener)
  }

  get(jid: string): RunningJob | undefined {
    return this.#jobs.get(jid)
  }

  all(): RunningJob[] {
    return [...this.#jobs.values()]
  }
}

/** Whether a job runs states: `state.apply`, `state.highstate`, …; one of several functions may. */
export function runsStates({ data }: RunningJob): boolean {
  const { fun = '' } = data
  return (Array.isArray(fun) ? fun : [fun]).some((name) => String(name).startsWith('state.'))
}
