// Requests to the master over one kept connection: HTTPS, plain HTTP on loopback, or a Unix socket.
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { BrineError } from '../../core/error.ts'
import { PROTOCOL_HEADER, PROTOCOL_VERSION } from '../../core/protocol/version.ts'
import { isMapping, type Mapping, parseJsonBytes } from '../../core/value/index.ts'

/** Where the master is. */
export interface Bootstrap {
  /** `http://…` or `https://…` without a path; `http://localhost` for a Unix socket. */
  readonly origin: string
  readonly socketPath?: string
}

/** An answer: the status, and the body where it is a JSON map. */
export interface Answer {
  readonly status: number
  readonly body: Mapping | undefined
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

/** Certificates to trust besides the system's, PEM. */
export interface HttpOptions {
  readonly ca?: string
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
  #secure: Promise<typeof import('node:https')> | undefined
  #secureAgent: Agent | undefined

  constructor(bootstrap: Bootstrap, options: HttpOptions) {
    this.bootstrap = bootstrap
    this.#options = options
    this.#plain = new Agent({ keepAlive: true, maxSockets: 8, scheduling: 'lifo' })
  }

  async ask(ask: Ask): Promise<Answer> {
    const url = new URL(ask.url, this.bootstrap.origin)
    const own = url.origin === new URL(this.bootstrap.origin).origin
    if (url.protocol !== 'https:' && this.bootstrap.socketPath === undefined && !isLoopback(url.hostname)) {
      throw new BrineError(`${url.origin} is not asked: plain HTTP is for loopback alone. Use https.`, {
        code: 'insecure',
      })
    }
    const headers: Record<string, string | number> = {
      [PROTOCOL_HEADER]: PROTOCOL_VERSION,
      accept: 'application/json',
      'user-agent': `brine-minion/${this.#options.version}`,
    }
    if (ask.token !== undefined) headers.authorization = `Bearer ${ask.token}`
    if (ask.body !== undefined) {
      headers['content-type'] = 'application/json'
      headers['content-length'] = Buffer.byteLength(ask.body)
    }
    const start = url.protocol === 'https:' ? await this.#secureRequest() : httpRequest
    const agent = url.protocol === 'https:' ? this.#secureAgent : this.#plain
    const signal = ask.signal
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown): void => {
        const reason =
          cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause)
        reject(
          new BrineError(`The master at ${this.bootstrap.socketPath ?? url.origin} gives no answer: ${reason}`, {
            code: 'unreachable',
            cause,
          }),
        )
      }
      const request = start(url, {
        method: ask.method,
        headers,
        agent: agent ?? this.#plain,
        ...(own && this.bootstrap.socketPath !== undefined ? { socketPath: this.bootstrap.socketPath } : {}),
        ...(signal === undefined ? {} : { signal }),
        ...(this.#options.ca === undefined ? {} : { ca: this.#options.ca }),
      })
      const timer = setTimeout(() => request.destroy(new Error(`nothing within ${ask.timeout / 1000} s`)), ask.timeout)
      request.on('error', (error) => {
        clearTimeout(timer)
        fail(error)
      })
      request.on('response', (response) => {
        read(response).then(
          (bytes) => {
            clearTimeout(timer)
            resolve({ status: response.statusCode ?? 0, body: parse(bytes), retryAfter: retryAfterOf(response) })
          },
          (error: unknown) => {
            clearTimeout(timer)
            request.destroy()
            fail(error)
          },
        )
      })
      request.end(ask.body)
    })
  }

  /** Ends the kept connections. */
  close(): void {
    this.#plain.destroy()
    this.#secureAgent?.destroy()
  }

  async #secureRequest(): Promise<typeof httpRequest> {
    this.#secure ??= import('node:https')
    const https = await this.#secure
    this.#secureAgent ??= new https.Agent({ keepAlive: true, maxSockets: 8, scheduling: 'lifo' })
    return https.request
  }
}

/** The bootstrap address a `master` setting means. `unix:///path` is a socket; a bare host is HTTPS, loopback plain HTTP on 8000. */
export function bootstrapOf(master: string, port?: number): Bootstrap {
  if (master.startsWith('unix:')) return { origin: 'http://localhost', socketPath: master.replace(/^unix:(\/\/)?/, '') }
  if (/^https?:\/\//.test(master)) return { origin: new URL(master).origin }
  const host = master.includes(':') && !master.startsWith('[') ? `[${master}]` : master
  const local = isLoopback(host.replace(/^\[|\]$/g, ''))
  const suffix = port === undefined ? (local ? ':8000' : '') : `:${port}`
  return { origin: new URL(`${local ? 'http' : 'https'}://${host}${suffix}`).origin }
}

function isLoopback(host: string): boolean {
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
