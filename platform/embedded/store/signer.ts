// The master's Ed25519 key, in the pki directory as Salt names it, and signatures by it.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { BrineError, messageOf } from '../../../core/error.ts'
import type { Signer } from '../../../master/ports.ts'

const HEADER = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'JWT' })).toString('base64url')

/** Signs with a private key that it does not give away. About 50 µs a signature. */
export class EmbeddedSigner implements Signer {
  readonly #key: KeyObject
  readonly #pem: string

  constructor(key: KeyObject) {
    this.#key = key
    this.#pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  }

  async sign(payload: string): Promise<string> {
    const input = `${HEADER}.${Buffer.from(payload).toString('base64url')}`
    return `${input}.${sign(null, Buffer.from(input), this.#key).toString('base64url')}`
  }

  async publicKey(): Promise<string> {
    return this.#pem
  }
}

/**
 * Reads `master.pem` of the directory, making it and `master.pub` where there is none. Throws BrineErrors: `key-open`
 * (others may read it), `key-kind` (it is no Ed25519 key), `key-read`.
 */
export function openSigner(pkiDir: string): EmbeddedSigner {
  const path = join(pkiDir, 'master.pem')
  try {
    mkdirSync(pkiDir, { recursive: true, mode: 0o700 })
    const pem = read(path) ?? make(path)
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType !== 'ed25519') throw wrongKind(path, key.asymmetricKeyType)
    const signer = new EmbeddedSigner(key)
    publish(join(pkiDir, 'master.pub'), key)
    return signer
  } catch (cause) {
    if (cause instanceof BrineError) throw cause
    throw new BrineError(
      `The master's key ${path} cannot be read: ${messageOf(cause)}. Check its permissions; a damaged key must be replaced, and every minion must then trust the new one.`,
      { code: 'key-read', cause },
    )
  }
}

function read(path: string): string | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    const mode = fstatSync(file).mode & 0o777
    if ((mode & 0o077) !== 0) throw tooOpen(path, mode)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Writes the new key whole before it has its name; who is faster wins, and both use that one. */
function make(path: string): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const draft = `${path}.${process.pid}`
  write(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(path, 'utf8')
}

function publish(path: string, key: KeyObject): void {
  const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  if (readIfThere(path) === pem) return
  rmSync(path, { force: true })
  write(path, pem, 0o644)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function write(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', mode)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function tooOpen(path: string, mode: number): BrineError {
  return new BrineError(
    `The master's key ${path} has mode ${mode.toString(8)}: others than its owner can read it. If nobody did, run chmod 600 on it; otherwise replace it.`,
    { code: 'key-open' },
  )
}

function wrongKind(path: string, kind: string | undefined): BrineError {
  return new BrineError(
    `The master's key ${path} is of kind ${kind ?? 'unknown'}; Brine signs with Ed25519. Move the file away, and a new key is made.`,
    { code: 'key-kind' },
  )
}
