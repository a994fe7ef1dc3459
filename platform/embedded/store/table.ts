// A named table of the store: text by key, keys in order.
import { asBinary, type Database, type RootDatabase } from 'lmdb'

/** A key: text, a number, or a tuple of both. Numbers sort before text, a tuple by its first part, then by the next. */
export type Key = string | number | (string | number)[]

/** Which keys: from `start` (included unless `after`) to `end` (never included). Reversed, `start` is the greatest. */
export interface Range {
  readonly start?: Key
  readonly after?: boolean
  readonly end?: Key
  readonly reverse?: boolean
  readonly limit?: number
}

/**
 * Text by key. Reading sees what is committed, or, inside a transaction, what that wrote. Writing is for inside a
 * transaction alone: the bytes go through one buffer that the next write uses again.
 */
export class Table {
  readonly #rows: Database<string, Key>
  readonly #buffer: TextBuffer

  constructor(root: RootDatabase, name: string, buffer: TextBuffer) {
    this.#buffer = buffer
    this.#rows = root.openDB<string, Key>(name, { encoding: 'string' })
  }

  get(key: Key): string | undefined {
    return this.#rows.get(key)
  }

  has(key: Key): boolean {
    return this.#rows.doesExist(key)
  }

  put(key: Key, text: string): void {
    this.#rows.putSync(key, this.#buffer.bytesOf(text))
  }

  /** {@link put} of a key greater than all others. */
  append(key: Key, text: string): void {
    this.#rows.putSync(key, this.#buffer.bytesOf(text), { append: true })
  }

  /** {@link put} where the key has no text yet; false where it has, which stays. */
  putNew(key: Key, text: string): boolean {
    const rows: { putSync(key: Key, text: string, options: { noOverwrite: true }): unknown } = this.#rows
    return rows.putSync(key, this.#buffer.bytesOf(text), { noOverwrite: true }) === true
  }

  remove(key: Key): void {
    this.#rows.removeSync(key)
  }

  keys(range: Range = {}): Key[] {
    return [...this.#rows.getKeys(optionsOf(range))]
  }

  /** Lazily: stop early where only the first are needed. */
  *entries(range: Range = {}): Generator<{ readonly key: Key; readonly text: string }> {
    for (const { key, value } of this.#rows.getRange(optionsOf(range))) yield { key, text: value }
  }

  count(): number {
    return this.#rows.getKeysCount({})
  }
}

function optionsOf({ after, ...range }: Range): Range & { exclusiveStart?: boolean } {
  return after === undefined ? range : { ...range, exclusiveStart: after }
}

type MarkedBuffer = Buffer & { start: number; end: number }

const ORDINARY = 256 * 1024

/**
 * The bytes of one text at a time: lmdb copies them before a write returns, so all tables of a store share one buffer.
 * A text that may not fit has one of its own.
 */
export class TextBuffer {
  readonly #shared = markedBuffer(ORDINARY)
  readonly #binary = asBinary(this.#shared)

  /** The text as UTF-8, in the form that lmdb takes for bytes that need no encoding. Good until the next call. */
  bytesOf(text: string): string {
    const fits = text.length * 3 <= ORDINARY
    const buffer = fits ? this.#shared : markedBuffer(Buffer.byteLength(text))
    buffer.end = buffer.write(text, 0, 'utf8')
    return (fits ? this.#binary : asBinary(buffer)) as unknown as string
  }
}

/** A buffer of its own memory, with the marks that lmdb reads where its content begins and ends. */
function markedBuffer(size: number): MarkedBuffer {
  return Object.assign(Buffer.allocUnsafeSlow(size), { start: 0, end: 0 })
}
