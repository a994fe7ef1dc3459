// Opaque tokens, kept as hashes, and ids that may be used once.
import { createHash, randomBytes } from 'node:crypto'
import type { TokenRecord, TokenStore } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { tokenKey, usedKey } from '../layout/index.ts'
import { type Dynamo, keyItem, n, s } from './dynamo.ts'
import { endsAt, type Records } from './records.ts'

const TOKEN_BYTES = 32
const USER_TOKEN_BYTES = 20
const ASKING_BYTES = 9

/**
 * Table State: `token#<SHA-256>` → record; `used#<SHA-256>` → expiry.
 *
 * INVARIANTS
 * - a token is nowhere in the store, only its hash.
 * - an expired or revoked token verifies no more, at once and in every process: nothing of it is remembered.
 * - `useOnce` is true once for an id, however many ask at the same time, and however often the SDK has to ask DynamoDB.
 */
export class DynamoTokenStore implements TokenStore {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #clock: Pick<Clock, 'now'>

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>) {
    this.#dynamo = dynamo
    this.#records = records
    this.#clock = clock
  }

  async issue(record: TokenRecord): Promise<string> {
    const token =
      record.kind === 'user'
        ? randomBytes(USER_TOKEN_BYTES).toString('hex')
        : randomBytes(TOKEN_BYTES).toString('base64url')
    await this.#dynamo.put('State', {
      ...keyItem(tokenKey(hashOf(token))),
      ...(await this.#records.pack(record)),
      ...endsAt(record.expires),
    })
    return token
  }

  async verify(token: string): Promise<TokenRecord | undefined> {
    const item = await this.#dynamo.get('State', tokenKey(hashOf(token)))
    if (item === undefined) return undefined
    const record = await this.#records.unpack<TokenRecord>(item)
    return record.expires > this.#clock.now() ? record : undefined
  }

  async revoke(token: string): Promise<void> {
    await this.#dynamo.delete('State', tokenKey(hashOf(token)))
  }

  async useOnce(id: string, expires: number): Promise<boolean> {
    const now = this.#clock.now()
    if (expires <= now) return false
    const by = randomBytes(ASKING_BYTES).toString('base64url')
    const item = { ...keyItem(usedKey(hashOf(id))), expires: n(expires), by: s(by), ...endsAt(expires) }
    const { done, old } = await this.#dynamo.put('State', item, {
      text: 'attribute_not_exists(pk) OR expires <= :now',
      values: { ':now': n(now) },
    })
    // Where the answer to a write was lost, the SDK writes again and meets its own.
    return done || old?.by?.S === by
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
