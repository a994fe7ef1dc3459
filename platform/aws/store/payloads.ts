// Payloads: bytes by their hash, in S3.
import { createHash } from 'node:crypto'
import { BrineError } from '../../../core/error.ts'
import { payloadObject } from '../layout/index.ts'
import type { Objects } from './objects.ts'

const HASH = /^[0-9a-f]{64}$/

/**
 * Bytes that are known by their SHA-256.
 *
 * INVARIANT: content answers to its hash. Payloads go with the bucket's lifecycle, so each put writes again: that makes
 * its time the newest.
 */
export class Payloads {
  readonly #objects: Objects

  constructor(objects: Objects) {
    this.#objects = objects
  }

  /** Throws `payload-hash` where the hash is not the bytes' own. */
  async put(hash: string, bytes: Uint8Array): Promise<void> {
    const actual = hashOf(bytes)
    if (actual !== hash) {
      throw new BrineError(`The payload's hash is ${actual}, not ${hash}. Send the bytes the hash was made from.`, {
        code: 'payload-hash',
      })
    }
    await this.#objects.put(payloadObject(hash), bytes)
  }

  /** Stores bytes and answers their hash. */
  async store(bytes: Uint8Array): Promise<string> {
    const hash = hashOf(bytes)
    await this.#objects.put(payloadObject(hash), bytes)
    return hash
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    return HASH.test(hash) ? this.#objects.get(payloadObject(hash)) : undefined
  }
}

/** SHA-256, hex. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
