// The files of `salt://`, in S3: one object says which there are, the others are the files, by their hashes.
import type { FileRange, FileStore, FileTree, StoredFile } from '../../../master/ports.ts'
import { blobObject, filesObject, pillarFolder } from '../layout/index.ts'
import type { Objects } from './objects.ts'
import { inParallel } from './parallel.ts'
import { hashOf, type Payloads } from './payloads.ts'

/** Files by saltenv and path. */
export type FileTrees = Readonly<Record<string, Readonly<Record<string, Uint8Array>>>>

/** Modes of files, four octal digits, by saltenv and path. */
export type FileModes = Readonly<Record<string, Readonly<Record<string, string>>>>

type Listing = ReadonlyMap<string, ReadonlyMap<string, StoredFile>>

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
  readonly #objects: Objects
  readonly #payloads: Payloads
  readonly #now: () => number
  readonly #folder: string
  #listing: { readonly at: number; readonly files: Listing } | undefined

  /** `folder` is `pillar:` for the pillar's files, which never are among those of `salt://`. */
  constructor(objects: Objects, payloads: Payloads, now: () => number, folder: '' | typeof pillarFolder = '') {
    this.#objects = objects
    this.#payloads = payloads
    this.#now = now
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
    return file === undefined ? undefined : this.#objects.get(blobObject(file.hash), range)
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

  putPayload(hash: string, bytes: Uint8Array): Promise<void> {
    return this.#payloads.put(hash, bytes)
  }

  payload(hash: string): Promise<Uint8Array | undefined> {
    return this.#payloads.get(hash)
  }

  async #list(): Promise<Listing> {
    if (this.#listing === undefined || this.#now() - this.#listing.at > FRESH) {
      const bytes = await this.#objects.get(filesObject)
      this.#listing = { at: this.#now(), files: bytes === undefined ? new Map() : listingIn(bytes, this.#folder) }
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

function listingIn(bytes: Uint8Array, folder: string): Listing {
  const listing = JSON.parse(Buffer.from(bytes).toString()) as { saltenv: string; files: StoredFile[] }[]
  const own = listing.filter(({ saltenv }) => (saltenv.startsWith(pillarFolder) ? pillarFolder : '') === folder)
  return new Map(
    own.map(({ saltenv, files }) => [saltenv.slice(folder.length), new Map(files.map((file) => [file.path, file]))]),
  )
}
