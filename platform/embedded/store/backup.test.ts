// A back-up of a store in use holds all that was acknowledged before it, and puts it in force again.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventOf, jobOf } from '../../../test/contract/samples.ts'
import { restoreBackup } from './backup.ts'
import { claimLimit } from './claims.ts'
import { type EmbeddedStore, openEmbeddedStore } from './embedded-store.ts'
import { openStore } from './open-store.ts'

let root: string
let open: EmbeddedStore | undefined
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brine-backup-'))
})
afterEach(async () => {
  await shut()
  rmSync(root, { recursive: true })
})

async function shut(): Promise<void> {
  await open?.close()
  open = undefined
}

async function storeIn(name: string): Promise<EmbeddedStore> {
  await shut()
  open = await openEmbeddedStore({ dataDir: join(root, name), pkiDir: join(root, 'pki') })
  return open
}

const numbers = async (store: EmbeddedStore): Promise<unknown[]> =>
  (await store.log.read('oldest', 100_000)).events.map(({ event }) => (event.data as { n?: unknown }).n)

const publish = (store: EmbeddedStore, n: number): Promise<void> =>
  store.bus.publish([{ id: store.clock.eventId(), tag: 'note', data: { n }, source: 'custom' }])

it('holds what was acknowledged before, while others write on, and payloads', async () => {
  const store = await storeIn('data')
  const payload = Buffer.from('x'.repeat(100_000))
  const hash = createHash('sha256').update(payload).digest('hex')
  await store.files.putPayload(hash, payload)
  for (let n = 0; n < 50; n++) await publish(store, n)
  let writing = true
  const writer = (async () => {
    for (let n = 50; writing; n++) await publish(store, n)
  })()
  const cursor = await store.log.end()
  const backup = await store.backup()
  writing = false
  await writer
  expect(backup).toMatchObject({ payloads: 1, path: expect.stringContaining(join(root, 'data', 'backups')) })
  expect(statSync(backup.path).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(root, 'data', 'backups'))).toHaveLength(1)
  await expect(store.backup(backup.path)).rejects.toThrow('exists already')

  const restored = await restoreBackup(backup.path, join(root, 'other'))
  expect(restored.before).toBeUndefined()
  const again = await storeIn('other')
  const all = await numbers(again)
  expect(all.length).toBe(restored.events)
  expect(all.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, n) => n))
  expect(all).toEqual(all.map((_, n) => n))
  expect(Buffer.from((await again.files.payload(hash)) ?? [])).toEqual(payload)
  expect((await again.log.read(cursor, 10)).truncated).toBe(true)
  const received = await again.queue.receive(100_000, AbortSignal.timeout(5000))
  expect(received.length).toBeGreaterThan(0)
})

it('keeps what it replaces, and changes nothing where the file is not whole or a master runs', async () => {
  const store = await storeIn('data')
  await publish(store, 1)
  const { path } = await store.backup(join(root, 'one.tar.gz'))
  await publish(store, 2)
  await expect(restoreBackup(path, join(root, 'data'))).rejects.toThrow(/process|master/i)

  await shut()
  const cut = join(root, 'cut.tar.gz')
  writeFileSync(cut, readFileSync(path).subarray(0, -100))
  for (const bad of [cut, join(root, 'gone'), join(root, 'pki', 'master.pub')])
    await expect(restoreBackup(bad, join(root, 'data'))).rejects.toThrow('cannot be restored')
  expect(await numbers(await storeIn('data'))).toEqual([1, 2])

  await shut()
  const restored = await restoreBackup(path, join(root, 'data'))
  expect(existsSync(join(restored.before ?? '', 'store', 'data.mdb'))).toBe(true)
  expect(await numbers(await storeIn('data'))).toEqual([1])
  expect(readdirSync(join(root, 'data')).filter((name) => name.startsWith('restore-'))).toEqual([])
})

it('holds what is large of records, which goes with the last of them in the restored store, too', async () => {
  const store = await storeIn('data')
  const at = store.clock.now()
  const load = { jid: '1', id: 'web1', return: { text: 'ü'.repeat(claimLimit) }, retcode: 0, success: true }
  const event = eventOf('salt/job/1/ret/web1', load)
  await store.jobs.create(jobOf('1', { at }))
  await store.jobs.addReturn('1', { id: 'web1', at, load })
  await store.bus.publish([event])
  const [delivery] = await store.queue.receive(1, AbortSignal.timeout(5000))
  await store.queue.settle(delivery?.event.id ?? '', { kind: 'dead', reason: 'broken' })
  const { path } = await store.backup()

  await restoreBackup(path, join(root, 'other'))
  const again = await storeIn('other')
  expect(await again.jobs.returns('1')).toEqual([{ id: 'web1', at, load }])
  expect((await again.log.read('oldest', 9)).events.map((each) => each.event)).toEqual([event])
  expect((await again.queue.dead()).map((dead) => dead.event)).toEqual([event])

  await again.queue.redrive(event.id, 'discard')
  await again.sweep(at + 8 * 86_400_000_000)
  await shut()
  const rows = await openStore(join(root, 'other'))
  expect(['returns', 'log', 'deliveries_dead', 'bulk', 'bulk_holders'].map((name) => rows.table(name).count())).toEqual(
    [0, 0, 0, 0, 0],
  )
  await rows.close()
})
