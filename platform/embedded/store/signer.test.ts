// The key's files and their modes.
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSigner } from './signer.ts'

describe('openSigner', () => {
  let directory: string
  beforeEach(() => {
    directory = join(mkdtempSync(join(tmpdir(), 'brine-pki-')), 'pki')
  })
  afterEach(() => rmSync(join(directory, '..'), { recursive: true }))

  it('makes the key for its owner alone, and the public one beside it', async () => {
    const signer = openSigner(directory)
    expect(statSync(join(directory, 'master.pem')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(directory, 'master.pub'), 'utf8')).toBe(await signer.publicKey())
    expect(await openSigner(directory).publicKey()).toBe(await signer.publicKey())
  })

  it('writes the public key again where it is missing or another', async () => {
    const pem = await openSigner(directory).publicKey()
    writeFileSync(join(directory, 'master.pub'), 'something else')
    openSigner(directory)
    expect(readFileSync(join(directory, 'master.pub'), 'utf8')).toBe(pem)
  })

  it('refuses a key that others can read', () => {
    openSigner(directory)
    chmodSync(join(directory, 'master.pem'), 0o640)
    expect(() => openSigner(directory)).toThrow(expect.objectContaining({ code: 'key-open' }))
  })

  it('refuses a key of another kind, and one that is damaged', () => {
    openSigner(directory)
    const path = join(directory, 'master.pem')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    expect(() => openSigner(directory)).toThrow(expect.objectContaining({ code: 'key-kind' }))
    writeFileSync(path, 'no key')
    expect(() => openSigner(directory)).toThrow(expect.objectContaining({ code: 'key-read' }))
  })

  it('signs fast enough for thousands of jobs', async () => {
    const signer = openSigner(directory)
    const before = performance.now()
    for (let index = 0; index < 500; index++) await signer.sign(`{"jid":"${index}"}`)
    expect((performance.now() - before) / 500).toBeLessThan(5)
  })
})
