// `http.query`: from arguments to a request, and from an answer to what is told of it. Asking is the caller's.
import { BrineError, messageOf } from '../error.ts'
import { entries, isList, isMap, type Mapping, parseJson, pythonStr, pythonTruth, type Value } from '../value/index.ts'

/** A request. */
export interface HttpRequest {
  readonly method: string
  /** Without user and password: those are in the headers. */
  readonly address: URL
  readonly headers: Headers
  readonly body?: string
}

/** An answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly text: string
}

/** What a query needs of the outside. */
export interface HttpWorld {
  /** Rejects where no answer comes. */
  ask(request: HttpRequest): Promise<HttpAnswer>
  /** The text of `data_file`. */
  fileText(path: string): Promise<string>
  readYaml(text: string): Promise<Value>
  /** The user agent where none is given. */
  readonly agent: string
}

/** What Salt has and this has not: refused, not passed over. */
const missing = [
  ...['auth', 'ca_bundle', 'cert', 'cookie_jar', 'cookies', 'data_render', 'data_renderer', 'decode_out', 'formdata'],
  ...['header_callback', 'header_file', 'header_render', 'header_renderer', 'headers_out', 'persist_session'],
  ...['session_cookie_jar', 'stream', 'streaming_callback'],
]

const decodeTypes = ['json', 'yaml', 'plain', 'auto']

type Options = Readonly<Record<string, Value>>

const given = (options: Options, name: string): Value => options[name] ?? null
const textIfAny = (options: Options, name: string): string | undefined => {
  const value = given(options, name)
  return value === null || value === '' ? undefined : pythonStr(value)
}
const is = (options: Options, name: string): boolean => pythonTruth(given(options, name))

/** The arguments mean no request; `message` says why and what to do. */
function refusal(message: string): BrineError {
  return new BrineError(message, { code: 'http-query' })
}

/** Throws `http-query` for what is not available. */
function refuseMissing(options: Options): void {
  const asked = missing.find((name) => given(options, name) !== null && given(options, name) !== false)
  if (asked !== undefined) throw refusal(`http.query knows no ${asked}. curl does, by cmd.run.`)
  if (given(options, 'verify_ssl') === false)
    throw refusal('verify_ssl=False is not available: have the certificate trusted by NODE_EXTRA_CA_CERTS.')
}

/** `{a: 1}` as a query or a form has it. */
function encoded(value: Value): string {
  if (!isMap(value)) return pythonStr(value)
  return new URLSearchParams(
    entries(value).map(([key, item]): [string, string] => [pythonStr(key), pythonStr(item)]),
  ).toString()
}

function addressOf(options: Options): URL {
  const text = pythonStr(given(options, 'url'))
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (address === undefined || !['http:', 'https:'].includes(address.protocol))
    throw refusal(`${text} is no http:// or https:// URL.`)
  const params = given(options, 'params')
  if (params === null) return address
  const more = encoded(params)
  address.search = address.search === '' ? more : `${address.search}&${more}`
  return address
}

/** Takes user and password out of the address. */
function headersOf(options: Options, address: URL, agent: string): Headers {
  const headers = new Headers({ 'user-agent': textIfAny(options, 'agent') ?? agent })
  const fields = given(options, 'header_dict')
  if (fields !== null) {
    if (!isMap(fields)) throw refusal(`header_dict must be a map of names and values, not ${pythonStr(fields)}.`)
    for (const [name, value] of entries(fields)) headers.set(pythonStr(name), pythonStr(value))
  }
  const list = given(options, 'header_list')
  for (const line of isList(list) ? list.map(pythonStr) : []) {
    const at = line.indexOf(':')
    if (at < 0) throw refusal(`'${line}' in header_list is no header: write Name: value.`)
    headers.set(line.slice(0, at).trim(), line.slice(at + 1).trim())
  }
  const user = textIfAny(options, 'username') ?? decodeURIComponent(address.username)
  const password = textIfAny(options, 'password') ?? decodeURIComponent(address.password)
  if (user !== '') headers.set('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  address.username = ''
  address.password = ''
  return headers
}

async function requestOf(options: Options, world: HttpWorld): Promise<HttpRequest> {
  const address = addressOf(options)
  const headers = headersOf(options, address, world.agent)
  const method = pythonStr(options.method ?? 'GET').toUpperCase()
  const path = textIfAny(options, 'data_file')
  const data = given(options, 'data')
  const body = path !== undefined ? await world.fileText(path) : data === null ? undefined : encoded(data)
  if (method !== 'GET' && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded')
  return { method, address, headers, ...(body === undefined ? {} : { body }) }
}

/**
 * Asks and tells, as Salt's `http.query` does, with `body` as the answer's text. No answer, or one of 400 and more, is told
 * as `error`. Throws `http-query` for arguments that mean no request, and for an answer that is not what it is to be read as.
 */
export async function httpQuery(options: Options, world: HttpWorld): Promise<Mapping> {
  refuseMissing(options)
  addressOf(options)
  if (is(options, 'test')) return {}
  const request = await requestOf(options, world)
  let answer: HttpAnswer
  try {
    answer = await world.ask(request)
  } catch (error) {
    return { ...(is(options, 'status') ? { status: 0 } : {}), error: unansweredWords(error) }
  }
  const { status, statusText, text } = answer
  if (status >= 400 && given(options, 'raise_error') !== false)
    return { status, error: `HTTP ${status}: ${statusText}`, body: text }
  return {
    body: text,
    ...(is(options, 'status') ? { status } : {}),
    ...(is(options, 'headers') ? { headers: Object.fromEntries(answer.headers) } : {}),
    ...(is(options, 'decode') ? await decoded(pythonStr(options.decode_type ?? 'auto'), answer, world) : {}),
    ...(is(options, 'text') ? { text } : {}),
  }
}

async function decoded(asked: string, { headers, text }: HttpAnswer, world: HttpWorld): Promise<Mapping> {
  if (!decodeTypes.includes(asked))
    return { error: `Invalid decode_type specified. Valid decode types are: ${decodeTypes.join(', ')}` }
  const type = /json|yaml/.exec(headers.get('content-type') ?? '')?.[0] ?? 'plain'
  const kind = asked === 'auto' ? type : asked
  if (kind === 'plain') return { text }
  try {
    return { dict: kind === 'json' ? parseJson(text) : await world.readYaml(text) }
  } catch (error) {
    throw new BrineError(`The answer is no ${kind}: ${messageOf(error)}`, { code: 'http-answer', cause: error })
  }
}

/** Python's words for what sockets say, which programs look for. */
const pythonWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: '[Errno 111] Connection refused',
  ECONNRESET: '[Errno 104] Connection reset by peer',
  EHOSTUNREACH: '[Errno 113] No route to host',
  ENETUNREACH: '[Errno 101] Network is unreachable',
  ETIMEDOUT: '[Errno 110] Connection timed out',
  ENOTFOUND: '[Errno -2] Name or service not known',
  EAI_AGAIN: '[Errno -3] Temporary failure in name resolution',
}

function unansweredWords(error: unknown): string {
  const under = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = under instanceof Error && 'code' in under ? String(under.code) : ''
  return pythonWords[code] ?? messageOf(under)
}
