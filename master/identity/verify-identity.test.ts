// Identity documents: what is believed, and each way in which one is refused and audited.
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TokenRequest } from '../../core/protocol/index.ts'
import { masterId, type TestMaster, testMaster, testMinion } from '../../test/master/harness.ts'
import { createMemoryFleet } from '../fleet/memory-fleet.ts'
import type { FleetStore, Instance } from '../fleet/ports.ts'
import { fingerOf } from '../keys.ts'
import { createMaster } from '../master.ts'
import { defaultMasterOptions } from '../options.ts'
import { regionCertificates } from './certificates.ts'
import { isSignedBy } from './signature.ts'
import { createVerifyIdentity, type IdentityRules } from './verify-identity.ts'

const aws = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = aws.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const region = 'eu-west-1'
const account = '123456789012'
const id = 'i-0123456789abcdef0'

let running: TestMaster
let fleet: FleetStore
let instances: Map<string, Instance>

beforeEach(async () => {
  running = await testMaster()
  fleet = createMemoryFleet()
  const instance: Instance = {
    id,
    state: 'pending',
    launchedAt: running.store.clock.now(),
    group: 'web',
    lifecycle: 'Pending:Wait',
  }
  instances = new Map([[id, instance]])
})
afterEach(() => running.close())

function documentOf(more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    accountId: account,
    region,
    instanceId: id,
    pendingTime: '2026-01-01T00:00:00Z',
    imageId: 'ami-1',
    instanceType: 't4g.nano',
    ...more,
  })
}

const signed = (document: string) => ({
  document,
  signature: sign('sha256', Buffer.from(document), aws.privateKey).toString('base64'),
})

function rules(groups: readonly string[] = ['we*']): IdentityRules {
  return {
    accounts: [account],
    regions: [region],
    groups,
    launchedWithin: 600,
    certificates: new Map([[region, [pem]]]),
  }
}

function needs() {
  const { audit, clock } = running.store
  return { instances: { find: async () => instances }, store: fleet, audit, clock }
}

function verifier(groups?: readonly string[]) {
  return createVerifyIdentity(rules(groups), needs())
}

async function ask(
  identity: TokenRequest['identity'] | undefined,
  minion = testMinion('web1'),
  groups?: readonly string[],
) {
  const request = await minion.request()
  return verifier(groups)(identity === undefined ? request : { ...request, identity })
}

async function reasons(): Promise<unknown[]> {
  const entries = await running.store.audit.recent(10)
  return entries.filter(({ what }) => what === 'identity refused').map(({ detail }) => detail.reason)
}

describe('an identity document', () => {
  it('that holds vouches for account, region, instance and group', async () => {
    expect(await ask(signed(documentOf()))).toEqual({
      account,
      region,
      instance_id: id,
      asg: 'web',
      image_id: 'ami-1',
      instance_type: 't4g.nano',
    })
    expect(await reasons()).toEqual([])
  })

  it('is believed again of the same key under the same id', async () => {
    const minion = testMinion('web1')
    await ask(signed(documentOf()), minion)
    expect(await ask(signed(documentOf()), minion)).toMatchObject({ instance_id: id })
  })

  it('is not asked for', async () => {
    expect(await ask(undefined)).toBeUndefined()
    expect(await reasons()).toEqual([])
  })

  it.each([
    [
      'altered',
      () => ({ ...signed(documentOf()), document: documentOf({ instanceId: 'i-0123456789abcdef1' }) }),
      'altered or made up',
    ],
    ['made up', () => ({ document: documentOf(), signature: 'bm8=' }), 'altered or made up'],
    ['not a document', () => signed('[]'), 'not as EC2 writes it'],
    ['not JSON', () => signed('x'), 'is not JSON'],
    [
      'of another account',
      () => signed(documentOf({ accountId: '999999999999' })),
      'account 999999999999 is not allowed',
    ],
    [
      'of a region without certificate',
      () => signed(documentOf({ region: 'xx-nowhere-1' })),
      'no certificate is known',
    ],
  ])('that is %s is refused and audited', async (_, make, reason) => {
    expect(await ask(make())).toBeUndefined()
    expect(await reasons()).toEqual([expect.stringContaining(reason)])
  })

  const changed: [string, Partial<Instance> | undefined, string][] = [
    ['late', { launchedAt: 0 }, 'has to speak within 600 s'],
    ['of a terminated instance', { state: 'terminated' }, 'is terminated'],
    ['of an instance that is going', { lifecycle: 'Terminating:Wait' }, 'Terminating:Wait'],
    ['of an instance that AWS does not know', undefined, 'there is no instance'],
  ]
  it.each(changed)('that is %s is refused and audited', async (_, change, reason) => {
    const instance = instances.get(id)
    instances = new Map(change === undefined || instance === undefined ? [] : [[id, { ...instance, ...change }]])
    expect(await ask(signed(documentOf()))).toBeUndefined()
    expect(await reasons()).toEqual([expect.stringContaining(reason)])
  })

  it('of a group that is not allowed, or of none, is refused', async () => {
    expect(await ask(signed(documentOf()), testMinion('web1'), ['db'])).toBeUndefined()
    instances = new Map([[id, { id, state: 'running', launchedAt: running.store.clock.now() }]])
    expect(await ask(signed(documentOf()))).toBeUndefined()
    expect((await reasons()).sort()).toEqual([
      'the group web is not allowed',
      `the instance ${id} is in no Auto Scaling group`,
    ])
  })

  it('replayed by another key, or by the same id with another key, is refused', async () => {
    await ask(signed(documentOf()), testMinion('web1'))
    expect(await ask(signed(documentOf()), testMinion('web1'))).toBeUndefined()
    expect(await ask(signed(documentOf()), testMinion('web2'))).toBeUndefined()
    expect(await reasons()).toHaveLength(2)
  })

  it('gives way to a web identity token, which is judged by the same rules', async () => {
    const keys = await generateKeyPair('ES384')
    const minion = testMinion('web1')
    const verify = createVerifyIdentity(
      {
        ...rules(),
        webIdentity: { audience: masterId, issuers: ['https://sts.test'], keysOf: () => async () => keys.publicKey },
      },
      needs(),
    )
    const token = async (accountId: string) => {
      const now = Math.floor(running.store.clock.now() / 1_000_000)
      return new SignJWT({
        'https://sts.amazonaws.com/': {
          aws_account: accountId,
          ec2_source_instance_arn: `arn:aws:ec2:${region}:${accountId}:instance/${id}`,
          request_tags: { 'brine-key': fingerOf(minion.pub) },
        },
      })
        .setProtectedHeader({ alg: 'ES384' })
        .setIssuer('https://sts.test')
        .setAudience(masterId)
        .setSubject('arn:aws:iam::1:role/web')
        .setIssuedAt(now)
        .setExpirationTime(now + 300)
        .sign(keys.privateKey)
    }
    const request = await minion.request()
    expect(await verify({ ...request, web_identity: await token(account) })).toEqual({
      account,
      region,
      instance_id: id,
      asg: 'web',
    })
    expect(await verify({ ...request, web_identity: await token('999999999999') })).toBeUndefined()
    expect(await verify({ ...request, web_identity: 'x.y.z', identity: signed(documentOf()) })).toBeUndefined()
    expect((await reasons()).sort()).toEqual([
      expect.stringContaining('account 999999999999 is not allowed'),
      expect.stringContaining('the issuer null'),
    ])
  })

  it('comes in time for a key that waits without one, and tells salt/auth again', async () => {
    const master = createMaster(
      running.store,
      { ...defaultMasterOptions, id: masterId, version: '0' },
      { timeout: 1, verifyIdentity: verifier() },
    )
    const minion = testMinion('web1')
    const known = instances
    instances = new Map()
    const ask = async () => master.authenticate({ ...(await minion.request()), identity: signed(documentOf()) })
    await ask()
    await ask()
    instances = known
    await ask()
    await ask()
    const auths = (await running.events()).filter(({ tag }) => tag === 'salt/auth')
    expect(auths.map(({ data }) => (data as Record<string, unknown>).identity)).toEqual([
      undefined,
      expect.objectContaining({ asg: 'web' }),
    ])
  })

  it('is in salt/auth and in the record of the key', async () => {
    const master = createMaster(
      running.store,
      { ...defaultMasterOptions, id: masterId, version: '0' },
      { timeout: 1, verifyIdentity: verifier() },
    )
    const minion = testMinion('web1')
    await master.authenticate({ ...(await minion.request()), identity: signed(documentOf()) })
    const auth = (await running.events()).find(({ tag }) => tag === 'salt/auth')
    expect(auth?.data).toMatchObject({ act: 'pend', id: 'web1', identity: { asg: 'web', instance_id: id } })
    expect((await running.store.keys.get('web1'))?.current?.identity).toMatchObject({ asg: 'web' })
  })
})

describe("AWS's certificates", () => {
  const certificates = regionCertificates()

  it('are whole: each verifies itself', () => {
    for (const pems of certificates.values())
      for (const text of pems) {
        const certificate = new X509Certificate(text)
        expect(certificate.verify(certificate.publicKey)).toBe(true)
      }
  })

  it('are there for the regions that are on in every account', () => {
    expect([...certificates.keys()]).toEqual(
      expect.arrayContaining(['us-east-1', 'eu-central-1', 'ap-northeast-1', 'sa-east-1']),
    )
  })

  it('do not sign what anybody else signed', () => {
    const { document, signature } = signed(documentOf())
    expect(isSignedBy(document, signature, certificates.get('us-east-1') ?? [])).toBe(false)
    expect(isSignedBy(document, signature, [pem])).toBe(true)
  })

  it('can be added to, and what is none is told', () => {
    expect(regionCertificates({ 'xx-central-1': pem }).get('xx-central-1')).toEqual([pem])
    expect(regionCertificates({ 'mx-central-1': pem }).get('mx-central-1')).toContain(pem)
    expect(() => regionCertificates({ 'mx-central-1': 'no' })).toThrow('identityCertificates has for mx-central-1')
  })
})
