// Passwords verified lately, in memory alone and never as they are: so that requests with credentials stay fast.
import { createHmac, randomBytes } from 'node:crypto'
import type { Credentials, Vouched } from './backend.ts'

/** Microseconds a verified password is remembered. */
const kept = 60_000_000
const most = 10_000

/** Remembers for a minute. What is kept is a keyed hash; the key lives and dies with the process. */
export class RememberedPasswords {
  readonly #key = randomBytes(32)
  readonly #known = new Map<string, { readonly vouched: Vouched; readonly until: number }>()

  find(eauth: string, credentials: Credentials, now: number): Vouched | undefined {
    const hash = this.#hashOf(eauth, credentials)
    const found = this.#known.get(hash)
    if (found === undefined) return undefined
    if (found.until > now) return found.vouched
    this.#known.delete(hash)
    return undefined
  }

  keep(eauth: string, credentials: Credentials, vouched: Vouched, now: number): void {
    const oldest = this.#known.size >= most ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
    const until = Math.min(now + kept, vouched.until ?? Number.POSITIVE_INFINITY)
    this.#known.set(this.#hashOf(eauth, credentials), { vouched, until })
  }

  #hashOf(eauth: string, { username, password }: Credentials): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([eauth, username, password]))
      .digest('base64')
  }
}
