// Looks into the mailbox: when the doorbell rings, now and then, and all the time where there is no doorbell.
import { messageOf } from '../../core/error.ts'
import type { Journal } from '../journal/journal.ts'
import type { Outside } from '../outside.ts'
import { Backoff, pause } from './backoff.ts'
import type { Connection, OfferedJob } from './connection.ts'

/** Seconds. */
export interface MailboxTimes {
  /** How long one question waits on the master where there is no doorbell. @default 25 */
  readonly wait: number
  /** How often it is looked in although the doorbell is silent. @default 60 */
  readonly every: number
}

/** What the mailbox reader needs. */
interface MailboxSettings {
  readonly connection: Connection
  readonly journal: Journal
  readonly outside: Outside
  readonly signal: AbortSignal
  readonly times?: Partial<MailboxTimes>
  readonly listening: () => boolean
  readonly onJob: (job: OfferedJob) => void
}

/** Hands every offered job on, known ones too: who takes them runs each jid once. */
export class MailboxReader {
  readonly #settings: MailboxSettings
  readonly #times: MailboxTimes
  readonly #backoff: Backoff
  #poked = false
  #wake: () => void = () => undefined
  #running: Promise<void> | undefined

  constructor(settings: MailboxSettings) {
    this.#settings = settings
    this.#times = { wait: 25, every: 60, ...settings.times }
    this.#backoff = new Backoff(settings.outside, 500, 30_000)
  }

  /** Starts with a look; ends with the signal. */
  start(): void {
    this.#running ??= this.#run()
  }

  /** Looks again at once: the doorbell rang, or the socket is gone. */
  poke(): void {
    this.#poked = true
    this.#wake()
  }

  /** Resolves when it has ended. */
  async stopped(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal, outside, listening } = this.#settings
    let idleRounds = 0
    while (!signal.aborted) {
      this.#poked = false
      const wait = listening() || idleRounds === 0 ? 0 : this.#times.wait
      const began = outside.now()
      try {
        const news = await this.#look(wait)
        this.#backoff.reset()
        // A master that keeps its answer back paces us; one that answers at once with nothing new must be paced.
        const quick = outside.now() - began < 1_000_000
        idleRounds = news ? 1 : Math.min(idleRounds + 1, 8)
        if (listening()) await this.#sleep(this.#times.every * (750 + 500 * outside.random()))
        else if (quick && wait > 0 && !news) await this.#sleep(Math.min(250 * 2 ** idleRounds, 15_000))
      } catch (error) {
        if (signal.aborted) return
        const pauseFor = this.#backoff.next()
        outside.log.warn(`${messageOf(error)} Asking for jobs again in ${(pauseFor / 1000).toFixed(1)} s.`)
        await this.#sleep(pauseFor)
      }
    }
  }

  /** True where there was a job not met before. A long question is given up when the doorbell begins to listen. */
  async #look(wait: number): Promise<boolean> {
    const { connection, journal, onJob, signal } = this.#settings
    const question = new AbortController()
    const stop = (): void => question.abort()
    signal.addEventListener('abort', stop, { once: true })
    if (wait > 0) this.#wake = stop
    try {
      let news = false
      for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
        const query = { wait: first ? wait : 0, journal: journal.id, have: journal.metJids(50), after }
        const { jobs, next } = await connection.jobs(query, question.signal)
        for (const job of jobs) {
          news ||= journal.jobState(job.jid) === undefined
          onJob(job)
        }
        after = next
      }
      return news
    } catch (error) {
      if (this.#poked && !signal.aborted) return true
      throw error
    } finally {
      this.#wake = () => undefined
      signal.removeEventListener('abort', stop)
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    if (this.#poked) return
    const woken = new AbortController()
    const stop = (): void => woken.abort()
    this.#wake = stop
    this.#settings.signal.addEventListener('abort', stop, { once: true })
    await pause(milliseconds, woken.signal)
    this.#settings.signal.removeEventListener('abort', stop)
    this.#wake = () => undefined
  }
}
