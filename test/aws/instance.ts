// An EC2 instance as its agent sees it: a metadata service with an identity document that a test's own key signed.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { account, region } from './stack.ts'

/** Who signs identity documents in a test, in AWS's place. */
export interface Signatory {
  /** What `identityCertificates` has to hold for the region. */
  readonly pem: string
  readonly key: KeyObject
}

/** A signatory of its own. */
export function newSignatory(): Signatory {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(), key: privateKey }
}

/** The document of an instance, as EC2 writes it. */
export function identityDocument(instanceId: string, more: Readonly<Record<string, string>> = {}): string {
  const document = {
    accountId: account,
    architecture: 'arm64',
    availabilityZone: `${region}a`,
    imageId: 'ami-0123456789abcdef0',
    instanceId,
    instanceType: 't4g.nano',
    pendingTime: new Date().toISOString(),
    region,
    version: '2017-09-30',
    ...more,
  }
  return JSON.stringify(document, null, 2)
}

/** The signature of a document, as the metadata service gives it. */
export function signedBy({ key }: Pick<Signatory, 'key'>, document: string): string {
  return sign('sha256', Buffer.from(document), key).toString('base64')
}

/** A metadata service. */
export interface MetadataService {
  readonly url: string
  /** What the agent needs in its environment to find it. */
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Serves a document and its signature, in the second version of the service: a session first. */
export async function serveMetadata(document: string, { key }: Pick<Signatory, 'key'>): Promise<MetadataService> {
  const texts: Readonly<Record<string, string>> = {
    '/latest/dynamic/instance-identity/document': document,
    '/latest/dynamic/instance-identity/signature': signedBy({ key }, document),
    '/latest/meta-data/instance-id': JSON.parse(document).instanceId,
  }
  const server = createServer((request, response) => {
    const text = texts[request.url ?? '']
    if (request.method === 'PUT' && request.url === '/latest/api/token') response.end('session')
    else if (request.headers['x-aws-ec2-metadata-token'] !== 'session') response.writeHead(401).end()
    else if (text === undefined) response.writeHead(404).end()
    else response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    environment: {
      AWS_EC2_METADATA_SERVICE_ENDPOINT: url,
      AWS_EC2_METADATA_DISABLED: 'false',
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
