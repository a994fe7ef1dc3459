// Verifies who a new minion is beyond its key: an EC2 instance of an allowed account, region and group, just launched.
import { matchTag } from '../../core/event/tag-glob.ts'
import type { TokenRequest } from '../../core/protocol/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import type { FleetStore, Instance, Instances } from '../fleet/ports.ts'
import { fingerOf } from '../keys.ts'
import type { Audit, Clock } from '../ports.ts'
import { type IdentityDocument, parseIdentityDocument } from './document.ts'
import { isVouchedFor } from './signature.ts'
import { createReadWebIdentity, type WebIdentity, type WebIdentityRules } from './web-identity.ts'

/** Which instances are believed. */
export interface IdentityRules {
  readonly accounts: readonly string[]
  readonly regions: readonly string[]
  /** Globs over the names of Auto Scaling groups; an instance outside every group is not believed. */
  readonly groups: readonly string[]
  /** Seconds after its launch within which an instance may speak for the first time. */
  readonly launchedWithin: number
  /** Certificates (PEM) by region. */
  readonly certificates: ReadonlyMap<string, readonly string[]>
  /** Where it is there, a web identity token of STS is taken before an identity document. */
  readonly webIdentity?: WebIdentityRules
}

/** An instance as a document or a token that holds tells of it. */
type Shown = WebIdentity & Partial<Pick<IdentityDocument, 'availabilityZone' | 'imageId' | 'instanceType'>>

interface IdentityNeeds {
  readonly instances: Instances
  readonly store: Pick<FleetStore, 'claim'>
  readonly audit: Audit
  readonly clock: Clock
}

/** Where Auto Scaling has an instance that starts or serves. */
const joining = new Set(['Pending', 'Pending:Wait', 'Pending:Proceed', 'InService'])

/**
 * The `verifyIdentity` of a master: what was verified, for `data.identity` of `salt/auth` and for the key's record, or
 * undefined. A document that does not hold is audited with its reason and vouches for nothing: the key waits like any
 * other. The cheap checks come first; AWS is asked only about a document that AWS signed. Throws where AWS does not
 * answer, so that the minion asks again and nothing is decided meanwhile.
 */
export function createVerifyIdentity(
  rules: IdentityRules,
  needs: IdentityNeeds,
): (request: TokenRequest) => Promise<Mapping | undefined> {
  const readWebIdentity = rules.webIdentity === undefined ? undefined : createReadWebIdentity(rules.webIdentity)
  return async (request) => {
    const hasToken = readWebIdentity !== undefined && request.web_identity !== undefined
    if (!hasToken && request.identity === undefined) return undefined
    const shown = hasToken
      ? await readWebIdentity(request, needs.clock.now() / 1_000_000)
      : await signedDocument(rules, request.identity)
    const allowed = typeof shown === 'string' ? shown : (placeProblem(rules, shown) ?? shown)
    const result = typeof allowed === 'string' ? allowed : await vouch(rules, needs, request, allowed)
    if (typeof result !== 'string') return result
    await needs.audit.record({
      at: needs.clock.now(),
      who: `minion ${request.id}`,
      what: 'identity refused',
      detail: {
        id: request.id,
        key: fingerOf(request.pub),
        reason: result,
        ...(typeof shown === 'string' ? {} : { instance_id: shown.instanceId, account: shown.accountId }),
      },
    })
    return undefined
  }
}

/** The document where its signature holds; otherwise why not. */
async function signedDocument(
  rules: IdentityRules,
  identity: NonNullable<TokenRequest['identity']> = { document: '', signature: '' },
): Promise<IdentityDocument | string> {
  const document = parseIdentityDocument(identity.document)
  if (typeof document === 'string') return document
  const certificates = rules.certificates.get(document.region)
  if (certificates === undefined || certificates.length === 0)
    return `no certificate is known for the region ${document.region}; identityCertificates adds one`
  if (!(await isVouchedFor(identity, certificates)))
    return `the signature is not of ${document.region}'s certificate: the document was altered or made up`
  return document
}

/** Why an instance of this account and region is not believed, whoever vouches for it. */
function placeProblem(rules: IdentityRules, { accountId, region }: Shown): string | undefined {
  if (!rules.accounts.includes(accountId)) return `the account ${accountId} is not allowed`
  if (!rules.regions.includes(region)) return `the region ${region} is not allowed`
  return undefined
}

async function vouch(
  rules: IdentityRules,
  { instances, store, clock }: IdentityNeeds,
  request: TokenRequest,
  shown: Shown,
): Promise<Mapping | string> {
  const { region, instanceId } = shown
  const instance = (await instances.find(region, [instanceId])).get(instanceId)
  const group = groupOf(rules, instance, instanceId, clock.now())
  if (typeof group === 'string') return group
  const finger = fingerOf(request.pub)
  const claim = await store.claim(instanceId, { minion: request.id, finger, at: clock.now() })
  if (claim.finger !== finger || claim.minion !== request.id)
    return `another key spoke for the instance ${instanceId} before, as minion ${claim.minion}`
  return {
    account: shown.accountId,
    region,
    instance_id: instanceId,
    asg: group.name,
    ...(shown.availabilityZone === undefined ? {} : { availability_zone: shown.availabilityZone }),
    ...(shown.imageId === undefined ? {} : { image_id: shown.imageId }),
    ...(shown.instanceType === undefined ? {} : { instance_type: shown.instanceType }),
  }
}

/** The group that vouches for the instance, or why none does. */
function groupOf(
  rules: IdentityRules,
  instance: Instance | undefined,
  id: string,
  now: number,
): { readonly name: string } | string {
  if (instance === undefined) return `there is no instance ${id}`
  if (instance.state !== 'pending' && instance.state !== 'running') return `the instance ${id} is ${instance.state}`
  const { group, lifecycle } = instance
  if (group === undefined) return `the instance ${id} is in no Auto Scaling group`
  if (!rules.groups.some((glob) => matchTag(glob, group))) return `the group ${group} is not allowed`
  if (!joining.has(lifecycle ?? '')) return `the group ${group} says of the instance ${id}: ${lifecycle}`
  const age = Math.round((now - instance.launchedAt) / 1_000_000)
  if (age > rules.launchedWithin)
    return `the instance ${id} was launched ${age} s ago; it has to speak within ${rules.launchedWithin} s`
  return { name: group }
}
