// The fingerprint of a public key.
import { createHash } from 'node:crypto'

/** `6f:0c:…` of a key's bytes; undefined where they are not in base64. */
export function fingerprintOf(key: string, hash: string | undefined): string | undefined {
  if (key.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(key)) return undefined
  const digest = createHash(hash?.toLowerCase() ?? 'sha256')
    .update(Buffer.from(key, 'base64'))
    .digest('hex')
  return digest.match(/../g)?.join(':') ?? ''
}
