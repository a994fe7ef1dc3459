// Requests to web servers other than the master: as fetch asks them, through the proxy where there is one.
import { Agent, type IncomingMessage, request as plain } from 'node:http'
import { request as encrypted } from 'node:https'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Mapping } from '../../core/value/index.ts'
import { type HttpProxy, proxyOf } from './proxy.ts'
import { secureAgent } from './secure-agent.ts'

/** What of fetch's options is used. */
export interface OutgoingOptions {
  readonly method?: string
  readonly headers?: Headers | Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** Asks a web server. Resolves when the answer begins; redirects are followed. */
export type Outgoing = (url: URL | string, options?: OutgoingOptions) => Promise<Response>

const jumps = 20
const headless = new Set([101, 204, 205, 304])

/** Asks as the configuration says: with fetch, or through its proxy. */
export function outgoing(opts: Mapping): Outgoing {
  const proxy = proxyOf(opts)
  return async (url, options = {}) => {
    if (proxy === undefined || proxy.passes(new URL(url).hostname)) return fetch(url, options)
    return following(proxy, { ...options, url: new URL(url), headers: new Headers(options.headers) })
  }
}

interface Request extends OutgoingOptions {
  readonly url: URL
  readonly headers: Headers
}

async function following(proxy: HttpProxy, first: Request): Promise<Response> {
  let next = first
  for (let left = jumps; ; left--) {
    const { url, headers, signal, method = 'GET', body } = next
    if (proxy.passes(url.hostname)) {
      return fetch(url, { method, headers, ...(body === undefined ? {} : { body }), ...(signal && { signal }) })
    }
    const message = await askThrough(proxy, next)
    const { statusCode: status = 0, headers: answered } = message
    const { location } = answered
    if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return responseOf(message)
    message.resume()
    if (left === 0) throw new Error(`${first.url.origin} redirects more than ${jumps} times`)
    next = redirected(next, status, new URL(location, url))
  }
}

/** The request that a redirect asks for; a login stays with the origin that it is for. */
function redirected({ method = 'GET', body, ...request }: Request, status: number, url: URL): Request {
  const headers = new Headers(request.headers)
  if (url.origin !== request.url.origin) for (const name of ['authorization', 'cookie']) headers.delete(name)
  const rest = { ...request, url, headers }
  const asGet = (status === 303 && method !== 'HEAD') || (status < 303 && method === 'POST')
  if (!asGet) return { ...rest, method, ...(body === undefined ? {} : { body }) }
  headers.delete('content-type')
  return { ...rest, method: 'GET' }
}

/** HTTPS in a tunnel; plain HTTP by naming the whole URL to the proxy. */
function askThrough(
  proxy: HttpProxy,
  { url, method = 'GET', headers, body, signal }: Request,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const sent = {
    'accept-encoding': 'identity',
    accept: '*/*',
    ...Object.fromEntries(headers),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...(isSecure || proxy.login === undefined ? {} : { 'proxy-authorization': proxy.login }),
  }
  const shared = { method, headers: sent, ...(signal === undefined ? {} : { signal }) }
  const request = isSecure
    ? encrypted(url, { ...shared, agent: secureAgent({ proxy }, { keepAlive: false }) })
    : plain({
        ...shared,
        host: proxy.host,
        port: proxy.port,
        path: `${url.origin}${url.pathname}${url.search}`,
        headers: { host: url.host, ...sent },
        agent: new Agent({ keepAlive: false }),
      })
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', (error) => reject(signal?.aborted === true ? signal.reason : error))
    request.end(body)
  })
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = message
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  const isEmpty = headless.has(status)
  if (isEmpty) message.resume()
  const body = isEmpty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>)
  return new Response(body, { status, statusText, headers: pairs })
}
