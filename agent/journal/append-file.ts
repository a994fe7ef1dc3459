// An append-only file that writes what many callers hand it in one go, and syncs once for all of them.
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

interface Waiting {
  readonly bytes: Buffer
  /** Absent where nobody waits for it to be durable. */
  readonly done?: { resolve(): void; reject(error: unknown): void }
}

/**
 * Appends in the order of the calls. After a write that failed (a full disk) the file is cut back to its last whole
 * record, so that what is appended later is read again.
 */
export class AppendFile {
  readonly path: string
  #file: FileHandle
  #length: number
  #queue: Waiting[] = []
  #running: Promise<void> | undefined
  #damaged = false

  private constructor(path: string, file: FileHandle, length: number) {
    this.path = path
    this.#file = file
    this.#length = length
  }

  /** Opens the file, keeps its first `length` bytes and cuts off the rest. */
  static async open(path: string, length: number): Promise<AppendFile> {
    const file = await open(path, 'a+', 0o600)
    const { size } = await file.stat()
    if (size > length) await file.truncate(length)
    return new AppendFile(path, file, length)
  }

  /** Bytes in the file and on their way to it. */
  get length(): number {
    return this.#queue.reduce((sum, { bytes }) => sum + bytes.length, this.#length)
  }

  /** Resolves when the bytes are on the disk. Rejects with the file system's error; then they are not in the file. */
  append(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ bytes, done: { resolve, reject } })
      this.#start()
    })
  }

  /** Appends some time soon; lost when the process dies before that, or when the disk is full. */
  appendLater(bytes: Buffer): void {
    this.#queue.push({ bytes })
    this.#start()
  }

  /** Puts another content in the file's place, whole or not at all. What is appended meanwhile follows it. */
  async replace(content: () => Buffer): Promise<void> {
    while (this.#running !== undefined) await this.#running
    const swap = this.#swap(content)
    this.#running = swap.then(
      () => undefined,
      () => undefined,
    )
    try {
      await swap
    } finally {
      this.#running = undefined
      this.#start()
    }
  }

  /** Waits for what was appended, then closes. */
  async close(): Promise<void> {
    while (this.#running !== undefined) await this.#running
    await this.#file.close()
  }

  #start(): void {
    if (this.#running !== undefined || this.#queue.length === 0) return
    this.#running = this.#drain().finally(() => {
      this.#running = undefined
      this.#start()
    })
  }

  async #drain(): Promise<void> {
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0)
      try {
        await this.#write(batch)
        for (const { done } of batch) done?.resolve()
      } catch (error) {
        for (const { done } of batch) done?.reject(error)
      }
    }
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    if (this.#damaged) await this.#file.truncate(this.#length)
    this.#damaged = true
    const bytes = Buffer.concat(batch.map((waiting) => waiting.bytes))
    let written = 0
    while (written < bytes.length) written += (await this.#file.write(bytes, written)).bytesWritten
    if (batch.some(({ done }) => done !== undefined)) await this.#file.datasync()
    this.#length += bytes.length
    this.#damaged = false
  }

  async #swap(content: () => Buffer): Promise<void> {
    const next = `${this.path}.next`
    await rm(next, { force: true })
    const bytes = content()
    const file = await open(next, 'a+', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
      await rename(next, this.path)
    } catch (error) {
      await file.close()
      throw error
    }
    const old = this.#file
    this.#file = file
    this.#length = bytes.length
    this.#damaged = false
    await syncDirectory(dirname(this.path))
    await old.close()
  }
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
