// Machines that the master itself made: believed by their documents, each for the minion it was made for.
import type { TokenRequest } from '../../core/protocol/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import type { CloudStore } from '../cloud/index.ts'
import { fingerOf } from '../keys.ts'
import type { Audit, Clock } from '../ports.ts'
import { parseIdentityDocument } from './document.ts'
import { isVouchedFor } from './signature.ts'

interface ExpectedNeeds {
  readonly clouds: Pick<CloudStore, 'expected' | 'claim'>
  /** PEM by region. */
  readonly certificates: ReadonlyMap<string, readonly string[]>
  readonly audit: Audit
  readonly clock: Pick<Clock, 'now'>
}

/** Verifies what a new minion shows beside its key. */
type Verify = (request: TokenRequest) => Promise<Mapping | undefined>

/**
 * A `verifyIdentity` that believes a machine which `cloud.*` made: its document has to be signed by AWS, and name the
 * instance, the account and the region of the one that was made for this minion. One key may claim it. What it answers
 * holds `expected: True`, by which the key is accepted at once. Who shows no such machine is left to `others`.
 */
export function createVerifyExpected(needs: ExpectedNeeds, others: Verify = async () => undefined): Verify {
  return async (request) => {
    const shown = request.identity === undefined ? '' : parseIdentityDocument(request.identity.document)
    if (request.identity === undefined || typeof shown === 'string') return others(request)
    const { instanceId, accountId, region } = shown
    const expected = await needs.clouds.expected(instanceId)
    if (expected === undefined) return others(request)
    const refuse = async (reason: string): Promise<undefined> => {
      const detail = { id: request.id, key: fingerOf(request.pub), reason, instance_id: instanceId }
      await needs.audit.record({ at: needs.clock.now(), who: `minion ${request.id}`, what: 'identity refused', detail })
      return undefined
    }
    if (!(await isVouchedFor(request.identity, needs.certificates.get(region) ?? [])))
      return refuse(`the signature is not of ${region}'s certificate: the document was altered or made up`)
    if (accountId !== expected.account || region !== expected.region)
      return refuse(`the instance ${instanceId} was made in ${expected.account}, ${expected.region}`)
    if (request.id !== expected.minion)
      return refuse(`the instance ${instanceId} was made for the minion ${expected.minion}`)
    const finger = fingerOf(request.pub)
    const claimed = await needs.clouds.claim(instanceId, finger)
    if (claimed?.finger !== finger) return refuse(`another key spoke for the instance ${instanceId} before`)
    return {
      account: accountId,
      region,
      instance_id: instanceId,
      profile: expected.profile,
      provider: expected.provider,
      expected: true,
    }
  }
}
