// Keys: made once, private, of the kinds the protocol knows, with Salt's fingerprint.
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadKeys, makeAssertion, pemFinger, removeKeys } from './keys.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'brine-keys-'))
})

afterEach(async () => {
  await rm(directory, { recursive: true })
})

describe('the key pair', () => {
  it('is made at the first start, 0600, and stays', async () => {
    const keys = await loadKeys(join(directory, 'pki'))
    expect(keys.algorithm).toBe('EdDSA')
    expect((await stat(join(directory, 'pki/minion.pem'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(directory, 'pki'))).mode & 0o777).toBe(0o700)
    expect(await readFile(join(directory, 'pki/minion.pub'), 'utf8')).toBe(`${keys.pub}\n`)
    expect((await loadKeys(join(directory, 'pki'))).pub).toBe(keys.pub)
    await removeKeys(join(directory, 'pki'))
    expect((await loadKeys(join(directory, 'pki'))).pub).not.toBe(keys.pub)
  })

  it('may be RSA', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await writeFile(join(directory, 'minion.pem'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
    const keys = await loadKeys(directory)
    expect(keys.algorithm).toBe('RS256')
    expect(verify('sha256', Buffer.from('x'), createPublicKey(keys.pub), keys.sign(Buffer.from('x')))).toBe(true)
  })

  it.each([
    ['no key at all', 'rubbish'],
    [
      'a key of another kind',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ],
  ])('is refused where the file holds %s', async (_, text) => {
    await writeFile(join(directory, 'minion.pem'), text)
    await expect(loadKeys(directory)).rejects.toMatchObject({ code: 'minion-key' })
  })
})

describe('the fingerprint', () => {
  // What salt.utils.crypt.pem_finger prints for it.
  const pem =
    '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEArO5KVRINLL+UofAFI/4g5BOqzR3jIKvUak5B/Ct5cnw=\n-----END PUBLIC KEY-----'
  const finger = '10:c0:83:e6:85:9c:ee:03:41:01:17:61:83:53:1b:97:8b:18:1b:c7:b3:3d:98:9c:7b:cb:83:ff:7f:87:a7:15'

  it.each([pem, `${pem}\n`, `${pem.replaceAll('\n', '\r\n')}\r\n`])('is Salt’s, whatever the line ends', (text) => {
    expect(pemFinger(text)).toBe(finger)
  })
})

describe('the assertion', () => {
  it('says who asks whom for a minute, and never the same twice', async () => {
    const keys = await loadKeys(directory)
    const [one, two] = [1, 2].map(() => makeAssertion(keys, { id: 'web1', audience: 'https://m', now: 1000.7 }))
    expect(one).not.toBe(two)
    const [header = '', body = '', signature = ''] = one?.split('.') ?? []
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'EdDSA', typ: 'JWT' })
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toEqual({
      iss: 'web1',
      sub: 'web1',
      aud: 'https://m',
      iat: 1000,
      exp: 1060,
      jti: expect.any(String),
    })
    expect(
      verify(null, Buffer.from(`${header}.${body}`), createPublicKey(keys.pub), Buffer.from(signature, 'base64url')),
    ).toBe(true)
  })
})
