// Hears the returns of the jobs that somebody waits for: one reader of the log for all of them.
import type { MinionId } from '../../../core/event/event.ts'
import type { Mapping } from '../../../core/value/index.ts'
import type { EventLog } from '../../ports.ts'

/** Called for each return of a job, as it is heard. */
export type OnReturn = (id: MinionId, load: Mapping) => void

const returnTag = /^salt\/job\/([^/]+)\/ret\/(.+)$/s
/** Milliseconds without anybody waiting after which the reading ends. */
const idle = 2_000

/**
 * INVARIANT: whoever is listed when `listen` resolves hears every return that is logged afterwards.
 */
export class ReturnsWatch {
  readonly #log: EventLog
  readonly #listeners = new Map<string, OnReturn>()
  #reading: { readonly stop: AbortController; readonly ready: Promise<void> } | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(log: EventLog) {
    this.#log = log
  }

  /** Listens for a job's returns until the function it gives is called. Call it before the job is published. */
  async listen(jid: string, onReturn: OnReturn): Promise<() => void> {
    clearTimeout(this.#idle)
    this.#listeners.set(jid, onReturn)
    this.#reading ??= this.#read()
    await this.#reading.ready
    return () => {
      this.#listeners.delete(jid)
      if (this.#listeners.size > 0) return
      clearTimeout(this.#idle)
      this.#idle = setTimeout(() => this.close(), idle)
      this.#idle.unref()
    }
  }

  /** Ends the reading; who still waits hears nothing more. */
  close(): void {
    clearTimeout(this.#idle)
    this.#reading?.stop.abort()
    this.#reading = undefined
  }

  #read(): { stop: AbortController; ready: Promise<void> } {
    const stop = new AbortController()
    const begin = this.#log.end()
    const follow = async (): Promise<void> => {
      for await (const batch of this.#log.follow(await begin, stop.signal)) {
        for (const { event } of batch) {
          const [, jid = '', id = ''] = event.tag.startsWith('salt/job/') ? (returnTag.exec(event.tag) ?? []) : []
          this.#listeners.get(jid)?.(id, event.data as Mapping)
        }
      }
    }
    // A log that ends takes the waiting with it: they run into their time-outs, and the next begins anew.
    const end = (): void => {
      if (this.#reading?.stop === stop) this.#reading = undefined
    }
    void follow().then(end, end)
    return { stop, ready: begin.then(() => undefined) }
  }
}
