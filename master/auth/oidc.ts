// The backend `oidc`: the password is a token of an identity provider, checked with the provider's published keys.
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { BrineError } from '../../core/error.ts'
import { type BackendAccess, settingText } from '../acl/index.ts'
import type { Backend } from './backend.ts'

/** Algorithms of keys that a provider publishes; never `none`, never a shared secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/**
 * Reads the settings `^issuer` and `^audience` (both needed), `^jwks_uri` (else the issuer's discovery document is asked),
 * `^username_claim` (`preferred_username`) and `^groups_claim` (`groups`). A user name that is sent besides must be the token's.
 */
export function createOidc(access: BackendAccess, keys?: JWTVerifyGetKey): Backend {
  const text = (name: string): string | undefined => settingText(access, name)
  const issuer = text('issuer')
  const audience = text('audience')
  if (issuer === undefined || audience === undefined) {
    throw new BrineError(
      'external_auth: oidc needs ^issuer and ^audience. Write the URL of the identity provider, and the client id its tokens are for.',
      { code: 'config' },
    )
  }
  const nameClaim = text('username_claim') ?? 'preferred_username'
  const groupsClaim = text('groups_claim') ?? 'groups'
  let known = keys
  const keySet = async (): Promise<JWTVerifyGetKey> => {
    const { createRemoteJWKSet } = await import('../jwt.ts')
    known ??= createRemoteJWKSet(new URL(text('jwks_uri') ?? (await discover(issuer))))
    return known
  }
  return {
    async verify({ username, password }) {
      const claims = await claimsOf(password, await keySet(), issuer, audience)
      const name = claims?.[nameClaim]
      if (claims === undefined || typeof name !== 'string' || name === '') return undefined
      if (username !== '' && username !== name) return undefined
      const groups = claims[groupsClaim]
      return {
        name,
        groups: Array.isArray(groups) ? groups.filter((group): group is string => typeof group === 'string') : [],
        ...(claims.exp === undefined ? {} : { until: claims.exp * 1_000_000 }),
      }
    },
    // The provider cannot be asked by name; the token that a log-in gives ends with what was shown.
    async stillKnows() {
      return true
    },
  }
}

async function claimsOf(
  token: string,
  keys: JWTVerifyGetKey,
  issuer: string,
  audience: string,
): Promise<JWTPayload | undefined> {
  const { errors, jwtVerify } = await import('../jwt.ts')
  try {
    const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms, requiredClaims: ['exp'] })
    return payload
  } catch (error) {
    // A provider that cannot be reached is no wrong token, and is told apart in the log.
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw error
    return undefined
  }
}

async function discover(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(5000) })
  const document: unknown = response.ok ? await response.json() : undefined
  const found =
    typeof document === 'object' && document !== null && 'jwks_uri' in document ? document.jwks_uri : undefined
  if (typeof found === 'string') return found
  throw new BrineError(
    `${url} answered ${response.status} and names no jwks_uri. Set ^jwks_uri under external_auth: oidc.`,
    {
      code: 'oidc',
    },
  )
}
