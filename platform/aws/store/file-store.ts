// The files of `salt://`, in S3: one object says which there are, the others are the files, by their hashes.

import { isFilePath } from '../../../master/file-path.ts'
import type { FileRange, FileStore, FileTree, FileWritten, StoredFile } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { blobObject, filesLock, filesObject, ownFolders } from '../layout/index.ts'
import type { Dynamo } from './dynamo.ts'
import { locked } from './lock.ts'
import type { Objects } from './objects.ts'
import { inParallel } from './parallel.ts'
import { hashOf, type Payloads } from './payloads.ts'

/** Files by saltenv and path. */
export type FileTrees = Readonly<Record<string, Readonly<Record<string, Uint8Array>>>>

/** Modes of files, four octal digits, by saltenv and path. */
export type FileModes = Readonly<Record<string, Readonly<Record<string, string>>>>

type Listing = ReadonlyMap<string, ReadonlyMap<string, StoredFile>>

/** What the files are kept in. */
export interface FileParts {
  readonly objects: Objects
  readonly payloads: Payloads
  readonly dynamo: Dynamo
  readonly clock: Pick<Clock, 'now'>
}

/** Microseconds for which the listing is taken as it is. */
const FRESH = 5_000_000

/**
 * Files of one deployment.
 *
 * INVARIANTS
 * - the listing names only files whose objects are stored, so that all change together when it is replaced.
 * - a path is looked up in the listing and never becomes part of an object's key.
 */
export class BucketFileStore implements FileStore {
  readonly #parts: FileParts
  readonly #folder: string
  #listing: { readonly at: number; readonly files: Listing } | undefined

  /** `folder` is one of those whose files never are among those of `salt://`. */
  constructor(parts: FileParts, folder: '' | (typeof ownFolders)[number] = '') {
    this.#parts = parts
    this.#folder = folder
  }

  async envs(): Promise<string[]> {
    return [...(await this.#list()).keys()]
  }

  async list(saltenv: string): Promise<StoredFile[]> {
    const files = [...((await this.#list()).get(saltenv)?.values() ?? [])]
    return files.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  async find(saltenv: string, path: string): Promise<StoredFile | undefined> {
    return (await this.#list()).get(saltenv)?.get(path)
  }

  async read(saltenv: string, path: string, range?: FileRange): Promise<Uint8Array | undefined> {
    const file = await this.find(saltenv, path)
    return file === undefined ? undefined : this.#parts.objects.get(blobObject(file.hash), range)
  }

  /** Directories are those that files lie in; the bucket knows no empty ones and no links. */
  async tree(saltenv: string): Promise<FileTree> {
    const directories = new Set<string>()
    for (const { path } of await this.list(saltenv)) {
      const parts = path.split('/')
      for (let length = 1; length < parts.length; length++) directories.add(parts.slice(0, length).join('/'))
    }
    return { directories: [...directories].sort(), empty: [], links: {} }
  }

  /** What is written stays until the next deployment, which brings its own files. There is one root. */
  async write(saltenv: string, path: string, bytes: Uint8Array, root: number): Promise<FileWritten> {
    const { objects } = this.#parts
    return locked(this.#parts, filesLock, 'The list of files', async (): Promise<FileWritten> => {
      const written = await objects.get(filesObject)
      const listing = written === undefined ? [] : entriesIn(written)
      const place = listing.find(
        (each) => folderOf(each.saltenv) === this.#folder && each.saltenv === `${this.#folder}${saltenv}`,
      )
      if (place === undefined) return { kind: 'no-environment' }
      if (root !== 0) return { kind: 'no-root' }
      if (!isFilePath(path)) return { kind: 'outside' }
      // A file where a directory is, or the other way round, could be deployed to no machine.
      if (place.files.some((file) => file.path.startsWith(`${path}/`) || path.startsWith(`${file.path}/`)))
        return { kind: 'outside' }
      const hash = hashOf(bytes)
      const mode = place.files.find((file) => file.path === path)?.mode ?? '0644'
      const files = [...place.files.filter((file) => file.path !== path), { path, hash, size: bytes.byteLength, mode }]
      if (!(await objects.has(blobObject(hash)))) await objects.put(blobObject(hash), bytes)
      const next = listing.map((each) => (each === place ? { ...each, files } : each))
      await objects.put(filesObject, Buffer.from(JSON.stringify(next)))
      this.#listing = undefined
      return { kind: 'written' }
    })
  }

  putPayload(hash: string, bytes: Uint8Array): Promise<void> {
    return this.#parts.payloads.put(hash, bytes)
  }

  payload(hash: string): Promise<Uint8Array | undefined> {
    return this.#parts.payloads.get(hash)
  }

  async #list(): Promise<Listing> {
    const now = this.#parts.clock.now()
    if (this.#listing === undefined || now - this.#listing.at > FRESH) {
      const bytes = await this.#parts.objects.get(filesObject)
      this.#listing = { at: now, files: bytes === undefined ? new Map() : listingIn(bytes, this.#folder) }
    }
    return this.#listing.files
  }
}

/** Stores the files, then the listing: whoever reads meanwhile has the old ones. */
export async function storeFiles(objects: Objects, trees: FileTrees, modes: FileModes = {}): Promise<void> {
  const listing = Object.entries(trees).map(([saltenv, files]) => ({
    saltenv,
    files: Object.entries(files).map(([path, bytes]) => ({
      path,
      hash: hashOf(bytes),
      size: bytes.byteLength,
      mode: modes[saltenv]?.[path],
    })),
  }))
  const blobs = new Map(
    Object.values(trees).flatMap((files) => Object.values(files).map((bytes) => [hashOf(bytes), bytes])),
  )
  await inParallel([...blobs], async ([hash, bytes]) => {
    if (!(await objects.has(blobObject(hash)))) await objects.put(blobObject(hash), bytes)
  })
  await objects.put(filesObject, Buffer.from(JSON.stringify(listing)))
}

function entriesIn(bytes: Uint8Array): { readonly saltenv: string; readonly files: readonly StoredFile[] }[] {
  return JSON.parse(Buffer.from(bytes).toString()) as { saltenv: string; files: StoredFile[] }[]
}

/** The folder that an entry of the listing belongs to; empty for `salt://`. */
function folderOf(saltenv: string): string {
  return ownFolders.find((each) => saltenv.startsWith(each)) ?? ''
}

function listingIn(bytes: Uint8Array, folder: string): Listing {
  const own = entriesIn(bytes).filter(({ saltenv }) => folderOf(saltenv) === folder)
  return new Map(
    own.map(({ saltenv, files }) => [saltenv.slice(folder.length), new Map(files.map((file) => [file.path, file]))]),
  )
}
