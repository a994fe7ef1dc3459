// brine-key --import: keys accepted before their minions come, and never in place of another.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readKeys } from '../../cli/commands/key-import.ts'
import { type TestMaster, testMaster, testMinion } from '../master/harness.ts'

let started: TestMaster
let folder: string
beforeEach(async () => {
  started = await testMaster()
  folder = mkdtempSync(join(tmpdir(), 'brine-import-'))
})
afterEach(async () => {
  await started.close()
  rmSync(folder, { recursive: true, force: true })
})

const rsa = (bits: number): string =>
  generateKeyPairSync('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).publicKey

test('a minion whose key was admitted joins at once, with an event and a line in the audit', async () => {
  const minion = testMinion('web1')
  expect(await started.master.keys.admit({ web1: `${minion.pub}\n` }, 'root')).toEqual({ web1: 'accepted' })
  expect((await started.events()).map(({ tag, data }) => [tag, data])).toEqual([
    ['salt/key', expect.objectContaining({ act: 'accept', id: 'web1', result: true })],
  ])
  expect((await started.master.authenticate(await minion.request())).kind).toBe('token')
})

test('another key of the id is denied, whoever comes first', async () => {
  const [first, second] = [testMinion('web1'), testMinion('web1')]
  await started.master.keys.admit({ web1: first.pub }, 'root')
  expect((await started.master.authenticate(await second.request())).kind).not.toBe('token')
  expect(await started.master.keys.admit({ web1: second.pub }, 'root')).toEqual({ web1: 'other' })
  expect((await started.master.authenticate(await first.request())).kind).toBe('token')
})

test('a pending key is accepted, an accepted one known, a rejected one stays rejected', async () => {
  const minion = testMinion('web1')
  await started.master.authenticate(await minion.request())
  expect((await started.master.keys.lists()).minions_pre).toEqual(['web1'])
  expect(await started.master.keys.admit({ web1: minion.pub }, 'root')).toEqual({ web1: 'accepted' })
  expect(await started.master.keys.admit({ web1: minion.pub }, 'root')).toEqual({ web1: 'known' })
  await started.master.keys.reject('web1', { includeAccepted: true }, 'root')
  expect(await started.master.keys.admit({ web1: minion.pub }, 'root')).toEqual({ web1: 'rejected' })
})

test('keys that no minion could prove are left out', async () => {
  const keys = {
    short: rsa(1024),
    text: `-----BEGIN PUBLIC KEY-----\n${'x'.repeat(60)}\n-----END PUBLIC KEY-----`,
    good: rsa(2048),
  }
  expect(await started.master.keys.admit(keys, 'root')).toEqual({
    short: 'unusable',
    text: 'unusable',
    good: 'accepted',
  })
})

test('files are named for their minions; private keys are refused', () => {
  const { pub } = testMinion('a')
  writeFileSync(join(folder, 'web1.pub'), pub)
  writeFileSync(join(folder, 'db.example.com'), pub)
  writeFileSync(join(folder, 'README'), 'no key')
  writeFileSync(join(folder, 'web1.pem'), 'private')
  expect(Object.keys(readKeys(folder))).toEqual(['db.example.com', 'web1'])
  expect(Object.keys(readKeys(join(folder, 'web1.pub')))).toEqual(['web1'])
  expect(() => readKeys(join(folder, 'README'))).toThrow('holds no public key')
  expect(() => readKeys(join(folder, 'nowhere'))).toThrow('cannot be read')
  writeFileSync(join(folder, 'secret'), '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----')
  expect(() => readKeys(folder)).toThrow('holds a private key')
})
