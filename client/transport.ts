// How a program reaches its master: over the master's own socket, or over HTTPS with a token.
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createInterface } from 'node:readline'
import { type ServerTrust, secureAgent } from '../agent/connection/secure-agent.ts'
import { BrineError } from '../core/error.ts'
import { PROTOCOL_HEADER, PROTOCOL_VERSION } from '../core/protocol/version.ts'
import { get, isMap, parseJson, stringifyJson, type Value } from '../core/value/index.ts'

/** Where the master is. */
export type Address =
  | {
      readonly kind: 'socket'
      readonly path: string
      /** A token of `/login`, whose rights hold instead of the socket's. */
      readonly token?: string
    }
  | {
      readonly kind: 'url'
      readonly url: string
      /** A token of the API's `/login`. */
      readonly token?: string
      /** SHA-256 of the master's certificate, where no authority vouches for it. */
      readonly tlsFinger?: string
      /** The file of that certificate, where the master is on this machine. It need not be there. */
      readonly certificateFile?: string
      /** Authorities besides the system's, PEM. */
      readonly ca?: string
    }

/** Requests to one master, over connections that are kept. {@link Refused} is what it throws for an answer of 400 and above. */
export interface Transport {
  /**
   * Posts, and resolves to the answer. One that comes in JSON lines ends with a line `{"answer": …}`; `hear` is told of the
   * others as they come, and without it the answer comes in one piece.
   */
  post(path: string, body: Value, hear?: (line: Value) => void): Promise<Value>
  get(path: string): Promise<Value>
  /**
   * The lines of a streamed answer, as they come; the stream is open when the promise resolves. Ends with the signal. Where
   * the answer was a window, the last line is `{"cursor": …}` alone: the place to ask on from.
   */
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
  const kept = { keepAlive: true, maxSockets: 64 }
  const agent = secure ? secureAgent(trustOf(address), kept) : new Agent(kept)
  const target = (path: string): { url?: URL; socketPath?: string; path: string } =>
    address.kind === 'socket' ? { socketPath: address.path, path } : { url: urlOf(address.url, path), path }
  const headers: Record<string, string> = {
    [PROTOCOL_HEADER]: String(PROTOCOL_VERSION),
    ...(address.token !== undefined ? { authorization: `Bearer ${address.token}` } : {}),
  }

  const send = (
    method: string,
    path: string,
    body: string | undefined,
    { signal, accept }: { readonly signal?: AbortSignal; readonly accept?: string } = {},
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { url, socketPath } = target(path)
      const options = {
        method,
        headers: {
          ...headers,
          ...(accept === undefined ? {} : { accept }),
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
        agent,
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
    return wholeAnswer(await send(method, path, body))
  }

  return {
    async post(path, body, hear) {
      if (hear === undefined) return exchange('POST', path, jsonOf(body))
      const response = await send('POST', path, jsonOf(body), { accept: `application/json, ${jsonLines}` })
      const isLines = (response.headers['content-type'] ?? '').startsWith(jsonLines)
      return isLines ? answerInLines(response, hear) : wholeAnswer(response)
    },
    get: (path) => exchange('GET', path),
    async lines(path, signal) {
      const response = await send('GET', path, undefined, { signal })
      if ((response.statusCode ?? 500) >= 400) throw refusalOf(await textOf(response), response.statusCode ?? 500)
      return readLines(response, signal)
    },
    close: () => agent.destroy(),
  }
}

/** One request and its whole answer; rejects where there is none. */
export type Exchange = (
  request: {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  },
  signal?: AbortSignal,
) => Promise<{
  readonly status: number
  /** With names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}>

/** A transport over whole answers: what would be streamed comes in pieces, each with the place to ask on from. */
export function transportOver(exchange: Exchange, close: () => void): Transport {
  const headers = { [PROTOCOL_HEADER]: String(PROTOCOL_VERSION) }
  const ask = async (request: Omit<Parameters<Exchange>[0], 'headers'>, signal?: AbortSignal) => {
    const answer = await exchange({ ...request, headers }, signal)
    if (answer.status >= 400) throw refusalOf(answer.body, answer.status)
    return answer
  }
  return {
    post: async (path, body) => parseJson((await ask({ method: 'POST', path, body: jsonOf(body) })).body),
    get: async (path) => parseJson((await ask({ method: 'GET', path })).body),
    async lines(path, signal) {
      const answer = await ask({ method: 'GET', path }, signal)
      return (async function* () {
        yield* answer.body.split('\n').filter((line) => line !== '')
        yield* placeToGoOn(answer.headers[cursorHeader])
      })()
    },
    close,
  }
}

function jsonOf(body: Value): string {
  return stringifyJson(body, { ascii: false, separators: [',', ':'] })
}

function trustOf(address: Address): ServerTrust {
  if (address.kind !== 'url') return {}
  const { url, tlsFinger, certificateFile, ca } = address
  return { pin: { host: new URL(url).hostname, finger: tlsFinger, certificateFile }, ca }
}

const jsonLines = 'application/x-ndjson'

async function wholeAnswer(response: IncomingMessage): Promise<Value> {
  const text = await textOf(response)
  if ((response.statusCode ?? 500) >= 400) throw refusalOf(text, response.statusCode ?? 500)
  return parseJson(text)
}

/** The answer at the end of the lines. A master that goes away before is told of as one that does not answer. */
async function answerInLines(response: IncomingMessage, hear: (line: Value) => void): Promise<Value> {
  for await (const text of readLines(response, new AbortController().signal)) {
    const line = parseJson(text)
    if (!isMap(line)) continue
    const ended = get(line, 'answer')
    if (ended !== undefined) return ended
    if (get(line, 'error') !== undefined) throw refusalOf(text, 500)
    hear(line)
  }
  throw new BrineError('The master went away before the end was told.', { code: 'unreachable' })
}

/** The header that names the place where the next window begins. */
const cursorHeader = 'brine-cursor'

function placeToGoOn(cursor: string | string[] | undefined): string[] {
  return typeof cursor === 'string' ? [JSON.stringify({ cursor })] : []
}

async function* readLines(response: IncomingMessage, signal: AbortSignal): AsyncIterable<string> {
  const reader = createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })
  try {
    for await (const line of reader) if (line !== '') yield line
    yield* placeToGoOn(response.headers[cursorHeader])
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    reader.close()
    response.destroy()
  }
}

/** A path of the master's below its URL, which may have a path itself. */
function urlOf(base: string, path: string): URL {
  return new URL(`${new URL(base).pathname.replace(/\/+$/, '')}${path}`, base)
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
