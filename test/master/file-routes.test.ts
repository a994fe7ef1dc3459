// What minions are told of `salt://` files: the list, one of them alone, and its bytes.
import { createHash } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildApp } from '../../master/api/app.ts'
import { fileRoutes } from '../../master/api/file-routes.ts'
import { RootFiles } from '../../platform/embedded/store/file-store.ts'
import { type TestMaster, testMaster, testMinion } from './harness.ts'

let started: TestMaster
let root: string
let ask: (query: string) => Promise<Response>

beforeEach(async () => {
  started = await testMaster({ autoAccept: true })
  root = await mkdtemp(join(tmpdir(), 'brine-files-'))
  await writeFile(join(root, 'run.sh'), '#!/bin/sh\n')
  await chmod(join(root, 'run.sh'), 0o750)
  const { store, master } = started
  const app = buildApp(fileRoutes({ files: new RootFiles({ base: [root] }), clock: store.clock, piece: 4 }), {
    tokens: store.tokens,
    keys: store.keys,
    clock: store.clock,
    report: () => undefined,
  })
  const answer = await master.authenticate(await testMinion('m1').request())
  if (answer.kind !== 'token') throw new Error(answer.kind)
  const headers = { authorization: `Bearer ${answer.token}` }
  ask = async (query) =>
    app.fetch(new Request(`http://master/minion/files${query}`, { headers }), { transport: 'tcp', localUser: 'root' })
})
afterEach(async () => {
  started.close()
  await rm(root, { recursive: true })
})

const about = { hash: createHash('sha256').update('#!/bin/sh\n').digest('hex'), size: 10, mode: '0750' }

it('tells of one file what the list tells of it, its mode too', async () => {
  const listed = await ask('?saltenv=base')
  expect(await listed.json()).toMatchObject({ files: [{ path: 'run.sh', ...about }] })
  const one = await ask('?saltenv=base&path=run.sh&stat=1')
  expect(await one.json()).toMatchObject(about)
  expect((await ask('?saltenv=base&path=nothing&stat=1')).status).toBe(404)
})

it('gives bytes in pieces, and none to who has the file', async () => {
  const piece = await ask('?saltenv=base&path=run.sh&offset=8')
  expect([await piece.text(), piece.headers.get('brine-hash'), piece.headers.get('brine-size')]).toEqual([
    'h\n',
    about.hash,
    '10',
  ])
  expect(await (await ask('?saltenv=base&path=run.sh')).text()).toBe('#!/b')
  expect((await ask(`?saltenv=base&path=run.sh&have=${about.hash}`)).status).toBe(304)
  expect((await ask('?saltenv=base&path=run.sh&offset=11')).status).toBe(400)
})
