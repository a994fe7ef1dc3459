// Records in items: text as it is, deflated where that is smaller, or a claim check for what is too large for an item.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { BrineError } from '../../../core/error.ts'
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import { recordLimit } from '../layout/index.ts'
import type { Attributes } from './dynamo.ts'
import type { Payloads } from './payloads.ts'

const SMALL = 900

/**
 * Packs records into the attributes `r` (text), `z` (deflated text) or `c` (hash of a payload), of which an item has one.
 * Writes cost by the kilobyte, so that a text above one is deflated.
 */
export class Records {
  readonly #payloads: Payloads

  constructor(payloads: Payloads) {
    this.#payloads = payloads
  }

  pack(record: object): Promise<Attributes> {
    return this.packText(encodeRecord(record))
  }

  async packText(text: string): Promise<Attributes> {
    if (Buffer.byteLength(text) <= SMALL) return { r: { S: text } }
    const bytes = deflateRawSync(text)
    if (bytes.byteLength <= recordLimit) return { z: { B: bytes } }
    return { c: { S: await this.#payloads.store(bytes) } }
  }

  async unpack<T>(item: Attributes): Promise<T> {
    return decodeRecord<T>(await this.unpackText(item))
  }

  /** Throws `payload-lost` where the payload that a claim check names is gone. */
  async unpackText({ r, z, c }: Attributes): Promise<string> {
    if (r?.S !== undefined) return r.S
    if (z?.B !== undefined) return inflateRawSync(z.B).toString()
    const bytes = await this.#payloads.get(c?.S ?? '')
    if (bytes === undefined) {
      throw new BrineError(
        `The payload ${c?.S} of a record is not in the bucket any more. Its lifecycle rule has to keep payloads as long as records.`,
        { code: 'payload-lost' },
      )
    }
    return inflateRawSync(bytes).toString()
  }
}

/** The attribute DynamoDB frees an item by: seconds since 1970. */
export function endsAt(micros: number): Attributes {
  return { ttl: { N: String(Math.ceil(micros / 1_000_000)) } }
}

/** Whether an item has passed its end, in microseconds. */
export function isOver(item: Attributes, now: number): boolean {
  const ttl = item.ttl?.N
  return ttl !== undefined && Number(ttl) * 1_000_000 <= now
}
