// The http states against a server of the test's own, as Salt 3007.15 returned for the same.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMapping, type Mapping, parseJson, pythonStr, stringifyJson, type Value } from '../../core/value/index.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'

interface HttpCase {
  readonly state: string
  readonly kwarg: Mapping
  readonly test?: boolean
  readonly return: Mapping
}

let minion: FakeMinion
let server: Server
let url: string
let asked = 0
beforeAll(async () => {
  minion = await fakeMinion()
  server = createServer((request, response) => {
    const isMissing = request.url === '/404' || (request.url === '/third' && ++asked < 3)
    response.writeHead(isMissing ? 404 : 200, { 'content-type': 'text/plain' })
    response.end(isMissing ? 'nope' : 'hello world 1')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await minion.close()
})

const rows = readFileSync(new URL('http-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => parseJson(line) as unknown as HttpCase)

/** With the server's address in place of `$URL`. */
const inward = (value: Mapping): Mapping => parseJson(stringifyJson(value).replaceAll('$URL', url)) as Mapping

/** Of the answer what both tell. */
function told({ data, ...rest }: Mapping): Value {
  const { status, text } = data !== undefined && isMapping(data) ? data : {}
  const kept = { ...(status === undefined ? {} : { status }), ...(text === undefined ? {} : { text }) }
  return { ...rest, data: kept }
}

describe('what Salt returned', () => {
  it.each(
    rows.map((row) => [`${row.state} ${JSON.stringify(row.kwarg)}${row.test === true ? ' test' : ''}`, row] as const),
  )('%s', async (_, { state, kwarg, test = false, return: expected }) => {
    const got = await minion.state(state, { ...inward(kwarg), ...(test ? { test: true } : {}) })
    expect(told(got)).toEqual(told(inward(expected)))
  })
})

it('waits for a server that does not answer well at first', async () => {
  const name = `${url}/third`
  const kwarg = { name, status: 200, wait_for: 20, request_interval: 0 }
  expect(await minion.state('http.wait_for_successful_query', kwarg)).toMatchObject({ result: true })
  expect(asked).toBe(3)
  asked = 0
  const answer = await minion.run('http.wait_for_successful_query', [name], { wait_for: 20, request_interval: 0 })
  expect(pythonStr((answer as Mapping).body ?? '')).toBe('hello world 1')
  expect(asked).toBe(3)
})
