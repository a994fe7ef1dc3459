// State runs of other processes, `brine-call state.apply` above all: beacons that are not to tell of a run heed them too.
import { type FSWatcher, mkdirSync, statSync, watch } from 'node:fs'
import { messageOf } from '../../core/error.ts'
import type { Log } from '../outside.ts'
import { StateRuns } from '../states/state-runs.ts'

/**
 * Watches the folder in which runs say that they are under way.
 *
 * INVARIANT: when it is asked and no run is under way, the end of the last one has been told. What a run did may be seen
 * before the file system tells of its end, so whoever asks is not left to wait for that.
 */
export class OtherRuns {
  readonly #folder: string
  readonly #runs: StateRuns
  readonly #onEnd: () => void
  readonly #watcher: FSWatcher | undefined
  /** The folder's time of change when no run was left last; runs that begin and end change it. */
  #stamp: bigint | undefined

  /**
   * Calls back whenever a run has ended and none is left. Where the folder cannot be watched, that is said, and an end is
   * told when somebody asks.
   */
  constructor(folder: string, log: Log, onEnd: () => void) {
    this.#folder = folder
    this.#runs = new StateRuns(folder)
    this.#onEnd = onEnd
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      this.#watcher = watch(folder, { persistent: false }, () => {
        if (!this.#isAny()) this.#tellEnd()
      })
      this.#watcher.on('error', (error) => log.warn(`${folder} is no longer watched: ${messageOf(error)}`))
    } catch (error) {
      log.warn(`${folder} cannot be watched for state runs of brine-call: ${messageOf(error)}`)
    }
    this.#stamp = this.#changed()
  }

  /** Whether one is under way. Calls back first where one has ended since. */
  isRunning(): boolean {
    if (this.#isAny()) return true
    if (this.#changed() !== this.#stamp) this.#tellEnd()
    return false
  }

  close(): void {
    this.#watcher?.close()
  }

  #isAny(): boolean {
    return this.#runs.others().length > 0
  }

  #tellEnd(): void {
    this.#stamp = this.#changed()
    this.#onEnd()
  }

  #changed(): bigint | undefined {
    return statSync(this.#folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs
  }
}
