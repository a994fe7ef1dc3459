// Reads what was appended to a file since the last time, also across its rotation.
import type { FileHandle, open } from 'node:fs/promises'

/** What one look reads at most; the rest comes with the next. */
const most = 4 * 1024 * 1024

/** Begins at the end of the file, without telling what is in it. A file that was replaced or cut is read from its start. */
export class Follower {
  readonly #open: (path: string, flags: 'r') => Promise<FileHandle>
  #inode: bigint | undefined
  #at = 0

  constructor(openFile: typeof open) {
    this.#open = openFile
  }

  /** The new bytes; throws the file system's error where the file cannot be read. */
  async read(path: string): Promise<{ readonly bytes: Buffer; readonly restarted: boolean }> {
    const file = await this.#open(path, 'r')
    try {
      const { ino, size: length } = await file.stat({ bigint: true })
      const size = Number(length)
      const first = this.#inode === undefined
      const restarted = !first && (ino !== this.#inode || size < this.#at)
      if (first) this.#at = size
      if (restarted) this.#at = 0
      this.#inode = ino
      const bytes = Buffer.alloc(Math.min(size - this.#at, most))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#at)
      this.#at += bytesRead
      return { bytes: bytes.subarray(0, bytesRead), restarted }
    } finally {
      await file.close()
    }
  }

  /** Bytes that were read but are not whole yet are read again. */
  giveBack(bytes: number): void {
    this.#at -= bytes
  }
}
