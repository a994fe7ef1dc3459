// Zip archives: what is in them, taken out and put in, without a program.
import { chmod, mkdir, open, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync, inflateRawSync } from 'node:zlib'
import { currentUmask } from '../filesystem/umask.ts'

/** One entry, as the directory at the archive's end has it. */
export interface ZipMember {
  /** A directory's ends with a slash. */
  readonly name: string
  /** The file's mode, type included; 0 where it was not written on a Unix. */
  readonly mode: number
  readonly isEncrypted: boolean
  readonly method: number
  readonly packed: number
  readonly offset: number
}

/** The file is no zip archive, or one that cannot be read. */
export class BadZip extends Error {}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50

/** An archive in memory. */
export class ZipArchive {
  readonly #bytes: Buffer
  readonly members: readonly ZipMember[]

  private constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.members = membersOf(bytes)
  }

  /** Rejects with {@link BadZip}, or the file system's error. */
  static async read(path: string): Promise<ZipArchive> {
    return new ZipArchive(await readFile(path))
  }

  /** A member's bytes. Throws {@link BadZip} where they are encrypted, or compressed in a way that is not deflate. */
  data(member: ZipMember): Buffer {
    const { offset, packed, method, name, isEncrypted } = member
    if (isEncrypted) throw new BadZip(`File '${name}' is encrypted, password required for extraction`)
    if (this.#bytes.length < offset + 30 || this.#bytes.readUInt32LE(offset) !== LOCAL)
      throw new BadZip('Bad magic number for file header')
    const start = offset + 30 + this.#bytes.readUInt16LE(offset + 26) + this.#bytes.readUInt16LE(offset + 28)
    const data = this.#bytes.subarray(start, start + packed)
    if (method === 0) return data
    if (method !== 8) throw new BadZip('That compression method is not supported')
    return inflateRawSync(data)
  }
}

function membersOf(bytes: Buffer): ZipMember[] {
  const end = endOf(bytes)
  if (end === undefined) throw new BadZip('File is not a zip file')
  const members: ZipMember[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY)
      throw new BadZip('Bad magic number for central directory')
    const flags = bytes.readUInt16LE(at + 8)
    const length = bytes.readUInt16LE(at + 28)
    const name = bytes.subarray(at + 46, at + 46 + length)
    members.push({
      name: name.toString((flags & 0x800) === 0 && !isUtf8(name) ? 'latin1' : 'utf8'),
      mode: bytes.readUInt32LE(at + 38) >>> 16,
      isEncrypted: (flags & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    })
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return members
}

const isUtf8 = (bytes: Buffer): boolean => Buffer.from(bytes.toString('utf8')).equals(bytes)

function endOf(bytes: Buffer): number | undefined {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at--) {
    if (bytes.readUInt32LE(at) === END) return at
  }
  return undefined
}

/** How members are taken out. */
export interface Unpacking {
  /** Those that are left out, by name. */
  readonly excludes: readonly string[]
  /** Give files the modes they have in the archive. */
  readonly permissions: boolean
}

/** Takes the members out below a directory and answers their names. No name leads out of it. */
export async function unpackZip(archive: ZipArchive, into: string, unpacking: Unpacking): Promise<string[]> {
  const unpacked: string[] = []
  for (const member of archive.members) {
    const { name, mode } = member
    if (unpacking.excludes.includes(name)) continue
    const path = join(into, ...name.split('/').filter((part) => part !== '' && part !== '.' && part !== '..'))
    unpacked.push(name)
    if (isLink(mode)) {
      await mkdir(dirname(path), { recursive: true })
      await symlink(archive.data(member).toString(), path)
      continue
    }
    if (name.endsWith('/')) await mkdir(path, { recursive: true })
    else {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, archive.data(member))
    }
    if (unpacking.permissions) {
      const standard = (name.endsWith('/') ? 0o777 : 0o666) & ~currentUmask()
      await chmod(path, mode === 0 ? standard : mode & 0o7777)
    }
  }
  return unpacked
}

/** Whether a mode is a symbolic link's. */
export const isLink = (mode: number): boolean => (mode & 0o170000) === 0o120000

/** Whether a mode is a directory's. */
export const isFolder = (mode: number): boolean => (mode & 0o170000) === 0o040000

/** A file or directory to be put into an archive, and its name there; a directory's ends with a slash. */
export interface ZipSource {
  readonly name: string
  readonly path: string
}

/** Writes an archive of these. Rejects with the file system's error. */
export async function packZip(path: string, sources: readonly ZipSource[]): Promise<void> {
  const directory: Buffer[] = []
  let offset = 0
  const file = await open(path, 'w')
  try {
    for (const source of sources) {
      const { local, entry } = await packed(source, offset)
      for (const part of local) await file.write(part)
      offset += local.reduce((length, part) => length + part.length, 0)
      directory.push(entry)
    }
    const length = directory.reduce((sum, entry) => sum + entry.length, 0)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(END, 0)
    end.writeUInt16LE(sources.length, 8)
    end.writeUInt16LE(sources.length, 10)
    end.writeUInt32LE(length, 12)
    end.writeUInt32LE(offset, 16)
    for (const part of [...directory, end]) await file.write(part)
  } finally {
    await file.close()
  }
}

async function packed({ name, path }: ZipSource, offset: number): Promise<{ local: Buffer[]; entry: Buffer }> {
  const { mode, mtime } = await stat(path)
  const data = name.endsWith('/') ? Buffer.alloc(0) : await readFile(path)
  // What gzip makes is a deflated body behind ten bytes, with the checksum behind it.
  const zipped = gzipSync(data)
  const body = data.length === 0 ? data : zipped.subarray(10, -8)
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(0x800, 2)
  fields.writeUInt16LE(data.length === 0 ? 0 : 8, 4)
  fields.writeUInt16LE((mtime.getHours() << 11) | (mtime.getMinutes() << 5) | (mtime.getSeconds() >> 1), 6)
  fields.writeUInt16LE(((mtime.getFullYear() - 1980) << 9) | ((mtime.getMonth() + 1) << 5) | mtime.getDate(), 8)
  fields.writeUInt32LE(zipped.readUInt32LE(zipped.length - 8), 10)
  fields.writeUInt32LE(body.length, 14)
  fields.writeUInt32LE(data.length, 18)
  const bytes = Buffer.from(name)
  fields.writeUInt16LE(bytes.length, 22)
  const [local, entry, tail] = [Buffer.alloc(4), Buffer.alloc(6), Buffer.alloc(14)]
  local.writeUInt32LE(LOCAL, 0)
  entry.writeUInt32LE(ENTRY, 0)
  entry.writeUInt16LE((3 << 8) | 20, 4)
  tail.writeUInt32LE(((mode & 0xffff) << 16) >>> 0, 6)
  tail.writeUInt32LE(offset, 10)
  return { local: [local, fields, bytes, body], entry: Buffer.concat([entry, fields, tail, bytes]) }
}
