// The minion's key pair: made at the first start, used to prove who asks for a token.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { chmod, mkdir, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BrineError } from '../core/error.ts'
import { readTextIfThere } from './filesystem/read.ts'

/** A key pair as the agent uses it. */
export interface KeyPair {
  /** PEM (SPKI), without a newline at its end. */
  readonly pub: string
  /** Salt's fingerprint of it. */
  readonly finger: string
  /** What the assertion's header names. */
  readonly algorithm: 'EdDSA' | 'RS256'
  /** The signature over bytes, by that algorithm. */
  sign(bytes: Uint8Array): Buffer
}

/** SHA-256 over the lines of a PEM between its first and its last, as Salt's `pem_finger` prints it. */
export function pemFinger(pem: string): string {
  const lines = pem
    .replaceAll('\r', '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const body = lines.slice(1, -1).map((line) => `${line}\n`)
  return createHash('sha256').update(body.join('')).digest('hex').match(/../g)?.join(':') ?? ''
}

/**
 * Reads `minion.pem` from the directory, or makes an Ed25519 pair there (0600). An RSA key found there is used.
 * `minion.pub` is written where it is absent. Throws a BrineError `minion-key` for a file that holds no such key.
 */
export async function loadKeys(pkiDir: string): Promise<KeyPair> {
  const path = join(pkiDir, 'minion.pem')
  const text = await readTextIfThere(path)
  const key = text === undefined ? await makeKey(pkiDir) : readKey(path, text)
  const pub = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString().trim()
  const pubPath = join(pkiDir, 'minion.pub')
  if ((await readTextIfThere(pubPath))?.trim() !== pub) await writeFile(pubPath, `${pub}\n`, { mode: 0o644 })
  return { pub, finger: pemFinger(pub), ...signerOf(path, key) }
}

/** Forgets the pair, so that the next start makes another. */
export async function removeKeys(pkiDir: string): Promise<void> {
  for (const name of ['minion.pem', 'minion.pub']) {
    if ((await readTextIfThere(join(pkiDir, name))) !== undefined) await unlink(join(pkiDir, name))
  }
}

/** What an assertion says; times are seconds since 1970 by the master's clock. */
export interface AssertionClaims {
  readonly id: string
  readonly audience: string
  readonly now: number
}

/** A JWT (RFC 7523) that proves the key: it lives 60 s and has a `jti` of its own. */
export function makeAssertion(keys: KeyPair, claims: AssertionClaims): string {
  const now = Math.floor(claims.now)
  const header = encode({ alg: keys.algorithm, typ: 'JWT' })
  const body = encode({
    iss: claims.id,
    sub: claims.id,
    aud: claims.audience,
    iat: now,
    exp: now + 60,
    jti: randomUUID(),
  })
  return `${header}.${body}.${keys.sign(Buffer.from(`${header}.${body}`)).toString('base64url')}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

async function makeKey(pkiDir: string): Promise<KeyObject> {
  await mkdir(pkiDir, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') await chmod(pkiDir, 0o700)
  const { privateKey } = generateKeyPairSync('ed25519')
  const path = join(pkiDir, 'minion.pem')
  await writeFile(`${path}.next`, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  await rename(`${path}.next`, path)
  return privateKey
}

function readKey(path: string, text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch (cause) {
    throw new BrineError(
      `${path} holds no private key. Put the right one there, or remove the file to get a new one.`,
      {
        code: 'minion-key',
        cause,
      },
    )
  }
}

function signerOf(path: string, key: KeyObject): Pick<KeyPair, 'algorithm' | 'sign'> {
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return { algorithm: 'EdDSA', sign: (bytes) => sign(null, bytes, key) }
    case 'rsa':
      return { algorithm: 'RS256', sign: (bytes) => sign('sha256', bytes, key) }
    default:
      throw new BrineError(
        `${path} holds a key of type ${key.asymmetricKeyType}. Only Ed25519 and RSA keys are used.`,
        {
          code: 'minion-key',
        },
      )
  }
}
