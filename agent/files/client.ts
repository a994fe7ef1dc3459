// The files a minion uses: cached from the master, from web servers, or where they are.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BrineError } from '../../core/error.ts'
import type { Outgoing } from '../connection/outgoing.ts'
import { download } from './download.ts'
import { hashOfFile } from './hash.ts'
import { filesBelow } from './local-source.ts'
import { isInside, saltPath } from './salt-path.ts'
import type { FileSource, FileStat, Found, SourceFile } from './source.ts'

/** How to cache a file of a web server. */
export interface CacheOptions {
  /** SHA-256, hex: a copy that has it is taken as it is. */
  readonly hash?: string
}

/** The files by URL. What is cached is read and never changed by who gets its path. */
export interface FileClient {
  /** Where the copies are: below it the environments, and beside it `extrn_files`. */
  readonly root: string
  envs(): Promise<string[]>
  list(saltenv: string): Promise<readonly SourceFile[]>
  /** What is told of the file at `salt://…`; undefined where there is none. */
  stat(url: string, saltenv?: string): Promise<FileStat | undefined>
  /**
   * The path of a current copy of `salt://…` (`?saltenv=` names an environment), of `http(s)://…`, or of `file://…` and a
   * plain path, which are taken where they are. Undefined where there is none. Rejects with a BrineError `download`,
   * `unreachable` or `url`.
   */
  cache(url: string, saltenv?: string, options?: CacheOptions): Promise<string | undefined>
  /** Where {@link cache} puts it, whether it is there or not. */
  destination(url: string, saltenv?: string): string
  /** The path of the copy that is there, be it current or not. */
  cached(url: string, saltenv?: string): Promise<string | undefined>
  /** SHA-256, hex, of the file as its source has it; undefined where there is none. */
  hash(url: string, saltenv?: string): Promise<string | undefined>
  /** The files below a folder of an environment, cached: each with its path from that folder. */
  cacheFolder(url: string, saltenv?: string): Promise<readonly CachedFile[]>
}

/** A file of a folder. */
export interface CachedFile {
  /** From the folder on. */
  readonly relative: string
  readonly local: string
}

/** Copies of files in `<cachedir>/files`; of web servers in `<cachedir>/extrn_files`. */
export class CachingFiles implements FileClient {
  readonly root: string
  readonly #external: string
  readonly #source: FileSource
  readonly #ask: Outgoing
  readonly #hashes = new Map<string, { readonly stamp: string; readonly hash: string }>()

  constructor(cachedir: string, source: FileSource, ask: Outgoing = fetch) {
    this.#ask = ask
    this.root = join(cachedir, 'files')
    this.#external = join(cachedir, 'extrn_files')
    this.#source = source
  }

  envs(): Promise<string[]> {
    return this.#source.envs()
  }

  list(saltenv: string): Promise<readonly SourceFile[]> {
    return this.#source.list(saltenv)
  }

  async stat(url: string, saltenv = 'base'): Promise<FileStat | undefined> {
    const { path, saltenv: env } = saltPath(url, saltenv)
    return this.#source.stat(env, path)
  }

  async cache(url: string, saltenv = 'base', { hash }: CacheOptions = {}): Promise<string | undefined> {
    const scheme = schemeOf(url)
    if (scheme === 'salt') return this.#cacheSalt(url, saltenv)
    if (scheme === '' || scheme === 'file') return existing(localPath(url))
    const to = this.destination(url, saltenv)
    if (hash !== undefined && (await this.#hashAt(to)) === hash) return to
    await replacing(to, (temporary) => download(url, temporary, this.#ask))
    return to
  }

  destination(url: string, saltenv = 'base'): string {
    const scheme = schemeOf(url)
    if (scheme === '' || scheme === 'file') return localPath(url)
    if (scheme === 'salt') {
      const { path, saltenv: env } = saltPath(url, saltenv)
      return join(this.root, env, path)
    }
    if (scheme !== 'http' && scheme !== 'https')
      throw new BrineError(`${scheme}:// is no source of files here: use salt://, http://, https:// or file://.`, {
        code: 'url',
      })
    const { host, pathname, search } = new URL(url)
    const query = search === '' ? '' : `-${createHash('sha256').update(search).digest('hex').slice(0, 16)}`
    return join(this.#external, saltenv, host, `${decoded(pathname)}${query}`)
  }

  cached(url: string, saltenv = 'base'): Promise<string | undefined> {
    return existing(this.destination(url, saltenv))
  }

  async hash(url: string, saltenv = 'base'): Promise<string | undefined> {
    if (schemeOf(url) === 'salt') {
      const { path, saltenv: env } = saltPath(url, saltenv)
      return this.#source.hash(env, path)
    }
    const local = await this.cache(url, saltenv)
    return local === undefined ? undefined : this.#hashAt(local)
  }

  async cacheFolder(url: string, saltenv = 'base'): Promise<readonly CachedFile[]> {
    if (schemeOf(url) !== 'salt') {
      const folder = localPath(url)
      return (await filesBelow(folder)).map(({ path }) => ({ relative: path, local: join(folder, path) }))
    }
    const { path, saltenv: env } = saltPath(url, saltenv)
    const below = path === '' ? '' : `${path}/`
    const found: CachedFile[] = []
    for (const file of await this.#source.list(env)) {
      if (!file.path.startsWith(below)) continue
      const local = await this.#cacheSalt(`salt://${file.path}`, env)
      if (local !== undefined) found.push({ relative: file.path.slice(below.length), local })
    }
    return found
  }

  async #cacheSalt(url: string, saltenv: string): Promise<string | undefined> {
    const { path, saltenv: env } = saltPath(url, saltenv)
    if (!isInside(path) || !isInside(env)) return undefined
    const to = join(this.root, env, path)
    for (let round = 0; ; round++) {
      const found = await this.#source.find(env, path, await this.#hashAt(to))
      switch (found.kind) {
        case 'missing':
          return undefined
        case 'same':
          return to
        case 'bytes':
          if (await this.#keep(found, to)) return to
          // It was changed while it was sent.
          if (round === 2)
            throw new BrineError(`salt://${path} changes faster than it is sent.`, { code: 'unreachable' })
      }
    }
  }

  /** Writes the copy; false where what came is not what was announced. */
  async #keep({ hash, pieces }: Extract<Found, { kind: 'bytes' }>, to: string): Promise<boolean> {
    const sum = createHash('sha256')
    let isWhole = false
    await replacing(to, async (temporary) => {
      const file = await open(temporary, 'wx', 0o600)
      try {
        for await (const piece of pieces) {
          sum.update(piece)
          await file.writeFile(piece)
        }
      } finally {
        await file.close()
      }
      isWhole = sum.digest('hex') === hash
      return isWhole
    })
    return isWhole
  }

  async #hashAt(path: string): Promise<string | undefined> {
    const found = await stat(path, { bigint: true }).catch(() => undefined)
    if (found?.isFile() !== true) return undefined
    const stamp = `${found.size}.${found.mtimeNs}.${found.ctimeNs}.${found.ino}`
    const known = this.#hashes.get(path)
    if (known?.stamp === stamp) return known.hash
    const hash = await hashOfFile(path, 'sha256')
    this.#hashes.set(path, { stamp, hash })
    return hash
  }
}

/** Has a new file written beside `to` and puts it there, unless `write` answers false. */
async function replacing(to: string, write: (temporary: string) => Promise<unknown>): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const temporary = join(dirname(to), `.${randomUUID()}`)
  try {
    if ((await write(temporary)) !== false) await rename(temporary, to)
  } finally {
    await rm(temporary, { force: true })
  }
}

function schemeOf(url: string): string {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase() ?? ''
}

function localPath(url: string): string {
  return schemeOf(url) === 'file' ? fileURLToPath(url) : url
}

/** A URL's path without its escapes; `..` is no folder's name. */
function decoded(pathname: string): string {
  try {
    const path = decodeURIComponent(pathname)
    return path.split('/').includes('..') || path.includes('\0') ? pathname : path
  } catch {
    return pathname
  }
}

async function existing(path: string): Promise<string | undefined> {
  return (await stat(path).catch(() => undefined))?.isFile() === true ? path : undefined
}
