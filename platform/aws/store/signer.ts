// The master's Ed25519 key, from a secret that was made at deploy, and signatures by it.
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto'
import { BrineError, messageOf } from '../../../core/error.ts'
import type { Signer } from '../../../master/ports.ts'

const HEADER = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'JWT' })).toString('base64url')
/** The beginning of an Ed25519 key in PKCS#8, before its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SHORTEST = 32

/**
 * The key of a secret's text: a PEM is that key, any other text of at least 32 characters is stretched into one
 * (HKDF-SHA-256), so that CloudFormation can make the secret without knowing what a key is. Throws `signing-key`.
 */
function signingKey(secret: string): KeyObject {
  const key = secret.trimStart().startsWith('-----BEGIN') ? fromPem(secret) : fromText(secret)
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new BrineError(`The signing secret holds a key of kind ${key.asymmetricKeyType}; Brine signs with Ed25519.`, {
    code: 'signing-key',
  })
}

function fromPem(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    throw new BrineError(
      `The signing secret holds a PEM that cannot be read: ${messageOf(cause)}. Store an Ed25519 key in PKCS#8.`,
      {
        code: 'signing-key',
        cause,
      },
    )
  }
}

function fromText(text: string): KeyObject {
  if (text.length < SHORTEST) {
    throw new BrineError(
      `The signing secret holds ${text.length} characters; at least ${SHORTEST} are needed. Let Secrets Manager generate it.`,
      { code: 'signing-key' },
    )
  }
  const seed = Buffer.from(hkdfSync('sha256', text, '', 'brine signing key 1', 32))
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
}

/** Reads the secret once, at the first use, and signs with its key. About 50 µs a signature. */
export class SecretSigner implements Signer {
  readonly #read: () => Promise<string>
  #key: Promise<KeyObject> | undefined

  constructor(read: () => Promise<string>) {
    this.#read = read
  }

  async sign(payload: string): Promise<string> {
    const key = await this.#loaded()
    const input = `${HEADER}.${Buffer.from(payload).toString('base64url')}`
    return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`
  }

  async publicKey(): Promise<string> {
    return createPublicKey(await this.#loaded())
      .export({ type: 'spki', format: 'pem' })
      .toString()
  }

  #loaded(): Promise<KeyObject> {
    this.#key ??= this.#read().then(signingKey)
    // A failure is not remembered: the next use reads again.
    this.#key.catch(() => {
      this.#key = undefined
    })
    return this.#key
  }
}
