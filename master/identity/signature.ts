// Who signed an identity document: in the CMS form where the instance sent it, else by base64 RSA-SHA256, as
// `…/instance-identity/signature` gives it.
import { createPublicKey, verify } from 'node:crypto'
import type { TokenRequest } from '../../core/protocol/index.ts'

/** What an instance shows of itself. */
type ShownIdentity = NonNullable<TokenRequest['identity']>

/** Bits of the keys that sign the CMS form. */
const strong = 2048

/**
 * Whether a region's certificates vouch for the document. The CMS form, whose keys are longer, decides alone where it was
 * sent and a key for it is known; what reads it is loaded then.
 */
export async function isVouchedFor(
  { document, signature, rsa2048 }: ShownIdentity,
  certificates: readonly string[],
): Promise<boolean> {
  const strongOnes = certificates.filter((pem) => bitsOf(pem) >= strong)
  if (rsa2048 === undefined || strongOnes.length === 0) return isSignedBy(document, signature, certificates)
  return (await import('./sealed.ts')).isSealedBy(document, rsa2048, strongOnes)
}

function bitsOf(pem: string): number {
  return createPublicKey(pem).asymmetricKeyDetails?.modulusLength ?? 0
}

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
