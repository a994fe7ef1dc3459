// HTTP API's payload 2.0 and the entrance for IAM's Invoke, as requests; and responses as both want them.
import type { InvokeRequest } from '../../../core/protocol/index.ts'
import type { TransportBindings } from '../../../master/api/route.ts'

/** A request as an HTTP API hands it to its integration. */
export interface HttpEvent {
  readonly version: '2.0'
  readonly rawPath: string
  readonly rawQueryString?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  readonly body?: string
  readonly isBase64Encoded?: boolean
  readonly requestContext: {
    readonly http: { readonly method: string; readonly sourceIp?: string }
    /** There where the route asks for IAM's signature, and it was right. */
    readonly authorizer?: { readonly iam?: { readonly userArn?: string | null } | null }
  }
}

/** A request and what the transport knows of it. */
export interface Arrived {
  readonly request: Request
  readonly transport: TransportBindings
}

/** What both entrances are told of the master. */
export interface Entrance {
  /** The bootstrap URL; below an emulator's it has a path. */
  readonly url: string
  /** The name of the local principal where nobody gives another. */
  readonly user: string
}

/** The request of an HTTP API. Below a route with IAM's signature who asks is the local principal, by the ARN's name. */
export function requestOf(event: HttpEvent, { url, user }: Entrance): Arrived {
  const { http, authorizer } = event.requestContext
  const headers = new Headers({ ...event.headers })
  if (event.cookies !== undefined) headers.set('cookie', event.cookies.join('; '))
  const query = event.rawQueryString === undefined || event.rawQueryString === '' ? '' : `?${event.rawQueryString}`
  const body = event.body === undefined ? null : Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8')
  const request = new Request(`${new URL(url).origin}${encodedPath(event.rawPath)}${query}`, {
    method: http.method,
    headers,
    ...(body === null || isBodiless(http.method) ? {} : { body }),
  })
  const common = { remote: http.sourceIp, secure: url.startsWith('https:') }
  const arn = authorizer?.iam?.userArn
  return typeof arn === 'string'
    ? { request, transport: { transport: 'socket', localUser: nameIn(arn) ?? user, ...common } }
    : { request, transport: { transport: 'tcp', localUser: user, ...common } }
}

/**
 * The request of whoever may invoke the gateway: IAM has asked for their rights, so that they are the local principal, as
 * who may open the socket of an embedded master is.
 */
export function requestOfInvoke(event: InvokeRequest, { url, user }: Entrance): Arrived {
  const request = new Request(new URL(event.path, new URL(url).origin), {
    method: event.method,
    ...(event.headers === undefined ? {} : { headers: { ...event.headers } }),
    ...(event.body === undefined || isBodiless(event.method) ? {} : { body: event.body }),
  })
  return { request, transport: { transport: 'socket', localUser: event.user ?? user, secure: true } }
}

/**
 * An HTTP API hands over the path decoded. What no path holds as it is, and would be read as a query or as nothing, is
 * encoded again; what is encoded still stays.
 */
function encodedPath(path: string): string {
  return path.replace(/%(?![0-9a-f]{2})|[?#\\\s\p{Cc}]/giu, encodeURIComponent)
}

/** Bytes of an answer with everything around it: Lambda takes 6 MB, and answers nobody what is larger. */
const longestAnswer = 6 * 1024 * 1024 - 4096

/** What is said in place of an answer that Lambda would not take. */
function tooLong(bytes: number): string {
  return JSON.stringify({
    error: 'too-large',
    message: `The answer is ${bytes} bytes long, more than the 6 MB that Lambda takes. Ask for less at once: fewer minions, one job, a shorter page.`,
  })
}

function fitting<T extends { readonly body: string }>(answer: T, other: (body: string) => T): T {
  // No character is written as more than six bytes.
  if (answer.body.length < longestAnswer / 6 - 4096) return answer
  const bytes = Buffer.byteLength(JSON.stringify(answer))
  return bytes <= longestAnswer ? answer : other(tooLong(bytes))
}

const refusedStatus = 507
const refusedHeaders = { 'content-type': 'application/json' }

/** A response as an HTTP API takes it. */
export async function httpAnswer(response: Response): Promise<object> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const isText = isTextual(response.headers.get('content-type') ?? '')
  const cookies = response.headers.getSetCookie()
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie')
  const answer = {
    statusCode: response.status,
    headers: Object.fromEntries(headers),
    ...(cookies.length === 0 ? {} : { cookies }),
    body: bytes.toString(isText ? 'utf8' : 'base64'),
    isBase64Encoded: !isText,
  }
  return fitting(answer, (body) => ({
    statusCode: refusedStatus,
    headers: refusedHeaders,
    body,
    isBase64Encoded: false,
  }))
}

/** What an Invoke is answered; `isBase64Encoded` where the body is no text. */
export async function invokeAnswer(response: Response): Promise<object> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const isText = isTextual(response.headers.get('content-type') ?? '')
  const answer = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: bytes.toString(isText ? 'utf8' : 'base64'),
    ...(isText ? {} : { isBase64Encoded: true }),
  }
  return fitting(answer, (body) => ({ status: refusedStatus, headers: refusedHeaders, body }))
}

/** `arn:aws:sts::1:assumed-role/ops/ann` is ann; `arn:aws:iam::1:user/team/bob` bob; an account's root `root`. */
function nameIn(arn: string): string | undefined {
  return /[/:]([^/:]+)$/.exec(arn)?.[1]
}

function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isTextual(type: string): boolean {
  return type === '' || /^text\/|json|yaml|javascript|xml/i.test(type)
}
