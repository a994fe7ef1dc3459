// Sends what the journal holds, in its order, until the master has it.
import { messageOf } from '../../core/error.ts'
import type { Journal } from '../journal/journal.ts'
import type { OutgoingBatch } from '../journal/outgoing.ts'
import type { Outside } from '../outside.ts'
import { Backoff, pause } from './backoff.ts'
import type { Connection } from './connection.ts'

/** How sending stands. */
interface DeliverySettings {
  readonly journal: Journal
  readonly connection: Connection
  readonly outside: Outside
  readonly signal: AbortSignal
}

/**
 * One request at a time, so that order holds. What the master will never take is dropped and said; what it cannot take
 * now is tried again with growing waits, without end.
 */
export class Delivery {
  readonly #settings: DeliverySettings
  readonly #backoff: Backoff
  #wake: () => void = () => undefined
  #running: Promise<void> | undefined
  #idle: (() => void)[] = []
  #limit = Number.POSITIVE_INFINITY
  /** Called after a batch was taken. */
  onDelivered: () => void = () => undefined
  /** Called for an item the master will never take. */
  onRefused: (id: string, reason: string) => void = () => undefined

  constructor(settings: DeliverySettings) {
    this.#settings = settings
    this.#backoff = new Backoff(settings.outside, 250, 30_000)
    settings.journal.onAdded(() => this.#wake())
  }

  /** Starts sending; ends with the signal. */
  start(): void {
    this.#running ??= this.#run()
  }

  /** Resolves when nothing waits any more; false when the time was over before. */
  async drained(milliseconds: number): Promise<boolean> {
    if (this.#settings.journal.waiting === 0) return true
    const idle = new Promise<true>((resolve) => this.#idle.push(() => resolve(true)))
    const timer = new AbortController()
    const late = pause(milliseconds, timer.signal).then(() => this.#settings.journal.waiting === 0)
    const done = await Promise.race([idle, late])
    timer.abort()
    return done
  }

  /** Resolves when sending has ended. */
  async stopped(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const { journal, signal, outside } = this.#settings
    while (!signal.aborted) {
      const batch = journal.next()
      if (batch === undefined) {
        for (const resolve of this.#idle.splice(0)) resolve()
        await this.#something()
        continue
      }
      try {
        await this.#send(batch)
      } catch (error) {
        if (signal.aborted) return
        outside.log.error(`Sending failed: ${messageOf(error)}`)
        await pause(this.#backoff.next(), signal)
      }
    }
  }

  async #send(whole: OutgoingBatch): Promise<void> {
    const { journal, connection, outside, signal } = this.#settings
    const batch = { kind: whole.kind, items: whole.items.slice(0, this.#limit) }
    const answer = await connection.send(
      batch.kind,
      batch.items.map(({ text }) => text),
    )
    switch (answer.kind) {
      case 'taken':
        for (const [id, reason] of answer.refused) {
          const item = batch.items.find((one) => one.id === id)
          outside.log.error(`The master refused ${nameOf(item?.text ?? id)} for good: ${reason}`)
          this.onRefused(id, reason)
        }
        journal.settle(batch.items.map(({ id }) => id))
        this.#backoff.reset()
        this.#limit = Math.min(this.#limit * 2, 500)
        this.onDelivered()
        return
      case 'unacceptable':
        if (batch.items.length > 1) {
          this.#limit = Math.ceil(batch.items.length / 2)
          return
        }
        this.#giveUp(batch, answer)
        return
      case 'later': {
        // A store in trouble takes a few where it never takes many at once.
        this.#limit = Math.ceil(batch.items.length / 2)
        const wait = Math.max(this.#backoff.next(), (answer.retryAfter ?? 0) * 1000)
        outside.log.warn(
          `${answer.message} ${journal.waiting} items wait; trying again in ${(wait / 1000).toFixed(1)} s.`,
        )
        await pause(wait, signal)
      }
    }
  }

  /** A single item the master cannot take: a return too large loses its value, anything else is dropped. */
  #giveUp(batch: OutgoingBatch, answer: { message: string; tooLarge: boolean }): void {
    const { journal, outside } = this.#settings
    const [item] = batch.items
    if (item === undefined) return
    outside.log.error(`The master will not take ${nameOf(item.text)}: ${answer.message}`)
    if (answer.tooLarge && item.kind === 'return' && item.text.length > 2000) {
      const bytes = item.text.length
      const value = `What the function returned (${bytes} bytes) is larger than the master takes and was dropped. Write such output to a file.`
      journal.replaceReturn(item.id, (ret) => ({ ...ret, return: value, success: false, retcode: 1, out: 'nested' }))
      return
    }
    this.onRefused(item.id, answer.message)
    journal.settle([item.id])
  }

  #something(): Promise<void> {
    const { signal, journal } = this.#settings
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end)
        this.#wake = () => undefined
        resolve()
      }
      this.#wake = end
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted || journal.waiting > 0) end()
    })
  }
}

function nameOf(text: string): string {
  const found = /"(?:tag|jid)":"([^"]*)"/.exec(text)
  return found?.[1] ?? text.slice(0, 80)
}
