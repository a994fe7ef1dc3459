// What an instance says of itself, with a metadata service and an STS on this machine in place of AWS's.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog, systemOutside } from '../outside.ts'
import { createInstanceProof, type ProofSettings } from './instance-proof.ts'

const document = '{\n  "instanceId" : "i-0123456789abcdef0",\n  "region" : "eu-west-1"\n}'

let server: Server
let asked: string[]
let forms: URLSearchParams[]
let stsAnswer: string
let warnings: string[]
let now: number

beforeEach(async () => {
  asked = []
  forms = []
  warnings = []
  now = 1_000_000_000_000
  stsAnswer = '<R><WebIdentityToken>a.b-c.d_e</WebIdentityToken></R>'
  const texts: Record<string, string> = {
    'dynamic/instance-identity/document': document,
    'dynamic/instance-identity/signature': 'c2ln\nbmF0dXJl',
    'dynamic/instance-identity/rsa2048': 'Y21z',
    'meta-data/iam/security-credentials/': 'fleet-role',
    'meta-data/iam/security-credentials/fleet-role': '{"AccessKeyId": "AK", "SecretAccessKey": "SK", "Token": "T"}',
  }
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/latest/', '')
    asked.push(`${request.method} ${path}`)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'POST') {
        forms.push(new URLSearchParams(Buffer.concat(chunks).toString()))
        response.end(stsAnswer)
      } else if (request.method === 'PUT') response.end('session-1')
      else if (request.headers['x-aws-ec2-metadata-token'] !== 'session-1' || texts[path] === undefined)
        response.writeHead(401).end()
      else response.end(texts[path])
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function proof(more: Partial<ProofSettings> = {}): () => Promise<unknown> {
  const outside = { ...systemOutside({ ...silentLog, warn: (text) => void warnings.push(text) }), now: () => now }
  const environment = { AWS_EC2_METADATA_SERVICE_ENDPOINT: origin(), AWS_ENDPOINT_URL_STS: origin() }
  return createInstanceProof({
    when: 'auto',
    webIdentity: false,
    audience: 'https://master',
    finger: 'aa:bb',
    environment,
    fetch,
    outside,
    ...more,
  })
}

describe('an instance', () => {
  it('gives the document and the signature to the byte, after opening a session', async () => {
    expect(await proof()()).toEqual({ identity: { document, signature: 'c2ln\nbmF0dXJl', rsa2048: 'Y21z' } })
    expect(asked[0]).toBe('PUT api/token')
  })

  it('adds a token of STS for this master and this key', async () => {
    expect(await proof({ webIdentity: true })()).toMatchObject({ web_identity: 'a.b-c.d_e' })
    expect(Object.fromEntries(forms[0] ?? [])).toMatchObject({
      Action: 'GetWebIdentityToken',
      'Audience.member.1': 'https://master',
      'Tags.member.1.Key': 'brine-key',
      'Tags.member.1.Value': 'aa:bb',
    })
  })

  it('goes on with the document where STS gives no token, and says so once', async () => {
    stsAnswer = '<E><Message>OutboundWebIdentityFederationDisabled</Message></E>'
    const ask = proof({ webIdentity: true })
    expect(await ask()).toEqual({ identity: expect.anything() })
    now += 600_000_000
    await ask()
    expect(warnings).toEqual([expect.stringContaining('OutboundWebIdentityFederationDisabled')])
  })

  it('keeps a proof for a moment, and fetches another before the token of STS ends', async () => {
    const ask = proof({ webIdentity: true })
    await ask()
    await ask()
    expect(forms).toHaveLength(1)
    now += 250_000_000
    await ask()
    expect(forms).toHaveLength(2)
  })

  it('asks with its key alone where the metadata service is away, and says so', async () => {
    const environment = { AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://127.0.0.1:1' }
    expect(await proof({ environment })()).toEqual({})
    expect(warnings).toEqual([expect.stringContaining('http://127.0.0.1:1')])
  })

  it.each([
    ['told never to', { when: 'never' as const }],
    ['where it is switched off', { environment: { AWS_EC2_METADATA_DISABLED: 'true' } }],
  ])('asks nobody %s', async (_, more) => {
    expect(await proof(more)()).toEqual({})
    expect(asked).toEqual([])
    expect(warnings).toEqual([])
  })
})
