// Asking web servers.
import { messageOf } from '../../core/error.ts'
import { isMap, isMapping, type Mapping, parseJson, pythonStr, type Value } from '../../core/value/index.ts'
import { writeWhole } from '../filesystem/write.ts'
import { saltVersion } from '../version.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError, SaltInvocationError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

/** What Salt has and this has not: refused, not passed over. */
const missing = [
  'auth',
  'ca_bundle',
  'cert',
  'cookie_jar',
  'cookies',
  'data_render',
  'data_renderer',
  'decode_out',
  'formdata',
  'header_callback',
  'header_file',
  'header_render',
  'header_renderer',
  'headers_out',
  'persist_session',
  'session_cookie_jar',
  'stream',
  'streaming_callback',
]

const decodeTypes = ['json', 'yaml', 'plain', 'auto']

function refuseMissing(args: Arguments): void {
  const asked = missing.find((name) => (args.keywords[name] ?? null) !== null && args.keywords[name] !== false)
  if (asked !== undefined) throw new SaltInvocationError(`http.query knows no ${asked}. curl does, by cmd.run.`)
  if (args.value('verify_ssl') === false)
    throw new SaltInvocationError(
      'verify_ssl=False is not available: have the minion trust the certificate by NODE_EXTRA_CA_CERTS.',
    )
}

/** `{a: 1}` as a query or a form has it. */
function encoded(value: Value): string {
  if (!isMapping(value) && !isMap(value)) return pythonStr(value)
  const pairs = isMapping(value) ? Object.entries(value) : [...value]
  return new URLSearchParams(pairs.map(([key, item]): [string, string] => [pythonStr(key), pythonStr(item)])).toString()
}

function addressOf(args: Arguments): URL {
  const text = args.text('url')
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (address === undefined || !['http:', 'https:'].includes(address.protocol))
    throw new SaltInvocationError(`${text} is no http:// or https:// URL.`)
  const params = args.value('params')
  if (params === null) return address
  const more = encoded(params)
  address.search = address.search === '' ? more : `${address.search}&${more}`
  return address
}

function headersOf(args: Arguments, address: URL): Headers {
  const headers = new Headers({ 'user-agent': args.textIfAny('agent') ?? `Salt/${saltVersion} http.query()` })
  if (args.value('header_dict') !== null)
    for (const [name, value] of Object.entries(args.map('header_dict'))) headers.set(name, pythonStr(value))
  const list = args.value('header_list')
  for (const line of Array.isArray(list) ? list.map(pythonStr) : []) {
    const at = line.indexOf(':')
    if (at < 0) throw new SaltInvocationError(`'${line}' in header_list is no header: write Name: value.`)
    headers.set(line.slice(0, at).trim(), line.slice(at + 1).trim())
  }
  const user = args.textIfAny('username') ?? decodeURIComponent(address.username)
  const password = args.textIfAny('password') ?? decodeURIComponent(address.password)
  if (user !== '') headers.set('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  address.username = ''
  address.password = ''
  return headers
}

async function bodyOf(args: Arguments, call: Call): Promise<string | undefined> {
  const path = args.textIfAny('data_file')
  if (path !== undefined) return pythonStr(await call.salt('cp.get_file_str', [path]))
  const data = args.value('data')
  if (data !== null) return encoded(data)
  return undefined
}

async function query(args: Arguments, call: Call): Promise<Mapping> {
  refuseMissing(args)
  const address = addressOf(args)
  const headers = headersOf(args, address)
  if (args.is('test')) return {}
  const method = args.text('method').toUpperCase()
  const body = await bodyOf(args, call)
  if (method !== 'GET' && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded')
  const seconds = Number(pythonStr(call.agent.opts.http_request_timeout ?? 3600))
  let answer: Answer
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(seconds * 1000)])
  try {
    const response = await fetch(address, { method, headers, signal, ...(body === undefined ? {} : { body }) })
    answer = { response, text: await response.text() }
  } catch (error) {
    call.signal.throwIfAborted()
    const words = messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error)
    return { ...(args.is('status') ? { status: 0 } : {}), error: words }
  }
  return told(args, answer)
}

interface Answer {
  readonly response: Response
  readonly text: string
}

async function told(args: Arguments, { response, text }: Answer): Promise<Mapping> {
  if (!response.ok && args.value('raise_error') !== false)
    return { status: response.status, error: `HTTP ${response.status}: ${response.statusText}`, body: text }
  const out = args.textIfAny('text_out')
  if (out !== undefined) await writeWhole(out, text)
  return {
    body: text,
    ...(args.is('status') ? { status: response.status } : {}),
    ...(args.is('headers') ? { headers: Object.fromEntries(response.headers) } : {}),
    ...(args.is('decode') ? await decoded(args.text('decode_type'), response, text) : {}),
    ...(args.is('text') ? { text } : {}),
  }
}

async function decoded(asked: string, response: Response, text: string): Promise<Mapping> {
  if (!decodeTypes.includes(asked))
    return { error: `Invalid decode_type specified. Valid decode types are: ${decodeTypes.join(', ')}` }
  const type = /json|yaml/.exec(response.headers.get('content-type') ?? '')?.[0] ?? 'plain'
  const kind = asked === 'auto' ? type : asked
  if (kind === 'plain') return { text }
  try {
    if (kind === 'json') return { dict: parseJson(text) }
    return { dict: (await import('../../core/render/yaml/index.ts')).loadYaml(text) }
  } catch (error) {
    throw new CommandExecutionError(`The answer is no ${kind}: ${messageOf(error)}`, error)
  }
}

/** Salt's `http` module. */
export const http: ExecutionModule = {
  name: 'http',
  file: 'http',
  functions: {
    query: define(
      "url, method='GET', params=None, data=None, data_file=None, header_dict=None, header_list=None, username=None, password=None, decode=False, decode_type='auto', status=False, headers=False, text=False, text_out=None, test=False, verify_ssl=True, agent=None, raise_error=True, **kwargs",
      `Ask a web server. Returns its answer as \`\`body\`\`; a status of 400 or more, or no answer, as \`\`error\`\`.

params, data, data_file
    What to ask with: in the URL, in the body, or the body out of a file of the master.
header_dict, header_list, username, password, agent
    Headers, and who asks.
decode, decode_type
    Read the answer as \`\`json\`\` or \`\`yaml\`\` into \`\`dict\`\`; by what it says of itself otherwise.
status, headers, text
    Tell these too.
text_out
    Write the answer to this file.
raise_error
    False: an answer of 400 or more is an answer.
test
    Ask nobody.${examples("brine '*' http.query https://example.com/", `brine '*' http.query https://example.com/ method=POST data='{"text": "done"}' status=True`)}`,
      query,
    ),
  },
}
