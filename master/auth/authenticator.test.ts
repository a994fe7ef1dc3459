// Log-ins, tokens and limits.
import { generateKeyPairSync } from 'node:crypto'
import { hash } from 'bcryptjs'
import { createLocalJWKSet, exportJWK, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { readExternalAuth } from '../acl/index.ts'
import type { TokenRecord, TokenStore } from '../ports.ts'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import type { Backend } from './backend.ts'
import { createBackends } from './backends.ts'
import { createOidc } from './oidc.ts'
import { createPasswordFile } from './password-file.ts'
import { createSharedSecret } from './shared-secret.ts'

const address = '127.0.0.1'
const second = 1_000_000

function memoryTokens(): TokenStore {
  const records = new Map<string, TokenRecord>()
  let next = 0
  return {
    async issue(record) {
      const token = String(next++).padStart(40, '0')
      records.set(token, record)
      return token
    },
    verify: async (token) => records.get(token),
    async revoke(token) {
      records.delete(token)
    },
    useOnce: async () => true,
  }
}

interface Stage {
  readonly auth: Authenticator
  readonly refused: string[]
  readonly asked: string[]
  known: boolean
  now: number
}

/** An authenticator over the backend `file`, whose one password is `right`. */
function stage(): Stage {
  const refused: string[] = []
  const asked: string[] = []
  const made: Omit<Stage, 'auth'> = { refused, asked, known: true, now: 1000 * second }
  const backend: Backend = {
    async verify({ username, password }) {
      asked.push(username)
      return password === 'right' ? { name: username, groups: ['ops'] } : undefined
    },
    stillKnows: async () => made.known,
  }
  const auth = createAuthenticator({
    auth: readExternalAuth({ file: { fred: ['test.*'], 'ops%': ['@runner'] } }),
    backends: new Map([['file', backend]]),
    tokens: memoryTokens(),
    clock: { now: () => made.now },
    audit: {
      async record({ detail }) {
        refused.push(String(detail.user))
      },
      recent: async () => [],
    },
    tokenSeconds: 3600,
  })
  return Object.assign(made, { auth })
}

const fred = { eauth: 'file', username: 'fred', password: 'right', address }

describe('log-ins', () => {
  test('who shows the right password is known, with the groups of the backend', async () => {
    expect(await stage().auth.logIn(fred)).toEqual({
      kind: 'person',
      person: { name: 'fred', eauth: 'file', groups: ['ops'] },
    })
  })

  test.each([
    ['a wrong password', { ...fred, password: 'wrong' }],
    ['a backend that is not configured', { ...fred, eauth: 'pam' }],
    ['a backend named like an inherited property', { ...fred, eauth: 'constructor' }],
  ])('%s is refused and told in the audit', async (_what, shown) => {
    const { auth, refused } = stage()
    expect(await auth.logIn(shown)).toEqual({ kind: 'refused' })
    expect(refused).toEqual(['fred'])
  })

  test('a verified password is remembered for a minute, and only that password', async () => {
    const made = stage()
    for (let round = 0; round < 3; round++) await made.auth.logIn(fred)
    expect(made.asked).toHaveLength(1)
    expect(await made.auth.logIn({ ...fred, password: 'wrong' })).toEqual({ kind: 'refused' })
    made.now += 61 * second
    await made.auth.logIn(fred)
    expect(made.asked).toHaveLength(3)
  })

  test('after ten failures nothing is looked at any more, until the minute is over', async () => {
    const made = stage()
    for (let round = 0; round < 10; round++) await made.auth.logIn({ ...fred, password: 'wrong' })
    expect(await made.auth.logIn(fred)).toEqual({ kind: 'limited', seconds: 60 })
    expect(made.asked).toHaveLength(10)
    expect(await made.auth.logIn({ ...fred, address: '10.0.0.9' })).toMatchObject({ kind: 'person' })
    made.now += 60 * second
    expect(await made.auth.logIn(fred)).toMatchObject({ kind: 'person' })
  })

  test('an address that tries many names is limited too', async () => {
    const made = stage()
    for (let round = 0; round < 100; round++)
      await made.auth.logIn({ ...fred, username: `user${round}`, password: 'wrong' })
    expect(await made.auth.logIn({ ...fred, username: 'somebody' })).toMatchObject({ kind: 'limited' })
  })
})

describe('tokens', () => {
  const person = { name: 'fred', eauth: 'file', groups: ['ops'] }

  test('a token speaks for its person until it expires', async () => {
    const made = stage()
    const { token, start, expire } = await made.auth.issue(person, 'session')
    expect(expire - start).toBe(3600 * second)
    expect(await made.auth.holderOf(token)).toEqual({ person, use: 'session' })
    made.now += 3600 * second
    expect(await made.auth.holderOf(token)).toBeUndefined()
  })

  test('a token ends with what was shown for it', async () => {
    const made = stage()
    expect((await made.auth.issue(person, 'session', made.now + 5 * second)).expire).toBe(made.now + 5 * second)
  })

  test('a revoked token is worth nothing, and so is one whose person is gone', async () => {
    const made = stage()
    const [one, other] = [await made.auth.issue(person, 'session'), await made.auth.issue(person, 'eauth')]
    await made.auth.revoke(one.token)
    expect(await made.auth.holderOf(one.token)).toBeUndefined()
    expect(await made.auth.holderOf(other.token)).toMatchObject({ use: 'eauth' })
    made.known = false
    made.now += 2 * second
    expect(await made.auth.holderOf(other.token)).toBeUndefined()
  })

  test('rights are those of the configuration, not of the token', () => {
    const { auth } = stage()
    expect(auth.grantsOf(person)).toHaveLength(2)
    expect(auth.grantsOf({ ...person, groups: [] })).toHaveLength(1)
    expect(auth.shownPermissions(person)).toEqual(['@runner', 'test.*'])
  })
})

test('sharedsecret takes the secret and nothing else, and nobody where there is none', async () => {
  const backend = createSharedSecret('s3cret')
  expect(await backend.verify({ username: 'fred', password: 's3cret' })).toEqual({ name: 'fred', groups: [] })
  for (const password of ['', 's3cre', 's3cret ', 'S3CRET'])
    expect(await backend.verify({ username: 'fred', password })).toBeUndefined()
  for (const none of [null, ''])
    expect(await createSharedSecret(none).verify({ username: 'fred', password: '' })).toBeUndefined()
})

describe('file', () => {
  const access = (settings: Record<string, string>) => ({
    settings: new Map(Object.entries(settings)),
    users: new Map(),
  })

  test('takes bcrypt hashes as htpasswd writes them', async () => {
    const lines = [`fred:${(await hash('right', 4)).replace('$2b$', '$2y$')}`, 'clear:right', 'md5:$apr1$x$y', '']
    const backend = createPasswordFile(access({ filename: '/users' }), async () => lines.join('\n'))
    expect(await backend.verify({ username: 'fred', password: 'right' })).toEqual({ name: 'fred', groups: [] })
    expect(await backend.stillKnows('fred')).toBe(true)
    expect(await backend.stillKnows('nobody')).toBe(false)
    const wrong = [
      ['fred', 'wrong'],
      ['clear', 'right'],
      ['md5', 'right'],
      ['nobody', 'right'],
      ['', ''],
    ] as const
    for (const [username, password] of wrong) expect(await backend.verify({ username, password })).toBeUndefined()
  })

  test('does not let a long password pass by its first 72 bytes', async () => {
    const long = 'x'.repeat(72)
    const text = `fred:${await hash(long, 4)}`
    const backend = createPasswordFile(access({ filename: '/users' }), async () => text)
    expect(await backend.verify({ username: 'fred', password: long })).toBeDefined()
    expect(await backend.verify({ username: 'fred', password: `${long}y` })).toBeUndefined()
  })

  test.each([
    ['no file', {}, '^filename'],
    ['clear text', { filename: '/users', hashtype: 'plaintext' }, 'htpasswd -B'],
    ['a digest file', { filename: '/users', filetype: 'htdigest' }, 'htpasswd -B'],
  ])('is refused with %s', (_what, settings, told) => {
    expect(() => createPasswordFile(access(settings), async () => '')).toThrow(told)
  })
})

describe('oidc', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const other = generateKeyPairSync('ed25519').privateKey
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'EdDSA' }] })
  const settings = new Map([
    ['issuer', 'https://id.example'],
    ['audience', 'brine'],
  ])
  const backend = createOidc({ settings, users: new Map() }, keys)
  const now = Math.floor(Date.now() / 1000)
  const token = (claims: object = {}, key = privateKey, issuer = 'https://id.example', audience = 'brine') =>
    new SignJWT({ preferred_username: 'fred', groups: ['ops', 5], ...claims })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime(now + 3600)
      .sign(key)

  test("takes the provider's token, with name, groups and end", async () => {
    expect(await backend.verify({ username: '', password: await token() })).toEqual({
      name: 'fred',
      groups: ['ops'],
      until: (now + 3600) * second,
    })
  })

  test.each([
    ['another key', () => token({}, other)],
    ['another issuer', () => token({}, privateKey, 'https://evil.example')],
    ['another audience', () => token({}, privateKey, 'https://id.example', 'other')],
    ['no name', () => token({ preferred_username: 5 })],
    ['no signature', async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
    ['no token', async () => 'password'],
  ])('refuses a token with %s', async (_what, make) => {
    expect(await backend.verify({ username: '', password: await make() })).toBeUndefined()
  })

  test('refuses a token under the name of somebody else', async () => {
    expect(await backend.verify({ username: 'root', password: await token() })).toBeUndefined()
  })
})

test.each([
  ['pam', 'oidc'],
  ['ldap', 'oidc'],
  ['nosuch', 'sharedsecret'],
])('the backend %s is refused with what to use', (name, told) => {
  const needs = { sharedsecret: null, readText: async () => '' }
  expect(() => createBackends(readExternalAuth({ [name]: { fred: ['.*'] } }), needs)).toThrow(told)
})
