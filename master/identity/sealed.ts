// The CMS form of an identity document, as `…/instance-identity/rsa2048` gives it: the document inside, signed with 2,048 bits.
import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { ContentInfo, SignedData } from 'pkijs'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const SIGNED_DATA = '1.2.840.113549.1.7.2'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'

/**
 * Whether the message holds exactly this document and one of the keys signed it. Certificates inside the message are not
 * asked: trust comes from the list alone. What is no such message is not believed, whatever is wrong with it.
 */
export function isSealedBy(document: string, message: string, certificates: readonly string[]): boolean {
  const compact = message.replace(/-----[A-Z0-9 ]+-----|\s+/g, '')
  if (!/^[A-Za-z0-9+/]{64,16384}={0,2}$/.test(compact)) return false
  const sealed = read(Buffer.from(compact, 'base64'))
  if (sealed === undefined || !sealed.content.equals(Buffer.from(document))) return false
  return certificates.some((pem) => {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'rsa' && verify('sha256', sealed.signed, key, sealed.signature)
  })
}

interface Sealed {
  readonly content: Buffer
  /** The bytes that were signed: the attributes, which hold the content's digest, or the content itself. */
  readonly signed: Buffer
  readonly signature: Buffer
}

function read(bytes: Buffer): Sealed | undefined {
  try {
    const outer = ContentInfo.fromBER(bytes)
    if (outer.contentType !== SIGNED_DATA) return undefined
    const { encapContentInfo, signerInfos } = new SignedData({ schema: outer.content })
    const [signer, ...others] = signerInfos
    const content = Buffer.from(encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0))
    if (signer === undefined || others.length > 0 || signer.digestAlgorithm.algorithmId !== SHA256) return undefined
    const signature = Buffer.from(signer.signature.valueBlock.valueHexView)
    const { signedAttrs } = signer
    if (signedAttrs === undefined) return { content, signed: content, signature }
    const digests = signedAttrs.attributes.filter(({ type }) => type === MESSAGE_DIGEST)
    const told = Buffer.from(digests[0]?.values[0]?.valueBlock.valueHexView ?? [])
    const actual = createHash('sha256').update(content).digest()
    if (digests.length !== 1 || told.length !== actual.length || !timingSafeEqual(told, actual)) return undefined
    return { content, signed: Buffer.from(signedAttrs.encodedValue), signature }
  } catch {
    // Anybody may send anything here; what does not parse is no message.
    return undefined
  }
}
