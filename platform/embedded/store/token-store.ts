// Opaque tokens, kept as hashes, and ids that may be used once.
import { createHash, randomBytes } from 'node:crypto'
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { TokenRecord, TokenStore } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import type { OpenStore } from './open-store.ts'
import { sweepStep } from './retention.ts'
import type { Table } from './table.ts'

const TOKEN_BYTES = 32
/** salt-api's clients know 40 hexadecimal digits. */
const USER_TOKEN_BYTES = 20
const REMEMBERED = 10_000

/**
 * Tables: `tokens` SHA-256 of the token → record; `used_ids` SHA-256 of the id → expiry; `token_times` [expiry, table,
 * hash] → nothing.
 *
 * INVARIANTS
 * - a token is nowhere in the store, only its hash; looking one up compares hashes, so that time tells nothing of it.
 * - an expired or revoked token verifies no more, at once.
 * - `useOnce` is true once for an id, however many ask at the same time.
 */
export class EmbeddedTokenStore implements TokenStore {
  readonly #store: OpenStore
  readonly #clock: Pick<Clock, 'now'>
  readonly #tokens: Table
  readonly #used: Table
  readonly #times: Table
  readonly #known = new Map<string, TokenRecord>()

  constructor(store: OpenStore, clock: Pick<Clock, 'now'>) {
    this.#store = store
    this.#clock = clock
    this.#tokens = store.table('tokens')
    this.#used = store.table('used_ids')
    this.#times = store.table('token_times')
  }

  async issue(record: TokenRecord): Promise<string> {
    const token =
      record.kind === 'user'
        ? randomBytes(USER_TOKEN_BYTES).toString('hex')
        : randomBytes(TOKEN_BYTES).toString('base64url')
    const hash = hashOf(token)
    const text = encodeRecord(record)
    await this.#store.commits.write(
      () => {
        this.#tokens.put(hash, text)
        this.#times.put([record.expires, 'tokens', hash], '')
      },
      () => this.#remember(hash, record),
    )
    return token
  }

  async verify(token: string): Promise<TokenRecord | undefined> {
    const hash = hashOf(token)
    const record = this.#known.get(hash) ?? this.#read(hash)
    return record !== undefined && record.expires > this.#clock.now() ? record : undefined
  }

  async revoke(token: string): Promise<void> {
    const hash = hashOf(token)
    await this.#store.commits.write(
      () => {
        const text = this.#tokens.get(hash)
        if (text === undefined) return
        this.#tokens.remove(hash)
        this.#times.remove([decodeRecord<TokenRecord>(text).expires, 'tokens', hash])
      },
      () => this.#known.delete(hash),
    )
  }

  async useOnce(id: string, expires: number): Promise<boolean> {
    if (expires <= this.#clock.now()) return false
    const hash = hashOf(id)
    return this.#store.commits.write(() => {
      if (this.#used.has(hash)) return false
      this.#used.put(hash, String(expires))
      this.#times.put([expires, 'used_ids', hash], '')
      return true
    })
  }

  /** Removes expired tokens and used ids, at most one step. */
  async sweep(now: number): Promise<number> {
    return this.#store.commits.write(() => {
      const gone = this.#times.keys({ end: [now, ''], limit: sweepStep })
      for (const key of gone) {
        const [, table, hash] = Array.isArray(key) ? key : []
        if (table === 'tokens') this.#known.delete(String(hash))
        const owner = table === 'tokens' ? this.#tokens : this.#used
        owner.remove(String(hash))
        this.#times.remove(key)
      }
      return gone.length
    })
  }

  #read(hash: string): TokenRecord | undefined {
    const text = this.#tokens.get(hash)
    if (text === undefined) return undefined
    const record = decodeRecord<TokenRecord>(text)
    this.#remember(hash, record)
    return record
  }

  #remember(hash: string, record: TokenRecord): void {
    const oldest = this.#known.size >= REMEMBERED ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(hash, record)
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
