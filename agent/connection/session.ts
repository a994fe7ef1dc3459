// The standing with the master: a token that is there when it is needed, got with patience and renewed in time.
import { BrineError } from '../../core/error.ts'
import type { TokenAnswer } from '../../core/protocol/minion.ts'
import type { Outside } from '../outside.ts'
import { Backoff, pause } from './backoff.ts'
import { askToken, type TokenAttempt, type TokenSettings } from './token.ts'

/** Seconds between tries while the key waits. */
export interface Patience {
  /** `acceptance_wait_time`. @default 10 */
  readonly wait: number
  /** `acceptance_wait_time_max`: where greater, the wait grows by itself up to this. @default 0 */
  readonly waitMax: number
  /** A rejected or denied key asks this many times less often. @default 6 */
  readonly slower: number
}

/** A token and where to use it. */
export interface Standing {
  readonly token: string
  readonly endpoints: TokenAnswer['endpoints']
  /** Milliseconds since 1970 by this machine's clock. */
  readonly ends: number
}

/**
 * Holds the token. `standing` waits as long as it takes: pending, rejected, denied and unreachable are tried again with
 * growing waits. It rejects when the signal ends (`stopped`), when the master is not the pinned one (`master-key`), or
 * on plain HTTP beyond loopback (`insecure`).
 */
export class Session {
  readonly #settings: TokenSettings
  readonly #patience: Patience
  readonly #outside: Outside
  readonly #signal: AbortSignal
  readonly #backoff: Backoff
  #standing: Standing | undefined
  #getting: Promise<Standing> | undefined
  #joined = false
  /** Called when the key is accepted: at first, and again after it was not. */
  onJoined: () => void = () => undefined
  /** Called when there is no use in going on: the master is not the pinned one, or plain HTTP would leave the machine. */
  onFatal: (error: unknown) => void = () => undefined

  constructor(settings: TokenSettings, patience: Patience, outside: Outside, signal: AbortSignal) {
    this.#settings = settings
    this.#patience = patience
    this.#outside = outside
    this.#signal = signal
    this.#backoff = new Backoff(outside, 500, 30_000)
  }

  /** A token with at least a tenth of its life left. */
  async standing(): Promise<Standing> {
    const { now } = this.#outside
    if (this.#standing !== undefined && this.#standing.ends > now() / 1000) return this.#standing
    return this.renew()
  }

  /** Gets a new token at once, whatever is left of the present one. */
  renew(): Promise<Standing> {
    this.#getting ??= this.#get().finally(() => {
      this.#getting = undefined
    })
    return this.#getting
  }

  /** Forgets a token the master did not take. */
  refuse(token: string): void {
    if (this.#standing?.token === token) this.#standing = undefined
  }

  /** One try; a token that comes of it is kept. */
  async attempt(): Promise<TokenAttempt> {
    const attempt = await askToken(this.#settings, !this.#joined, this.#signal).catch((error: unknown) => {
      this.onFatal(error)
      throw error
    })
    if (attempt.kind === 'token') this.#keep(attempt.answer)
    return attempt
  }

  async #get(): Promise<Standing> {
    let waits = 0
    let healed = 0
    for (;;) {
      this.#throwIfStopped()
      const attempt = await this.attempt()
      this.#throwIfStopped()
      if (attempt.kind === 'token') return this.#accepted()
      const heal = attempt.kind === 'refused' && attempt.clockMoved && healed++ < 2
      if (heal) {
        this.#outside.log.info(
          `The clock here is off by ${Math.round(this.#settings.clock.offset)} s; the master's time is used.`,
        )
        continue
      }
      if (attempt.kind === 'waiting') this.#joined = false
      await pause(this.#waitFor(attempt, waits++), this.#signal)
    }
  }

  #accepted(): Standing {
    const standing = this.#standing
    if (standing === undefined)
      throw new BrineError('The token was refused as soon as it was given.', { code: 'unreachable' })
    if (!this.#joined) {
      this.#joined = true
      this.onJoined()
    }
    return standing
  }

  #keep(answer: TokenAnswer): void {
    this.#backoff.reset()
    const life = Math.max(1, answer.expires_in) * 1000
    this.#standing = { token: answer.token, endpoints: answer.endpoints, ends: this.#outside.now() / 1000 + life * 0.9 }
  }

  /** Milliseconds to wait after a try that gave no token; says why. */
  #waitFor(attempt: Exclude<TokenAttempt, { kind: 'token' }>, waits: number): number {
    const { log } = this.#outside
    switch (attempt.kind) {
      case 'waiting': {
        const seconds = this.#acceptanceWait(waits) * (attempt.state === 'pending' ? 1 : this.#patience.slower)
        const say = attempt.state === 'pending' ? log.info : log.error
        say.call(log, `Key ${attempt.state}: ${attempt.message} Asking again in ${seconds} s.`)
        return seconds * 1000
      }
      case 'upgrade':
        log.error(`The master does not serve this version of the minion: ${attempt.message} Asking again in 60 s.`)
        return 60_000
      case 'refused':
        log.error(`The master did not take the proof of the key: ${attempt.message}`)
        return Math.max(1000, this.#backoff.next())
      case 'unreachable': {
        const wait = Math.max(this.#backoff.next(), (attempt.retryAfter ?? 0) * 1000)
        log.warn(`${attempt.message} Trying again in ${(wait / 1000).toFixed(1)} s.`)
        return wait
      }
    }
  }

  #acceptanceWait(waits: number): number {
    const { wait, waitMax } = this.#patience
    return waitMax > wait ? Math.min(wait * (waits + 1), waitMax) : wait
  }

  #throwIfStopped(): void {
    if (this.#signal.aborted) throw new BrineError('The minion was stopped.', { code: 'stopped' })
  }
}
