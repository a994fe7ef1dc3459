// Web identity tokens of STS: what one vouches for, and each way in which one is refused.
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenRequest } from '../../core/protocol/index.ts'
import { masterId, testMinion } from '../../test/master/harness.ts'
import { fingerOf } from '../keys.ts'
import { createReadWebIdentity } from './web-identity.ts'

const issuer = 'https://abc.tokens.sts.global.api.aws'
const account = '123456789012'
const arn = `arn:aws:ec2:eu-west-1:${account}:instance/i-0123456789abcdef0`
const now = 1_800_000_000
const minion = testMinion('web1')

let sts: Awaited<ReturnType<typeof generateKeyPair>>
let read: ReturnType<typeof createReadWebIdentity>

beforeAll(async () => {
  sts = await generateKeyPair('RS256')
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(sts.publicKey)), kid: 'k1', alg: 'RS256' }] })
  read = createReadWebIdentity({ audience: masterId, issuers: [issuer], keysOf: () => keys })
})

interface Changes {
  readonly claims?: JWTPayload
  readonly aws?: Record<string, unknown>
  readonly signWith?: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
}

async function ask({ claims = {}, aws = {}, signWith = sts.privateKey }: Changes = {}) {
  const token = await new SignJWT({
    iss: issuer,
    aud: masterId,
    sub: `arn:aws:iam::${account}:role/web`,
    iat: now,
    exp: now + 300,
    ...claims,
    'https://sts.amazonaws.com/': {
      aws_account: account,
      source_region: 'eu-west-1',
      ec2_source_instance_arn: arn,
      request_tags: { 'brine-key': fingerOf(minion.pub) },
      ...aws,
    },
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .sign(signWith)
  const request: TokenRequest = { id: minion.id, pub: minion.pub, assertion: 'x'.repeat(16), web_identity: token }
  return read(request, now + 1)
}

describe('a web identity token', () => {
  it('that holds names account, region and instance', async () => {
    expect(await ask()).toEqual({ accountId: account, region: 'eu-west-1', instanceId: 'i-0123456789abcdef0' })
  })

  it.each<[string, Changes, string]>([
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, 'not allowed'],
    ['for another audience', { claims: { aud: 'https://other' } }, '"aud"'],
    ['that is late', { claims: { iat: now - 900, exp: now - 600 } }, '"exp"'],
    [
      'fetched for another key',
      { aws: { request_tags: { 'brine-key': fingerOf(testMinion('web2').pub) } } },
      'another key',
    ],
    ['for no key', { aws: { request_tags: {} } }, 'for no key'],
    ['of no instance', { aws: { ec2_source_instance_arn: undefined } }, 'no EC2 instance'],
    ["of another account's instance", { aws: { aws_account: '999999999999' } }, 'not of the account'],
    [
      'whose instance is no ARN of one',
      { aws: { ec2_source_instance_arn: 'i-0123456789abcdef0' } },
      'names the instance',
    ],
  ])('%s is refused', async (_, changes, reason) => {
    expect(await ask(changes)).toEqual(expect.stringContaining(reason))
  })

  it('signed by another key is refused', async () => {
    expect(await ask({ signWith: (await generateKeyPair('RS256')).privateKey })).toEqual(
      expect.stringContaining('signature verification failed'),
    )
  })

  it('that is none at all is refused', async () => {
    const request: TokenRequest = { id: 'web1', pub: minion.pub, assertion: 'x'.repeat(16), web_identity: 'nothing' }
    expect(await read(request, now)).toEqual(expect.stringContaining('not allowed'))
  })
})
