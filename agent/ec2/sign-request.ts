// Signature Version 4: how a request to AWS proves who sends it.
import { createHash, createHmac } from 'node:crypto'

/** What a request is signed with. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Temporary credentials have one, as those of an instance's role. */
  readonly sessionToken?: string
}

/** A POST to a service. */
export interface SignedRequest {
  readonly url: URL
  readonly body: string
  /** All that is sent beside what signing adds, by lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly service: string
  readonly region: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The headers that the request is sent with, the signature among them. */
export function signedHeaders(request: SignedRequest, credentials: Credentials): Record<string, string> {
  const { url, body, service, region } = request
  const time = `${new Date(request.at).toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`
  const day = time.slice(0, 8)
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    'x-amz-date': time,
    ...(credentials.sessionToken === undefined ? {} : { 'x-amz-security-token': credentials.sessionToken }),
  }
  const names = Object.keys(headers).sort()
  const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort()
  const canonical = [
    'POST',
    url.pathname,
    query.join('&'),
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  )
  const signature = createHmac('sha256', key).update(text).digest('hex')
  const { host: _, ...sent } = headers
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
