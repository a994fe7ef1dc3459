// Claim checks: the bulk of a large record is kept once under its hash, and whatever records have it name that.
import { createHash } from 'node:crypto'
import { BrineError } from '../../../core/error.ts'
import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import { type Dict, get, isMap, type Mapping, type Value, withEntry } from '../../../core/value/value.ts'
import type { OpenStore } from './open-store.ts'
import type { Table } from './table.ts'

/** Characters of a record's text above which its bulk is kept apart. */
export const claimLimit = 200_000

/** A record ready to be written: what its row holds, and the bulk that the row names. */
export interface Packed {
  readonly text: string
  readonly bulk?: { readonly hash: string; readonly text: string }
}

const HASH = 64
const CLAIM = 'c'

/**
 * Tables: `bulk` SHA-256 → the text of a value; `bulk_holders` [hash, holder] → nothing.
 *
 * A large record's row is `c`, the hash, where the bulk belongs (`load.return`; nothing for the whole record), a line
 * break, and the record with `null` in its place. A job's return and its event have the same bulk, so that it is stored once.
 *
 * INVARIANTS
 * - a bulk is there exactly as long as a row names it: both are written, and taken away, in one transaction.
 * - `hold` and `release` are called inside the transaction that writes or removes the row.
 */
export class Claims {
  readonly #bulk: Table
  readonly #holders: Table

  constructor(store: OpenStore) {
    this.#bulk = store.table('bulk')
    this.#holders = store.table('bulk_holders')
  }

  /** A record as text; where it is large, without the first of these places that has most of it. */
  pack(record: object, places: readonly string[]): Packed {
    const text = encodeRecord(record)
    if (text.length <= claimLimit) return { text }
    for (const place of places) {
      const value = valueAt(record as Mapping, place.split('.'))
      if (value === undefined) continue
      const bulk = bulkOf(encodeRecord(value as object))
      if (bulk.text.length * 2 < text.length) continue
      const rest = encodeRecord(withValue(record as Mapping, place.split('.'), null))
      return { text: `${CLAIM}${bulk.hash}${place}\n${rest}`, bulk }
    }
    const whole = bulkOf(text)
    return { text: `${CLAIM}${whole.hash}\n`, bulk: whole }
  }

  /** Keeps the bulk of a row that is being written. `holder` names the row. */
  hold({ bulk }: Packed, holder: string): void {
    if (bulk === undefined) return
    this.#bulk.putNew(bulk.hash, bulk.text)
    this.#holders.put([bulk.hash, holder], '')
  }

  /** Lets go of the bulk of a row that is being removed; the last holder takes it along. `from` is where its text begins. */
  release(text: string, holder: string, from = 0): void {
    if (text[from] !== CLAIM) return
    const hash = text.slice(from + 1, from + 1 + HASH)
    this.#holders.remove([hash, holder])
    const others = this.#holders.keys({ start: [hash, ''], end: [hash, LAST], limit: 1 })
    if (others.length === 0) this.#bulk.remove(hash)
  }

  /** The whole record of a row. Throws `payload-lost` where its bulk is gone. */
  unpack<T>(text: string, from = 0): T {
    if (text[from] !== CLAIM) return decodeRecord<T>(text, from)
    const { hash, place, rest } = claimIn(text, from)
    const bulk = this.#bulk.get(hash)
    if (bulk === undefined) {
      throw new BrineError(`The bulk ${hash} of a record is not in the store. Restore a back-up.`, {
        code: 'payload-lost',
      })
    }
    const value = decodeRecord<Value>(bulk)
    if (place === '') return value as T
    return withValue(decodeRecord<Mapping>(text, rest), place.split('.'), value) as T
  }

  /** The record of a row without its bulk: for who asks for other fields. */
  unpackRest<T>(text: string, from = 0): T {
    if (text[from] !== CLAIM) return decodeRecord<T>(text, from)
    const { place, rest } = claimIn(text, from)
    return place === '' ? this.unpack<T>(text, from) : decodeRecord<T>(text, rest)
  }
}

/** Sorts after every name of a row. */
const LAST = '\uffff'

function claimIn(text: string, from: number): { hash: string; place: string; rest: number } {
  const end = text.indexOf('\n', from)
  const begin = from + CLAIM.length + HASH
  return { hash: text.slice(from + CLAIM.length, begin), place: text.slice(begin, end), rest: end + 1 }
}

function bulkOf(text: string): { hash: string; text: string } {
  return { hash: createHash('sha256').update(text).digest('hex'), text }
}

function valueAt(record: Mapping | Dict, [name = '', ...rest]: readonly string[]): Value | undefined {
  const value = get(record, name)
  if (rest.length === 0 || value === undefined) return value
  return isMap(value) ? valueAt(value, rest) : undefined
}

/** A copy with another value in the place; the order of keys stays. */
function withValue(record: Mapping | Dict, [name = '', ...rest]: readonly string[], value: Value): Mapping | Dict {
  if (rest.length === 0) return withEntry(record, name, value)
  const inner = get(record, name) ?? null
  return isMap(inner) ? withEntry(record, name, withValue(inner, rest, value)) : record
}
