// Requests to the master over one kept connection: HTTPS, plain HTTP on loopback, or a Unix socket.
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BrineError } from '../../core/error.ts'
import { PROTOCOL_HEADER, PROTOCOL_VERSION } from '../../core/protocol/version.ts'
import { isMapping, type Mapping, parseJsonBytes } from '../../core/value/index.ts'
import type { SecureWay } from './secure-agent.ts'

/** Where the master is. */
export interface Bootstrap {
  /** `http://…` or `https://…` without a path; `http://localhost` for a Unix socket. */
  readonly origin: string
  /** Where the URL has a path (`/brine`): what stands before every path that the master names. */
  readonly base?: string
  readonly socketPath?: string
}

/** An answer: the status, and the body where it is a JSON map. */
export interface Answer {
  readonly status: number
  readonly body: Mapping | undefined
  /** The body as it came. */
  readonly bytes: Uint8Array
  readonly headers: IncomingHttpHeaders
  /** Seconds to wait, where the master says so. */
  readonly retryAfter: number | undefined
}

/** One request. */
export interface Ask {
  readonly method: 'GET' | 'POST'
  /** A path on the bootstrap URL, or an absolute URL. */
  readonly url: string
  readonly token?: string
  /** JSON text. */
  readonly body?: string
  /** Milliseconds until it is given up. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
}

/** Whom to believe, which way to go, and how to introduce oneself. */
export interface HttpOptions {
  readonly trust?: SecureWay
  readonly version: string
}

const maxBody = 64 * 1024 * 1024

/**
 * Asks the master. Rejects with a BrineError `unreachable` when there is no answer (refused, timed out, cut off); any
 * status is an answer. Plain HTTP is refused for everything but loopback: the token would be readable on the way.
 */
export class HttpClient {
  readonly bootstrap: Bootstrap
  readonly #options: HttpOptions
  readonly #plain: Agent
  #secure: Promise<{ request: typeof httpRequest; agent: Agent }> | undefined

  constructor(bootstrap: Bootstrap, options: HttpOptions) {
    this.bootstrap = bootstrap
    this.#options = options
    this.#plain = new Agent({ keepAlive: true, maxSockets: 8, scheduling: 'lifo' })
  }

  async ask(ask: Ask): Promise<Answer> {
    const url = resolveUrl(this.bootstrap, ask.url)
    const socketPath = url.origin === this.bootstrap.origin ? this.bootstrap.socketPath : undefined
    if (url.protocol !== 'https:' && socketPath === undefined && !isLoopback(url.hostname)) {
      throw new BrineError(`${url.origin} is not asked: plain HTTP is for loopback alone. Use https.`, {
        code: 'insecure',
      })
    }
    const { request: start, agent } =
      url.protocol === 'https:' ? await this.secure() : { request: httpRequest, agent: this.#plain }
    const options: RequestOptions = {
      method: ask.method,
      headers: this.#headers(ask),
      agent,
      ...(socketPath === undefined ? {} : { socketPath }),
      ...(ask.signal === undefined ? {} : { signal: ask.signal }),
    }
    for (let round = 0; ; round++) {
      try {
        return await exchange(() => start(url, options), ask)
      } catch (error) {
        // The server closed a kept connection just as it was used again: nothing was wrong with the request.
        if (error instanceof StaleConnection && round === 0) continue
        const cause = error instanceof StaleConnection ? error.cause : error
        throw new BrineError(`The master at ${socketPath ?? url.origin} gives no answer: ${reasonOf(cause)}`, {
          code: 'unreachable',
          cause,
        })
      }
    }
  }

  /** Ends the kept connections. */
  close(): void {
    this.#plain.destroy()
    void this.#secure?.then(({ agent }) => agent.destroy())
  }

  #headers(ask: Ask): Record<string, string | number> {
    return {
      [PROTOCOL_HEADER]: PROTOCOL_VERSION,
      accept: 'application/json',
      'user-agent': `brine-minion/${this.#options.version}`,
      ...(ask.token === undefined ? {} : { authorization: `Bearer ${ask.token}` }),
      ...(ask.body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(ask.body) }),
    }
  }

  /** HTTPS, loaded when it is used, and the connections that believe whom this client believes. */
  secure(): Promise<{ request: typeof httpRequest; agent: Agent }> {
    this.#secure ??= import('./secure-agent.ts').then(({ secureAgent }) => ({
      request: httpsRequest,
      agent: secureAgent(this.#options.trust ?? {}, { keepAlive: true, maxSockets: 8, scheduling: 'lifo' }),
    }))
    return this.#secure
  }
}

/** A kept connection that was dead when it was used again. */
class StaleConnection extends Error {}

/** One request and its whole answer. Rejects with what the socket says. */
function exchange(start: () => ClientRequest, { body, timeout }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = start()
    const timer = setTimeout(() => request.destroy(new Error(`nothing within ${timeout / 1000} s`)), timeout)
    const fail = (cause: unknown): void => {
      clearTimeout(timer)
      const isReset =
        cause instanceof Error && 'code' in cause && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE')
      reject(request.reusedSocket && isReset ? new StaleConnection('stale', { cause }) : cause)
    }
    request.on('error', fail)
    request.on('response', (response) => {
      read(response).then((bytes) => {
        clearTimeout(timer)
        const { statusCode: status = 0, headers } = response
        const isJson = headers['content-type']?.includes('json') === true
        resolve({ status, body: isJson ? parse(bytes) : undefined, bytes, headers, retryAfter: retryAfterOf(response) })
      }, fail)
    })
    request.end(body)
  })
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message !== '' ? cause.message : 'code' in cause ? String(cause.code) : cause.name
}

/** The bootstrap address a `master` setting means. `unix:///path` is a socket; a bare host is HTTPS, on loopback on port 8000. Plain HTTP is written out. */
export function bootstrapOf(master: string, port?: number): Bootstrap {
  if (master.startsWith('unix:')) return { origin: 'http://localhost', socketPath: master.replace(/^unix:(\/\/)?/, '') }
  if (/^https?:\/\//.test(master)) {
    const { origin, pathname } = new URL(master)
    const base = pathname.replace(/\/+$/, '')
    return base === '' ? { origin } : { origin, base }
  }
  const host = master.includes(':') && !master.startsWith('[') ? `[${master}]` : master
  const local = isLoopback(host.replace(/^\[|\]$/g, ''))
  const suffix = port === undefined ? (local ? ':8000' : '') : `:${port}`
  return { origin: new URL(`https://${host}${suffix}`).origin }
}

/** The URL that a path of the master's means, or an absolute URL as it is. */
export function resolveUrl({ origin, base = '' }: Bootstrap, url: string): URL {
  return new URL(url.startsWith('/') ? `${base}${url}` : url, origin)
}

/** Whether a host is this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\./.test(host)
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > maxBody) throw new Error(`the answer is larger than ${maxBody} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function parse(bytes: Buffer): Mapping | undefined {
  if (bytes.length === 0) return undefined
  try {
    const value = parseJsonBytes(bytes)
    return isMapping(value) ? value : undefined
  } catch (error) {
    // A gateway in between may answer in HTML: the status alone counts then.
    if (error instanceof BrineError) return undefined
    throw error
  }
}

function retryAfterOf(response: IncomingMessage): number | undefined {
  const seconds = Number(response.headers['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
