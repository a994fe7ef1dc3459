// `brine-key --gen-keys`: a key pair in two files, made on this machine.
import { generateKeyPairSync } from 'node:crypto'
import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { userNumber } from '../../agent/filesystem/owners.ts'
import { pemFinger } from '../../agent/keys.ts'
import { BrineError, messageOf } from '../../core/error.ts'

/** Which pair, and where it goes. */
export interface KeyPairRequest {
  /** The files are `NAME.pem`, which only its owner reads, and `NAME.pub`. */
  readonly name: string
  /** Made where it is missing. */
  readonly directory: string
  /** Bits of an RSA key; an Ed25519 key without it. */
  readonly size?: number | undefined
  /** Who owns the files. */
  readonly user?: string | undefined
}

/** Makes the pair, in place of files that are there, and answers the fingerprint of its public key. */
export async function makeKeyPair({ name, directory, size, user }: KeyPairRequest): Promise<string> {
  const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
  const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
  const { publicKey, privateKey } =
    size === undefined
      ? generateKeyPairSync('ed25519', { publicKeyEncoding, privateKeyEncoding })
      : generateKeyPairSync('rsa', { modulusLength: size, publicKeyEncoding, privateKeyEncoding })
  try {
    const owner = user === undefined ? undefined : await userNumber(user)
    if (owner === '') throw new BrineError(`there is no user ${user}`, { code: 'key-pair' })
    mkdirSync(directory, { recursive: true })
    put(join(directory, `${name}.pem`), privateKey, 0o400, owner)
    put(join(directory, `${name}.pub`), publicKey, 0o644, owner)
  } catch (cause) {
    throw new BrineError(`The key pair ${name} cannot be made in ${directory}: ${messageOf(cause)}`, {
      code: 'key-pair',
      cause,
    })
  }
  return pemFinger(publicKey)
}

/** Written under another name first: nobody ever reads half a key. */
function put(path: string, text: string, mode: number, owner: number | undefined): void {
  const draft = `${path}.new`
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode, flag: 'wx' })
  if (owner !== undefined) chownSync(draft, owner, -1)
  renameSync(draft, path)
}
