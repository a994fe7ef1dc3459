// Reads a tar archive as it comes in: file after file, none of them held in memory.

/** A file of the archive. Its content has to be read, or passed over, before the next one is asked for. */
export interface ArchivedFile {
  readonly name: string
  readonly size: number
  readonly content: AsyncIterable<Buffer>
}

const BLOCK = 512

/** The files in order. Throws where the archive is cut off or a header's sum does not hold. */
export async function* readArchive(source: AsyncIterable<Buffer>): AsyncGenerator<ArchivedFile> {
  const bytes = new Bytes(source)
  for (;;) {
    const header = await bytes.exactly(BLOCK)
    if (header.every((byte) => byte === 0)) return
    const sum = Number.parseInt(textAt(header, 148, 8), 8)
    header.fill(' ', 148, 156)
    if (sum !== header.reduce((total, byte) => total + byte, 0)) throw new Error('a header of it is damaged')
    const size = Number.parseInt(textAt(header, 124, 12), 8)
    let left = size
    const content = (async function* (): AsyncGenerator<Buffer> {
      while (left > 0) {
        const chunk = await bytes.some(left)
        left -= chunk.length
        yield chunk
      }
    })()
    yield { name: textAt(header, 0, 100), size, content }
    while (left > 0) left -= (await bytes.some(left)).length
    await bytes.exactly((BLOCK - (size % BLOCK)) % BLOCK)
  }
}

function textAt(header: Buffer, start: number, length: number): string {
  return header
    .subarray(start, start + length)
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
}

/** Bytes of a stream, as many at a time as are asked for. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** At least one, at most so many. */
  async some(most: number): Promise<Buffer> {
    if (this.#rest.length === 0) {
      const { value, done } = await this.#source.next()
      if (done === true) throw new Error('it is cut off')
      this.#rest = Buffer.from(value)
    }
    const chunk = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(chunk.length)
    return chunk
  }

  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = count; left > 0; ) {
      const chunk = await this.some(left)
      left -= chunk.length
      parts.push(chunk)
    }
    return Buffer.concat(parts)
  }
}
