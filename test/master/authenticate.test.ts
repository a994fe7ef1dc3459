// Identity: who proves what, who owns a name, what a deleted or rejected key still may.
import { generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { AutosignRules } from '../../core/autosign/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import { type TestMaster, testMaster, testMinion } from './harness.ts'

let running: TestMaster | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

async function start(...options: Parameters<typeof testMaster>): Promise<TestMaster> {
  running = await testMaster(...options)
  return running
}

const acts = async (test: TestMaster): Promise<unknown[]> =>
  (await test.events())
    .filter(({ tag }) => tag === 'salt/auth')
    .map(({ data }) => (data as Record<string, unknown>).act)

test('a new key waits; accepted, it gets a token of at most 15 minutes', async () => {
  const { master, store } = await start()
  const web01 = testMinion('web01')
  expect(await master.authenticate(await web01.request())).toMatchObject({ kind: 'waiting', state: 'pending' })
  expect(await master.keys.accept('web01', {}, 'test')).toEqual(['web01'])
  const answer = await master.authenticate(await web01.request())
  expect(answer).toMatchObject({ kind: 'token', expiresIn: 900 })
  const record = answer.kind === 'token' ? await store.tokens.verify(answer.token) : undefined
  expect(record).toMatchObject({ kind: 'minion', name: 'web01', epoch: 1 })
})

test('pend is fired at first sight, not at every try', async () => {
  const started = await start()
  const web01 = testMinion('web01')
  for (let round = 0; round < 3; round++) await started.master.authenticate(await web01.request())
  expect(await acts(started)).toEqual(['pend'])
})

test('pend_interval 0 fires at every try, as Salt does', async () => {
  const started = await start({ pendInterval: 0 })
  const web01 = testMinion('web01')
  for (let round = 0; round < 3; round++) await started.master.authenticate(await web01.request())
  expect(await acts(started)).toEqual(['pend', 'pend', 'pend'])
})

test('a pending name belongs to the first key; another is denied and changes nothing', async () => {
  const started = await start()
  const [first, second] = [testMinion('web01'), testMinion('web01')]
  await started.master.authenticate(await first.request())
  expect(await started.master.authenticate(await second.request())).toMatchObject({ kind: 'waiting', state: 'denied' })
  await started.master.keys.accept('web01', {}, 'test')
  expect(await started.master.authenticate(await first.request())).toMatchObject({ kind: 'token' })
  expect(await started.master.authenticate(await second.request())).toMatchObject({ kind: 'waiting', state: 'denied' })
  expect(await acts(started)).toEqual(['pend', 'denied', 'accept', 'denied'])
})

test('a rejected key is told so, with act reject', async () => {
  const started = await start()
  const web01 = testMinion('web01')
  await started.master.authenticate(await web01.request())
  await started.master.keys.reject('web01', {}, 'test')
  expect(await started.master.authenticate(await web01.request())).toMatchObject({ kind: 'waiting', state: 'rejected' })
  expect(await acts(started)).toEqual(['pend', 'reject'])
})

test('an assertion is good once', async () => {
  const { master } = await start({ autoAccept: true })
  const request = await testMinion('web01').request()
  expect(await master.authenticate(request)).toMatchObject({ kind: 'token' })
  expect(await master.authenticate(request)).toMatchObject({ kind: 'refused', code: 'replay' })
})

test.each([
  ['another audience', { audience: 'https://elsewhere' }],
  ['an end in the past', { expiresIn: -60 }],
  ['a life of an hour', { expiresIn: 3600 }],
  ['another issuer', { issuer: 'db1' }],
  ['another key', { signWith: generateKeyPairSync('ed25519').privateKey }],
])('an assertion with %s proves nothing, and leaves no key behind', async (_what, claims) => {
  const { master } = await start({ autoAccept: true })
  expect(await master.authenticate(await testMinion('web01').request(claims))).toMatchObject({ kind: 'refused' })
  expect((await master.keys.lists()).minions).toEqual([])
})

test.each(['../x', 'a/b', 'a\nb', '', '..'])('the id %j is refused', async (id) => {
  const { master } = await start({ autoAccept: true })
  expect(await master.authenticate(await testMinion(id).request())).toMatchObject({ kind: 'refused', code: 'id' })
})

test('max_minions and the cap on pending keys hold', async () => {
  const { master } = await start({ maxPending: 1, maxMinions: 1 })
  await master.authenticate(await testMinion('a').request())
  expect(await master.authenticate(await testMinion('b').request())).toMatchObject({ kind: 'full' })
  await master.keys.accept('a', {}, 'test')
  expect(await master.authenticate(await testMinion('c').request())).toMatchObject({ kind: 'full' })
})

test('a name used again after deletion is another minion: an acceptance bound to the old key does not reach the new one', async () => {
  const { master, store } = await start()
  const [old, next] = [testMinion('web01'), testMinion('web01')]
  await master.authenticate(await old.request())
  const bound = `web01@${(await store.keys.get('web01'))?.epoch}`
  await master.keys.delete('web01', 'test')
  await master.authenticate(await next.request())
  expect(await master.keys.accept('web01', { boundTo: bound }, 'Reactor')).toEqual([])
  expect((await master.keys.lists()).minions_pre).toEqual(['web01'])
})

const rules = (more: Partial<AutosignRules> = {}) => ({
  autosign: async (): Promise<AutosignRules> => ({ accept: [], reject: [], grains: {}, ...more }),
})

test('autosign_file accepts a new key and one that waits, and no other of that name', async () => {
  const accept: string[] = []
  const started = await start({ maxPending: 1 }, rules({ accept }))
  const web01 = testMinion('web01')
  await started.master.authenticate(await web01.request())
  accept.push('web*')
  expect(await started.master.authenticate(await testMinion('web01').request())).toMatchObject({ state: 'denied' })
  expect(await started.master.authenticate(await web01.request())).toMatchObject({ kind: 'token', epoch: 1 })
  // The cap on keys that wait is none for those that do not.
  await started.master.authenticate(await testMinion('waits').request())
  expect(await started.master.authenticate(await testMinion('web02').request())).toMatchObject({ kind: 'token' })
  expect(await acts(started)).toEqual(['pend', 'denied', 'accept', 'pend', 'accept'])
  expect(await started.store.audit.recent(10)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ who: 'autosign_file', what: 'key accept', detail: { id: 'web02' } }),
    ]),
  )
})

test('autoreject_file goes before all that accepts, and leaves an accepted key alone', async () => {
  const reject: string[] = []
  const verifyIdentity = async () => ({ expected: true })
  const started = await start(
    { autoAccept: true, maxPending: 2 },
    { verifyIdentity, ...rules({ accept: ['*'], reject }) },
  )
  const [old, evil1] = [testMinion('old'), testMinion('evil1')]
  await started.master.authenticate(await old.request())
  reject.push('evil\\d', 'old')
  expect(await started.master.authenticate(await evil1.request())).toMatchObject({ kind: 'waiting', state: 'rejected' })
  expect(await started.master.authenticate(await evil1.request())).toMatchObject({ kind: 'waiting', state: 'rejected' })
  expect(await started.master.authenticate(await old.request())).toMatchObject({ kind: 'token' })
  expect(await acts(started)).toEqual(['accept', 'reject', 'reject', 'accept'])
  expect(await started.master.keys.lists()).toMatchObject({ minions: ['old'], minions_rejected: ['evil1'] })
  // Who asks under ever new names does not fill the store.
  await started.master.authenticate(await testMinion('evil2').request())
  expect(await started.master.authenticate(await testMinion('evil3').request())).toMatchObject({ kind: 'full' })
  expect((await started.master.keys.lists()).minions_rejected).toEqual(['evil1', 'evil2'])
  // What an operator accepts in spite of it stays accepted.
  await started.master.keys.accept('evil1', { includeRejected: true }, 'test')
  expect(await started.master.authenticate(await evil1.request())).toMatchObject({ kind: 'token' })
})

test('autoreject_file rejects a key that waits', async () => {
  const reject: string[] = []
  const started = await start({}, rules({ reject }))
  const web01 = testMinion('web01')
  await started.master.authenticate(await web01.request())
  reject.push('web01')
  expect(await started.master.authenticate(await web01.request())).toMatchObject({ state: 'rejected' })
  expect(await acts(started)).toEqual(['pend', 'reject'])
})

test('grains accept where all of them are told right, of a key that was proven', async () => {
  const uuid = '38a1ba42-5ab2-4b45-8e2f-b8b6c6b07b0a'
  const started = await start({ pendInterval: 0 }, rules({ grains: { uuid: [uuid], role: ['web'] } }))
  const web01 = testMinion('web01')
  const ask = async (autosign_grains: Mapping) =>
    started.master.authenticate({ ...(await web01.request()), autosign_grains })
  for (const grains of [{}, { role: 'web' }, { uuid }, { uuid, role: 'db' }])
    expect(await ask(grains)).toMatchObject({ state: 'pending' })
  const forged = { ...(await web01.request({ issuer: 'db1' })), autosign_grains: { uuid, role: 'web' } }
  expect(await started.master.authenticate(forged)).toMatchObject({ kind: 'refused' })
  expect(await ask({ uuid, role: 'web' })).toMatchObject({ kind: 'token' })
  // Neither events nor the audit tell the secret on.
  const told = JSON.stringify([await started.events(), await started.store.audit.recent(100)])
  expect(told).not.toContain(uuid)
})
