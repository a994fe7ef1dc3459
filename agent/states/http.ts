// Salt's `http` states: whether a web server answers as it should.
import { pythonRegex } from '../../core/target/python-regex.ts'
import { isMapping, type Mapping, pythonRepr, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { untilGood } from '../modules/http.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

/** A finding and how it is told. */
interface Finding {
  readonly isGood: boolean
  readonly words: readonly string[]
}

function matched(match: Value, type: string, data: Mapping): Finding | undefined {
  if (match === null) return undefined
  const text = pythonStr(data.text ?? '')
  const wanted = pythonStr(match)
  if (type !== 'string' && type !== 'pcre') return undefined
  const isGood = type === 'string' ? text.includes(wanted) : pythonRegex(wanted).test(text)
  const what = type === 'string' ? 'text' : 'pattern'
  return { isGood, words: [`Match ${what} "${wanted}" was ${isGood ? '' : 'not '}found.`] }
}

function statusFound(status: Value, type: string, data: Mapping): Finding | undefined {
  if (status === null) return undefined
  const now = pythonStr(data.status ?? '')
  if (type === 'list') {
    const all = Array.isArray(status) ? status : [status]
    const found = all.map(pythonStr).filter((one) => one === now)
    const words = found.map((one) => `Status ${one} was found.`)
    return found.length > 0
      ? { isGood: true, words }
      : { isGood: false, words: [`Statuses ${pythonRepr(status)} were not found.`] }
  }
  if (type !== 'string' && type !== 'pcre') return undefined
  const wanted = pythonStr(status)
  const isGood = type === 'string' ? now === wanted : pythonRegex(wanted).test(now)
  const what = type === 'string' ? `Status ${wanted}` : `Status pattern "${wanted}"`
  return { isGood, words: [`${what} was ${isGood ? '' : 'not '}found.`] }
}

/** One question; with `wait_for` it is the function that waits, for an answer without an error. */
async function query(args: Arguments, call: StateCall, waits: boolean): Promise<StateReturn> {
  const name = args.text('name')
  const [match, status] = [args.value('match'), args.value('status')]
  const ret: StateReturn = { name, result: null, comment: '', changes: {}, data: {} }
  if (match === null && status === null) {
    const comment = ' Either match text (match) or a status code (status) is required.'
    return { ...ret, result: false, comment }
  }
  const { request_interval: interval, ...rest } = args.cleanKeywords
  const asked = { decode: false, ...rest, text: true, status: true, ...(call.test ? { test: true } : {}) }
  const pause = interval === undefined ? {} : { request_interval: interval }
  const told = waits
    ? await call.salt('http.wait_for_successful_query', [name], {
        wait_for: args.value('wait_for'),
        ...pause,
        ...asked,
      })
    : await call.salt('http.query', [name], asked)
  const data = isMapping(told) ? told : {}
  const findings = [
    matched(match, args.text('match_type'), data),
    statusFound(status, args.text('status_type'), data),
  ].filter((finding) => finding !== undefined)
  const comment = findings.flatMap(({ words }) => words).join(' ')
  const result = findings.every(({ isGood }) => isGood)
  return call.test ? { ...ret, comment: `${comment} (TEST MODE)`, data } : { ...ret, result, comment, data }
}

const words = "match=None, match_type='string', status=None, status_type='string'"

const doc = `

match, match_type
    A text that has to be in the answer; with \`\`pcre\`\` a regular expression.
status, status_type
    The status it has to have; with \`\`pcre\`\` a regular expression, with \`\`list\`\` one of a list.`

/** Salt's `http` states. */
export const http: StateModule = {
  name: 'http',
  functions: {
    query: defineState(
      `name, ${words}, wait_for=None, **kwargs`,
      `A web server answers as it should. Everything else is as the function http.query has it.${doc}
wait_for
    Ask again until it answers without an error, for so many seconds at most.${slsExample(`
query_example:
  http.query:
    - name: 'http://example.com/'
    - status: 200`)}`,
      (args, call) => query(args, call, args.is('wait_for')),
    ),
    wait_for_successful_query: defineState(
      `name, wait_for=300, ${words}, **kwargs`,
      `A web server comes to answer as it should: it is asked until it does, for so many seconds at most.${doc}
request_interval
    Seconds between two questions. One by default.${slsExample(`
wait_for_app:
  http.wait_for_successful_query:
    - name: 'http://localhost:8080/health'
    - wait_for: 60
    - request_interval: 5
    - status: 200`)}`,
      (args, call) =>
        untilGood(args.integer('wait_for'), args.keywords.request_interval ?? 1, call.signal, async () => {
          const value = await query(args, call, false)
          return { isGood: value.result === true || call.test, value }
        }),
    ),
  },
}
