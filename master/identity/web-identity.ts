// Web identity tokens of AWS STS (outbound identity federation): which instance asked, for us, with which key.
import type { JWTVerifyGetKey } from 'jose'
import * as z from 'zod/mini'
import { messageOf } from '../../core/error.ts'
import { check, type TokenRequest, webIdentityKeyTag } from '../../core/protocol/index.ts'
import { fingerOf } from '../keys.ts'

/** Whose tokens are believed. */
export interface WebIdentityRules {
  /** The master's id: a token for anybody else is not for us. */
  readonly audience: string
  /** The issuer of each account that is trusted: `https://….tokens.sts.global.api.aws`. */
  readonly issuers: readonly string[]
  /** The keys of an issuer; its published key set where absent. */
  readonly keysOf?: (issuer: string) => JWTVerifyGetKey
}

/** What a token vouches for. */
export interface WebIdentity {
  readonly accountId: string
  readonly region: string
  readonly instanceId: string
}

/** Seconds that a clock may be off. */
const tolerance = 5

/** What AWS adds to a token, as far as it is judged. */
const ClaimsSchema = z.object({
  'https://sts.amazonaws.com/': z.object({
    aws_account: z.string().check(z.regex(/^\d{12}$/)),
    ec2_source_instance_arn: z.string(),
    request_tags: z.object({ [webIdentityKeyTag]: z.string() }),
  }),
})

/** A function that reads a token; a sentence where it does not hold. `now` is in seconds since 1970. */
export function createReadWebIdentity(
  rules: WebIdentityRules,
): (request: TokenRequest, now: number) => Promise<WebIdentity | string> {
  const keysOf = rules.keysOf ?? publishedKeys()
  return async ({ web_identity: token = '', pub }, now) => {
    const issuer = issuerOf(token)
    if (issuer === undefined || !rules.issuers.includes(issuer))
      return `the web identity token is of the issuer ${JSON.stringify(issuer ?? null)}, which is not allowed`
    let claims: unknown
    try {
      const { jwtVerify } = await import('../jwt.ts')
      const { payload } = await jwtVerify(token, await keysOf(issuer), {
        algorithms: ['RS256', 'ES384'],
        issuer,
        audience: rules.audience,
        clockTolerance: tolerance,
        currentDate: new Date(now * 1000),
        requiredClaims: ['exp', 'iat', 'sub'],
      })
      claims = payload
    } catch (error) {
      return `the web identity token does not hold: ${messageOf(error)}`
    }
    const parsed = check(ClaimsSchema, claims)
    if (!parsed.success)
      return `the web identity token is of no EC2 instance, or for no key: ${firstProblem(parsed.error)}`
    const { aws_account, ec2_source_instance_arn: arn, request_tags } = parsed.data['https://sts.amazonaws.com/']
    if (request_tags[webIdentityKeyTag] !== fingerOf(pub)) return 'the web identity token was fetched for another key'
    const [, region, accountId, instanceId] =
      /^arn:[\w-]+:ec2:([\w-]+):(\d{12}):instance\/(i-[0-9a-f]{8,17})$/.exec(arn) ?? []
    if (region === undefined || accountId !== aws_account || instanceId === undefined)
      return `the web identity token names the instance ${JSON.stringify(arn)}, which is not of the account ${aws_account}`
    return { accountId, region, instanceId }
  }
}

function firstProblem({ issues: [issue] }: z.core.$ZodError): string {
  return `${issue?.path.join('.')} ${issue?.message}`
}

/** Who says to have signed it; nothing of it is true yet. */
function issuerOf(token: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return typeof claims === 'object' && claims !== null && 'iss' in claims && typeof claims.iss === 'string'
      ? claims.iss
      : undefined
  } catch {
    return undefined
  }
}

/** The key sets that issuers publish, each fetched when first needed and again when a key is not in it. */
function publishedKeys(): (issuer: string) => Promise<JWTVerifyGetKey> {
  const sets = new Map<string, JWTVerifyGetKey>()
  return async (issuer) => {
    const { createRemoteJWKSet } = await import('../jwt.ts')
    const keys = sets.get(issuer) ?? createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer))
    sets.set(issuer, keys)
    return keys
  }
}
