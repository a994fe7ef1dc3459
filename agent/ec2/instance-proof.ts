// What an EC2 instance adds to its request for a token, so that the master can know which instance asks.
import { messageOf } from '../../core/error.ts'
import { isMapping, parseJson } from '../../core/value/index.ts'
import type { Outgoing } from '../connection/outgoing.ts'
import type { Outside } from '../outside.ts'
import { isOnEc2, type Metadata, openMetadata } from './metadata.ts'
import { webIdentityToken } from './web-identity.ts'

/** The fields of a request for a token that say more than the key does. */
export interface InstanceProof {
  readonly identity?: { readonly document: string; readonly signature: string; readonly rsa2048?: string }
  readonly web_identity?: string
}

/** What the proof is for. */
export interface ProofSettings {
  /** `ec2_identity`: on EC2 (`auto`), wherever a metadata service should answer (`always`), or not at all. */
  readonly when: 'auto' | 'always' | 'never'
  /** `ec2_web_identity`: whether STS is asked for a token too. */
  readonly webIdentity: boolean
  readonly audience: string
  readonly finger: string
  readonly environment: NodeJS.ProcessEnv
  /** How STS is asked; the instance's metadata is never asked through a proxy. */
  readonly fetch: Outgoing
  readonly outside: Outside
}

/** Milliseconds for which a proof is sent again before another is fetched: STS's token lives a little longer. */
const kept = 240_000

/**
 * A function that fetches the proof, or gives the one fetched a moment ago. What cannot be had is left out and said once:
 * the key then waits for a person like any other.
 */
export function createInstanceProof(settings: ProofSettings): () => Promise<InstanceProof> {
  const { when, environment, outside } = settings
  const complaints = new Set<string>()
  let last: { readonly at: number; readonly proof: InstanceProof } | undefined
  const complain = (error: unknown): void => {
    const message = messageOf(error)
    if (!complaints.has(message)) outside.log.warn(message)
    complaints.add(message)
  }
  return async () => {
    if (when === 'never' || (when === 'auto' && !(await isOnEc2(environment)))) return {}
    const now = outside.now() / 1000
    if (last !== undefined && now - last.at < kept) return last.proof
    try {
      const metadata = await openMetadata(environment)
      const identity = await signedDocument(metadata)
      const web_identity = await webIdentity(settings, metadata, identity.document).catch(complain)
      const proof = { identity, ...(typeof web_identity === 'string' ? { web_identity } : {}) }
      last = { at: now, proof }
      return proof
    } catch (error) {
      complain(error)
      return {}
    }
  }
}

/** Exactly the bytes that were signed, for a document written anew would be another; its CMS form where there is one. */
async function signedDocument(metadata: Metadata): Promise<NonNullable<InstanceProof['identity']>> {
  const [document, signature, rsa2048] = await Promise.all([
    metadata.read('dynamic/instance-identity/document'),
    metadata.read('dynamic/instance-identity/signature'),
    // Another service than EC2's own may not have it.
    metadata.read('dynamic/instance-identity/rsa2048').catch(() => undefined),
  ])
  return { document, signature, ...(rsa2048 === undefined ? {} : { rsa2048 }) }
}

async function webIdentity(
  { webIdentity: isWanted, audience, finger, environment, fetch }: ProofSettings,
  metadata: Metadata,
  document: string,
): Promise<string | undefined> {
  if (!isWanted) return undefined
  const parsed = parseJson(document)
  const region = isMapping(parsed) ? parsed.region : undefined
  if (typeof region !== 'string') return undefined
  return webIdentityToken(metadata, { audience, finger, region }, environment, fetch)
}
