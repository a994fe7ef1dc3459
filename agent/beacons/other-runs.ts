// State runs of other processes, `brine-call state.apply` above all: beacons that are not to tell of a run heed them too.
import { type FSWatcher, mkdirSync, watch } from 'node:fs'
import { messageOf } from '../../core/error.ts'
import type { Log } from '../outside.ts'
import { StateRuns } from '../states/state-runs.ts'

/** Watches the folder in which runs say that they are under way. */
export class OtherRuns {
  readonly #runs: StateRuns
  readonly #watcher: FSWatcher | undefined

  /** Calls back whenever a run has ended and none is left. Where the folder cannot be watched, that is said and not done. */
  constructor(folder: string, log: Log, onEnd: () => void) {
    this.#runs = new StateRuns(folder)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      this.#watcher = watch(folder, { persistent: false }, () => {
        if (!this.isRunning) onEnd()
      })
      this.#watcher.on('error', (error) => log.warn(`${folder} is no longer watched: ${messageOf(error)}`))
    } catch (error) {
      log.warn(`${folder} cannot be watched for state runs of brine-call: ${messageOf(error)}`)
    }
  }

  get isRunning(): boolean {
    return this.#runs.others().length > 0
  }

  close(): void {
    this.#watcher?.close()
  }
}
