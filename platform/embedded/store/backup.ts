// Back-up of a store that is in use, as one file, and its restoration.
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { BrineError, messageOf } from '../../../core/error.ts'
import { headerOf } from '../../../master/api/salt/tar.ts'
import { type OpenStore, openStore, storeName } from './open-store.ts'
import { lockDirectory } from './process-lock.ts'
import { readArchive } from './read-archive.ts'

const BLOCK = 512
const MANIFEST = 'brine-backup.json'

/** What was backed up: the file's path and size, and how many payloads are in it beside the store. */
export interface Backup {
  readonly path: string
  readonly bytes: number
  readonly payloads: number
}

/**
 * Writes the store as it is at this moment, and its payloads, into a new file (tar, gzip; mode 600). Others go on writing
 * meanwhile. The file has its name only when it is whole and on the disk. Throws `backup-exists` and `backup-write`.
 */
export async function writeBackup(store: OpenStore, payloads: string, path: string): Promise<Backup> {
  if (existsSync(path)) {
    throw new BrineError(`${path} exists already, and a back-up overwrites nothing. Choose another name.`, {
      code: 'backup-exists',
    })
  }
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const folder = await mkdtemp(`${path}.`)
    try {
      await store.root.backup(folder, true)
      const draft = join(folder, 'archive')
      const count = { payloads: 0 }
      const file = createWriteStream(draft, { flags: 'wx', mode: 0o600 })
      await pipeline(archive(join(folder, 'data.mdb'), payloads, store, count), createGzip({ level: 1 }), file)
      await sync(draft)
      await rename(draft, path)
      await sync(dirname(path))
      return { path, bytes: (await stat(path)).size, payloads: count.payloads }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } catch (cause) {
    throw new BrineError(`No back-up was written to ${path}: ${messageOf(cause)}.`, { code: 'backup-write', cause })
  }
}

async function* archive(
  data: string,
  payloads: string,
  store: OpenStore,
  count: { payloads: number },
): AsyncGenerator<Buffer> {
  const manifest = Buffer.from(`${JSON.stringify({ version: 1, store: store.id })}\n`)
  yield* filled(MANIFEST, manifest.length, [manifest])
  yield* fromFile('store/data.mdb', data)
  for (const folder of await namesIn(payloads)) {
    for (const name of await namesIn(join(payloads, folder))) {
      // Its name is its hash: what has one is whole. One that is swept away meanwhile is not needed.
      if (!/^[0-9a-f]{64}$/.test(name) || !existsSync(join(payloads, folder, name))) continue
      yield* fromFile(`payloads/${folder}/${name}`, join(payloads, folder, name))
      count.payloads++
    }
  }
  yield Buffer.alloc(2 * BLOCK)
}

async function* fromFile(name: string, path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    yield* filled(name, size, file.createReadStream({ autoClose: false, end: size - 1 }))
  } finally {
    await file.close()
  }
}

async function* filled(
  name: string,
  size: number,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield headerOf(name, size)
  if (size > 0) yield* content
  yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}

async function namesIn(folder: string): Promise<string[]> {
  return existsSync(folder) ? (await readdir(folder)).sort() : []
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What was restored, and where what stood there before was put. */
export interface Restored {
  readonly from: string
  readonly events: number
  readonly before: string | undefined
}

/**
 * Puts a back-up in the place of what the data directory holds, which is kept beside it. The store gets another id: a
 * cursor from after the back-up reads from the oldest event. Nothing is changed before the back-up was read whole and
 * opened. Throws `store-locked` where a master runs, `backup-read`, `store-newer`.
 */
export async function restoreBackup(path: string, dataDir: string): Promise<Restored> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(dataDir)
  try {
    const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
    const next = await mkdtemp(join(dataDir, 'restore-'))
    try {
      await unpack(path, next)
      const events = await renew(next)
      const before = join(dataDir, `before-restore-${stamp}`)
      const moved: string[] = []
      for (const name of [storeName, 'payloads']) {
        if (!existsSync(join(dataDir, name))) continue
        await mkdir(before, { recursive: true, mode: 0o700 })
        await rename(join(dataDir, name), join(before, name))
        moved.push(name)
      }
      for (const name of [storeName, 'payloads'])
        if (existsSync(join(next, name))) await rename(join(next, name), join(dataDir, name))
      await sync(dataDir)
      return { from: path, events, before: moved.length > 0 ? before : undefined }
    } finally {
      await rm(next, { recursive: true, force: true })
    }
  } finally {
    lock.release()
  }
}

/** Opens what was unpacked, which migrates it and shows that it is whole, and gives it another id. */
async function renew(folder: string): Promise<number> {
  const store = await openStore(folder)
  try {
    await store.commits.write(() => store.table('meta').remove('id'))
    return store.table('log').count()
  } finally {
    await store.close()
  }
}

async function unpack(path: string, folder: string): Promise<void> {
  let names = 0
  try {
    const unzipped = createGunzip()
    const source = createReadStream(path)
    source.on('error', (error) => unzipped.destroy(error))
    for await (const entry of readArchive(source.pipe(unzipped))) {
      const isKnown = /^(?:store\/data\.mdb|payloads\/[0-9a-f]{2}\/[0-9a-f]{64})$/.test(entry.name)
      if (names++ === 0 ? entry.name !== MANIFEST : !isKnown) throw new Error(`it holds ${entry.name.slice(0, 80)}`)
      if (!isKnown) continue
      const target = join(folder, entry.name)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await pipeline(entry.content, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
      await sync(target)
    }
    if (names < 2) throw new Error('it holds no store')
  } catch (cause) {
    throw new BrineError(`${path} cannot be restored: ${messageOf(cause)}. Give a file that store.backup wrote.`, {
      code: 'backup-read',
      cause,
    })
  }
}
