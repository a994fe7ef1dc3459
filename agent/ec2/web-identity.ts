// A web identity token of AWS STS: who this instance is, for our master and for this key alone.
import { BrineError, messageOf } from '../../core/error.ts'
import { webIdentityKeyTag } from '../../core/protocol/minion.ts'
import type { Outgoing } from '../connection/outgoing.ts'
import type { Metadata } from './metadata.ts'
import { roleCredentials } from './role-credentials.ts'
import { signedHeaders } from './sign-request.ts'

/** Whom the token is for. */
export interface TokenPurpose {
  /** The master's id. */
  readonly audience: string
  /** The finger of the minion's key. */
  readonly finger: string
  readonly region: string
}

/** Seconds that the token is good for: it is sent at once. */
const life = 300
const patience = 5000

/**
 * Asks STS with the credentials of the instance's role. Rejects with a BrineError `web-identity` where the account has
 * not enabled outbound identity federation, or the role may not.
 */
export async function webIdentityToken(
  metadata: Metadata,
  { audience, finger, region }: TokenPurpose,
  environment: NodeJS.ProcessEnv,
  fetch: Outgoing,
): Promise<string> {
  const credentials = await roleCredentials(metadata)
  const url = new URL(environment.AWS_ENDPOINT_URL_STS ?? `https://sts.${region}.${domainOf(region)}`)
  const body = new URLSearchParams({
    Action: 'GetWebIdentityToken',
    Version: '2011-06-15',
    'Audience.member.1': audience,
    SigningAlgorithm: 'RS256',
    DurationSeconds: String(life),
    'Tags.member.1.Key': webIdentityKeyTag,
    'Tags.member.1.Value': finger,
  }).toString()
  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  const request = { url, body, headers: form, service: 'sts', region, at: Date.now() }
  const headers = signedHeaders(request, credentials)
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(patience) })
    const text = await answer.text()
    const token = /<WebIdentityToken>([\w.-]+)<\/WebIdentityToken>/.exec(text)?.[1]
    if (token !== undefined) return token
    const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1]
    throw new Error(`it answers ${answer.status}${message === undefined ? '' : `: ${message}`}`)
  } catch (cause) {
    throw new BrineError(
      `STS at ${url.origin} gives no web identity token: ${messageOf(cause)}. It takes outbound identity federation in the account, and sts:GetWebIdentityToken in the instance's role.`,
      { code: 'web-identity', cause },
    )
  }
}

/** The domain that a region's services stand below. */
export function domainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}
