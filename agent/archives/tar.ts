// What a tar archive has in it, read from its headers alone, whatever it is compressed with.
import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** One entry; a directory's name has no slash at its end. */
export interface TarMember {
  readonly name: string
  readonly kind: 'directory' | 'link' | 'file'
}

/** It is no tar archive, is cut off, or there is no program to decompress it. */
export class UnreadableTar extends Error {}

const BLOCK = 512

/** The members in their order. Rejects with {@link UnreadableTar}, or the file system's error. */
export async function tarMembers(path: string): Promise<TarMember[]> {
  const members: TarMember[] = []
  const reader = new HeaderReader((member) => void members.push(member))
  const { stream, ended } = await decompressed(path)
  try {
    for await (const chunk of stream) if (!reader.take(chunk as Buffer)) break
  } catch (error) {
    throw new UnreadableTar(error instanceof Error ? error.message : String(error))
  } finally {
    stream.destroy()
  }
  await ended
  if (!reader.isSound) throw new UnreadableTar(`${path} is no tar archive`)
  return members
}

interface Decompressed {
  readonly stream: Readable
  /** Rejects where the program could not be run. */
  readonly ended: Promise<void>
}

const PROGRAMS: readonly (readonly [magic: string, program: string])[] = [
  ['425a68', 'bzip2'],
  ['fd377a585a00', 'xz'],
  ['5d0000', 'lzma'],
  ['28b52ffd', 'zstd'],
]

async function decompressed(path: string): Promise<Decompressed> {
  const magic = await beginning(path)
  const done = Promise.resolve()
  if (magic.startsWith('1f8b')) {
    const source = createReadStream(path)
    const gunzip = createGunzip()
    source.on('error', (error) => gunzip.destroy(error))
    return { stream: source.pipe(gunzip), ended: done }
  }
  const program = PROGRAMS.find(([begins]) => magic.startsWith(begins))?.[1]
  if (program === undefined) return { stream: createReadStream(path), ended: done }
  const child = spawn(program, ['-dc', path], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', () => reject(new UnreadableTar(`there is no ${program}`)))
    child.on('close', () => resolve())
  })
  // Whoever reads the stream hears of it there first.
  ended.catch(() => child.stdout.destroy())
  return { stream: child.stdout, ended }
}

async function beginning(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(6) })
    return buffer.subarray(0, bytesRead).toString('hex')
  } finally {
    await file.close()
  }
}

/** Takes the archive piece by piece and tells its members; the data between is passed over. */
class HeaderReader {
  readonly #tell: (member: TarMember) => void
  #pending: Buffer = Buffer.alloc(0)
  /** Bytes of data still to be passed over. */
  #skip = 0
  /** The header whose data is being gathered: a long name or pax records. */
  #gathering: { readonly type: string; readonly size: number } | undefined
  #longName: string | undefined
  #headers = 0
  #isBroken = false

  constructor(tell: (member: TarMember) => void) {
    this.#tell = tell
  }

  /** Whether there was at least one header, and nothing that is none. */
  get isSound(): boolean {
    return this.#headers > 0 && !this.#isBroken
  }

  /** False where there is nothing more to be learnt. */
  take(chunk: Buffer): boolean {
    let rest = chunk
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, rest.length)
      this.#skip -= skipped
      rest = rest.subarray(skipped)
    }
    this.#pending = this.#pending.length === 0 ? rest : Buffer.concat([this.#pending, rest])
    for (;;) {
      const needed = this.#gathering === undefined ? BLOCK : padded(this.#gathering.size)
      if (this.#pending.length < needed) return true
      const block = this.#pending.subarray(0, needed)
      this.#pending = this.#pending.subarray(needed)
      if (this.#gathering !== undefined) this.#gathered(this.#gathering, block)
      else if (!this.#header(block)) return false
      const skipped = Math.min(this.#skip, this.#pending.length)
      this.#skip -= skipped
      this.#pending = this.#pending.subarray(skipped)
    }
  }

  #gathered({ type, size }: { readonly type: string; readonly size: number }, block: Buffer): void {
    const data = block.subarray(0, size)
    if (type === 'L') this.#longName = textTo0(data)
    else if (type === 'x') this.#longName = paxPath(data) ?? this.#longName
    this.#gathering = undefined
  }

  #header(block: Buffer): boolean {
    if (block.every((byte) => byte === 0)) {
      // An archive of nothing is one too.
      this.#headers++
      return false
    }
    if (checksum(block) !== Number.parseInt(textTo0(block.subarray(148, 156)).trim(), 8)) {
      this.#isBroken = this.#headers === 0
      return false
    }
    this.#headers++
    const type = String.fromCharCode(block[156] ?? 0)
    const size = sizeOf(block)
    if (type === 'L' || type === 'K' || type === 'x' || type === 'g') {
      this.#gathering = { type, size }
      return true
    }
    const name = (this.#longName ?? nameOf(block)).replace(/\/+$/, '')
    this.#longName = undefined
    const ends = nameOf(block).endsWith('/') && (type === '\0' || type === '0')
    this.#tell({ name, kind: type === '5' || ends ? 'directory' : type === '2' ? 'link' : 'file' })
    this.#skip = ['1', '2', '3', '4', '5', '6'].includes(type) ? 0 : padded(size)
    return true
  }
}

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK

function textTo0(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.subarray(0, end < 0 ? bytes.length : end).toString('utf8')
}

function nameOf(block: Buffer): string {
  const name = textTo0(block.subarray(0, 100))
  const isPosix = block.subarray(257, 263).toString('latin1') === 'ustar\0'
  const prefix = isPosix ? textTo0(block.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Octal digits, or with the first bit set a large number in base 256. */
function sizeOf(block: Buffer): number {
  const field = block.subarray(124, 136)
  if (((field[0] ?? 0) & 0x80) === 0) return Number.parseInt(textTo0(field).trim() || '0', 8)
  return field.subarray(1).reduce((size, byte) => size * 256 + byte, 0)
}

function checksum(block: Buffer): number {
  return block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)
}

/** The `path` of pax records: each is its length, a blank, `key=value`, a newline. */
function paxPath(data: Buffer): string | undefined {
  let at = 0
  let path: string | undefined
  while (at < data.length) {
    const blank = data.indexOf(32, at)
    const length = Number.parseInt(data.subarray(at, blank).toString('latin1'), 10)
    if (blank < 0 || !(length > 0)) break
    const record = data.subarray(blank + 1, at + length - 1).toString('utf8')
    if (record.startsWith('path=')) path = record.slice('path='.length)
    at += length
  }
  return path
}
