// The files under `file_roots`, and payloads. No path leaves its root, through `..` or through links.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readdir, readlink, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type IgnoresFile, ignoresNothing } from '../../../core/config/index.ts'
import { isFilePath } from '../../../master/file-path.ts'
import type { FileRange, FileStore, FileTree, FileWritten, StoredFile } from '../../../master/ports.ts'
import type { PayloadStore } from './payload-store.ts'
import { writeBelow } from './write-below.ts'

/** `file_roots`: the directories of each saltenv; the first that has a path wins. */
export type FileRoots = Readonly<Record<string, readonly string[]>>

interface Hashed {
  /** Size, time of change and inode: where they are the same, so is the content. */
  readonly stamp: string
  readonly hash: string
}

/**
 * Reads below the roots.
 *
 * INVARIANTS
 * - what is read is a regular file whose real path lies below the real path of its root: a link may lead anywhere within
 *   its root, nowhere else.
 * - what is ignored is neither listed nor read; it can be written.
 * - a hash belongs to the bytes the file had when its stamp was taken.
 */
export class RootFiles implements Omit<FileStore, 'putPayload' | 'payload'> {
  readonly #roots: FileRoots
  readonly #ignores: IgnoresFile
  readonly #hashes = new Map<string, Hashed>()

  constructor(roots: FileRoots, ignores: IgnoresFile = ignoresNothing) {
    this.#roots = roots
    this.#ignores = ignores
  }

  async envs(): Promise<string[]> {
    return Object.keys(this.#roots)
  }

  async list(saltenv: string): Promise<StoredFile[]> {
    const found = new Map<string, StoredFile>()
    for (const root of this.#rootsOf(saltenv)) {
      for (const path of await pathsBelow(root)) {
        if (found.has(path) || this.#ignores(root, path)) continue
        const file = await this.#stored(root, path)
        if (file !== undefined) found.set(path, file)
      }
    }
    return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  async find(saltenv: string, path: string): Promise<StoredFile | undefined> {
    if (!isFilePath(path)) return undefined
    for (const root of this.#rootsWith(saltenv, path)) {
      const file = await this.#stored(root, path)
      if (file !== undefined) return file
    }
    return undefined
  }

  async read(saltenv: string, path: string, range?: FileRange): Promise<Uint8Array | undefined> {
    if (!isFilePath(path)) return undefined
    for (const root of this.#rootsWith(saltenv, path)) {
      const bytes = await reading(root, path, (file) => (range === undefined ? file.readFile() : part(file, range)))
      if (bytes !== undefined) return bytes
    }
    return undefined
  }

  async tree(saltenv: string): Promise<FileTree> {
    const directories = new Set<string>()
    const empty = new Set<string>()
    const links: Record<string, string> = {}
    for (const root of this.#rootsOf(saltenv)) {
      await eachBelow(root, {
        link: (path, to) => {
          if (!this.#ignores(root, path)) links[path] ??= to
        },
        folder: (path, entries) => {
          if (this.#ignores(root, path)) return
          directories.add(path)
          if (entries === 0) empty.add(path)
        },
      })
    }
    return { directories: [...directories].sort(), empty: [...empty].sort(), links }
  }

  async write(saltenv: string, path: string, bytes: Uint8Array, root: number): Promise<FileWritten> {
    if (!Object.hasOwn(this.#roots, saltenv)) return { kind: 'no-environment' }
    const folder = this.#rootsOf(saltenv)[root]
    if (folder === undefined) return { kind: 'no-root' }
    return isFilePath(path) && (await writeBelow(folder, path, bytes)) ? { kind: 'written' } : { kind: 'outside' }
  }

  #rootsOf(saltenv: string): readonly string[] {
    return Object.hasOwn(this.#roots, saltenv) ? (this.#roots[saltenv] ?? []) : []
  }

  /** The roots where a path may be looked for. */
  #rootsWith(saltenv: string, path: string): readonly string[] {
    return this.#rootsOf(saltenv).filter((root) => !this.#ignores(root, path))
  }

  #stored(root: string, path: string): Promise<StoredFile | undefined> {
    return reading(root, path, async (file) => {
      const { size, mtimeNs, ino, mode } = await file.stat({ bigint: true })
      const stamp = `${size}.${mtimeNs}.${ino}`
      const key = join(root, path)
      const known = this.#hashes.get(key)
      const hash = known?.stamp === stamp ? known.hash : await hashOf(file)
      this.#hashes.set(key, { stamp, hash })
      return { path, hash, size: Number(size), mode: (Number(mode) & 0o7777).toString(8).padStart(4, '0') }
    })
  }
}

/** The files of `file_roots`, and payloads. */
export class EmbeddedFileStore extends RootFiles implements FileStore {
  readonly #payloads: PayloadStore

  constructor(roots: FileRoots, payloads: PayloadStore, ignores?: IgnoresFile) {
    super(roots, ignores)
    this.#payloads = payloads
  }

  putPayload(hash: string, bytes: Uint8Array): Promise<void> {
    return this.#payloads.put(hash, bytes)
  }

  payload(hash: string): Promise<Uint8Array | undefined> {
    return this.#payloads.get(hash)
  }
}

async function part(file: FileHandle, { offset, length }: FileRange): Promise<Uint8Array> {
  const { size } = await file.stat()
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
  const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, offset)
  return bytes.subarray(0, bytesRead)
}

/** Opens a file below a root and works on it; undefined where there is none, or where it lies elsewhere. */
async function reading<T>(root: string, path: string, work: (file: FileHandle) => Promise<T>): Promise<T | undefined> {
  let file: FileHandle | undefined
  try {
    const base = await realpath(root)
    const real = await realpath(join(base, path))
    if (!real.startsWith(base.endsWith(sep) ? base : base + sep)) return undefined
    file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (!(await file.stat()).isFile()) return undefined
    return await work(file)
  } catch (error) {
    if (isNoFile(error)) return undefined
    throw error
  } finally {
    await file?.close()
  }
}

/** Paths of all that is no directory below a root. */
async function pathsBelow(root: string): Promise<string[]> {
  const paths: string[] = []
  await eachBelow(root, { file: (path) => paths.push(path) })
  return paths
}

/** What is met below a root, by its path. */
interface Meeting {
  readonly file?: (path: string) => unknown
  readonly folder?: (path: string, entries: number) => unknown
  readonly link?: (path: string, to: string) => unknown
}

/** Walks what lies below a root, following links to directories once each and none that leads out of it. */
async function eachBelow(root: string, met: Meeting): Promise<void> {
  const seen = new Set<string>()
  const walk = async (relative: string): Promise<void> => {
    const real = await realOf(join(root, relative))
    if (real === undefined || seen.has(real)) return
    seen.add(real)
    const entries = await readdir(real, { withFileTypes: true })
    if (relative !== '') met.folder?.(relative, entries.length)
    for (const entry of entries) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (entry.isDirectory()) await walk(path)
      else if (entry.isFile()) met.file?.(path)
      else if (entry.isSymbolicLink()) await follow(path)
    }
  }
  const follow = async (path: string): Promise<void> => {
    if (met.link !== undefined) met.link(path, await readlink(join(root, path)))
    const base = await realOf(root)
    const real = await realOf(join(root, path))
    if (base === undefined || real === undefined || !real.startsWith(base + sep)) return
    if (await isFolder(real)) await walk(path)
    else met.file?.(path)
  }
  await walk('')
}

async function realOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (isNoFile(error)) return undefined
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return (await handle.stat()).isDirectory()
  } finally {
    await handle.close()
  }
}

async function hashOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0 })) hash.update(chunk)
  return hash.digest('hex')
}

const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO', 'ENAMETOOLONG'])

function isNoFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_FILE.has(String(error.code))
}
