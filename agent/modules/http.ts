// Asking web servers.
import { setTimeout as sleep } from 'node:timers/promises'
import { BrineError } from '../../core/error.ts'
import { type HttpRequest, httpQuery } from '../../core/http-query/index.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { outgoing } from '../connection/outgoing.ts'
import { writeWhole } from '../filesystem/write.ts'
import { saltVersion } from '../version.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError, SaltInvocationError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

async function query(args: Arguments, call: Call): Promise<Mapping> {
  const seconds = Number(pythonStr(call.agent.opts.http_request_timeout ?? 3600))
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(seconds * 1000)])
  const options: Record<string, Value> = { ...args.keywords, ...args.given(parameters) }
  try {
    const told = await httpQuery(options, {
      agent: `Salt/${saltVersion} http.query()`,
      fileText: async (path) => pythonStr(await call.salt('cp.get_file_str', [path])),
      readYaml: async (text) => (await import('../../core/render/yaml/index.ts')).loadYaml(text),
      async ask({ method, address, headers, body }: HttpRequest) {
        const response = await outgoing(call.agent.opts)(address, {
          method,
          headers,
          signal,
          ...(body === undefined ? {} : { body }),
        })
        const { status, statusText } = response
        return { status, statusText, headers: response.headers, text: await response.text() }
      },
    })
    call.signal.throwIfAborted()
    const out = args.textIfAny('text_out')
    if (out !== undefined && typeof told.body === 'string' && told.error === undefined) await writeWhole(out, told.body)
    return told
  } catch (error) {
    if (!(error instanceof BrineError)) throw error
    if (error.code === 'http-query') throw new SaltInvocationError(error.message)
    if (error.code === 'http-answer') throw new CommandExecutionError(error.message, error)
    throw error
  }
}

/** Asks until there is an answer that is no error; answers the last one when the time is over. */
async function waitForQuery(args: Arguments, call: Call): Promise<Value> {
  const url = args.text('url')
  const { request_interval: interval = 1, ...options } = args.cleanKeywords
  return untilGood(args.integer('wait_for'), interval, call.signal, async () => {
    const told = await call.salt('http.query', [url], options)
    const isGood = isMapping(told) && told.error === undefined
    return { isGood, value: told }
  })
}

/** An attempt, and whether it will do. */
export interface Tried<T> {
  readonly isGood: boolean
  readonly value: T
}

/**
 * Tries until an attempt is good or so many seconds are over, with `interval` seconds between two; answers the last attempt.
 * Throws what the last one threw.
 */
export async function untilGood<T>(
  seconds: number,
  interval: Value,
  signal: AbortSignal,
  attempt: () => Promise<Tried<T>>,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    try {
      const { isGood, value } = await attempt()
      if (isGood || performance.now() >= end) return value
    } catch (error) {
      if (performance.now() >= end) throw error
    }
    await sleep(Math.max(0, Number(pythonStr(interval))) * 1000, undefined, { signal })
  }
}

/** By their names in the signature below. */
const parameters = [
  ...['url', 'method', 'params', 'data', 'data_file', 'header_dict', 'header_list', 'username', 'password', 'decode'],
  ...['decode_type', 'status', 'headers', 'text', 'test', 'verify_ssl', 'agent', 'raise_error'],
]

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
    wait_for_successful_query: define(
      'url, wait_for=300, **kwargs',
      `Ask a web server until it answers without an error. Returns the last answer.

wait_for
    So many seconds at most.
request_interval
    Seconds between two questions. One by default.

Everything else is as http.query has it.${examples("brine '*' http.wait_for_successful_query https://example.com/ wait_for=160")}`,
      waitForQuery,
    ),
  },
}
