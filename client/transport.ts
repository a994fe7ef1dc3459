// How a program reaches its master: over the master's own socket, or over HTTPS with a token.
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createInterface } from 'node:readline'
import { BrineError } from '../core/error.ts'
import { PROTOCOL_HEADER, PROTOCOL_VERSION } from '../core/protocol/version.ts'
import { get, isMap, parseJson, stringifyJson, type Value } from '../core/value/index.ts'

/** Where the master is. */
export type Address =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string; readonly token?: string }

/** Requests to one master, over connections that are kept. */
export interface Transport {
  post(path: string, body: Value): Promise<Value>
  get(path: string): Promise<Value>
  /** The lines of a streamed answer, as they come; the stream is open when the promise resolves. Ends with the signal. */
  lines(path: string, signal: AbortSignal): Promise<AsyncIterable<string>>
  close(): void
}

/** A refusal of the master's: `code` is its own, `status` HTTP's. */
export class Refused extends BrineError {
  readonly status: number
  constructor(message: string, code: string, status: number) {
    super(message, { code })
    this.status = status
  }
}

/** A transport to the address. Connects when first used. */
export function createTransport(address: Address): Transport {
  const secure = address.kind === 'url' && address.url.startsWith('https:')
  const agent = secure ? undefined : new Agent({ keepAlive: true, maxSockets: 64 })
  const target = (path: string): { url?: URL; socketPath?: string; path: string } =>
    address.kind === 'socket' ? { socketPath: address.path, path } : { url: new URL(path, address.url), path }
  const headers: Record<string, string> = {
    [PROTOCOL_HEADER]: String(PROTOCOL_VERSION),
    ...(address.kind === 'url' && address.token !== undefined ? { authorization: `Bearer ${address.token}` } : {}),
  }

  const send = (
    method: string,
    path: string,
    body: string | undefined,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { url, socketPath } = target(path)
      const options = {
        method,
        headers:
          body === undefined
            ? headers
            : { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        ...(agent === undefined ? {} : { agent }),
        ...(signal === undefined ? {} : { signal }),
      }
      const sent =
        url === undefined
          ? httpRequest({ ...options, socketPath, path })
          : (secure ? httpsRequest : httpRequest)(url, options)
      sent.once('response', resolve)
      sent.once('error', (error: NodeJS.ErrnoException) => reject(unreachable(address, error)))
      sent.end(body)
    })

  const exchange = async (method: string, path: string, body?: string): Promise<Value> => {
    const response = await send(method, path, body)
    const text = await textOf(response)
    if ((response.statusCode ?? 500) >= 400) throw refusalOf(text, response.statusCode ?? 500)
    return parseJson(text)
  }

  return {
    post: (path, body) => exchange('POST', path, stringifyJson(body, { ascii: false, separators: [',', ':'] })),
    get: (path) => exchange('GET', path),
    async lines(path, signal) {
      const response = await send('GET', path, undefined, signal)
      if ((response.statusCode ?? 500) >= 400) throw refusalOf(await textOf(response), response.statusCode ?? 500)
      return readLines(response, signal)
    },
    close: () => agent?.destroy(),
  }
}

async function* readLines(response: IncomingMessage, signal: AbortSignal): AsyncIterable<string> {
  const reader = createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })
  try {
    for await (const line of reader) if (line !== '') yield line
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    reader.close()
    response.destroy()
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function refusalOf(text: string, status: number): Refused {
  try {
    const value = parseJson(text)
    if (isMap(value))
      return new Refused(String(get(value, 'message') ?? text), String(get(value, 'error') ?? 'refused'), status)
  } catch (error) {
    if (!(error instanceof BrineError)) throw error
  }
  return new Refused(`The master answered ${status}: ${text.slice(0, 200)}`, 'refused', status)
}

function unreachable(address: Address, error: NodeJS.ErrnoException): Error {
  if (error.name === 'AbortError') return error
  if (address.kind === 'url') {
    return new BrineError(`No master answers at ${address.url}: ${error.message}`, {
      code: 'unreachable',
      cause: error,
    })
  }
  const why =
    error.code === 'ENOENT'
      ? `There is no socket at ${address.path}. Is the master running? Another place: sock_dir in the master's configuration, -c DIR, or --sock PATH.`
      : error.code === 'EACCES'
        ? `The socket at ${address.path} belongs to another user. Run the command as the user the master runs as.`
        : error.code === 'ECONNREFUSED'
          ? `The master that made ${address.path} is gone. Start it again.`
          : `Cannot reach the master at ${address.path}: ${error.message}`
  return new BrineError(why, { code: 'unreachable', cause: error })
}
