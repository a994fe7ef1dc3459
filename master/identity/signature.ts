// The signature of an identity document: base64 RSA-SHA256, as `…/instance-identity/signature` gives it.
import { createPublicKey, verify } from 'node:crypto'

/**
 * Whether one of the certificates' keys signed exactly these bytes. A certificate's own dates are not asked: AWS keeps a
 * region's key in use past them and renews the text in its documentation; trust comes from the list, not from a chain.
 */
export function isSignedBy(document: string, signature: string, certificates: readonly string[]): boolean {
  const compact = signature.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]{64,1024}={0,2}$/.test(compact)) return false
  const bytes = Buffer.from(compact, 'base64')
  return certificates.some((pem) => {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'rsa' && verify('sha256', Buffer.from(document), key, bytes)
  })
}
