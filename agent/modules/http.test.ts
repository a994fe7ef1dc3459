// `http.query` against a server of the test's own, as Salt 3007.15 answered for the same.
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Mapping } from '../../core/value/index.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'

let minion: FakeMinion
let server: Server
let url: string
beforeAll(async () => {
  minion = await fakeMinion()
  server = createServer(async (request, response) => {
    let body = ''
    try {
      for await (const piece of request) body += piece
    } catch {
      // Cut off by who asked: there is nobody to answer.
      return
    }
    const { authorization = null, 'x-me': me = null, 'content-type': type = null } = request.headers
    const isJson = request.url?.startsWith('/json') === true
    response.writeHead(request.url === '/404' ? 404 : 200, {
      'content-type': isJson ? 'application/json' : 'text/plain',
    })
    response.end(
      request.url === '/404' ? 'nope' : JSON.stringify([request.method, request.url, body, authorization, me, type]),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await minion.close()
})

const seen = (method: string, path: string, body = '', login: string | null = null, me: string | null = null) => [
  method,
  path,
  body,
  login,
  me,
  method === 'GET' ? null : 'application/x-www-form-urlencoded',
]
const form = 'POST'

it.each<[string, Mapping, unknown[]]>([
  ['/', {}, seen('GET', '/')],
  ['/', { params: { a: 1, b: 'c d' } }, seen('GET', '/?a=1&b=c+d')],
  ['/', { method: form, params: { a: 1 } }, seen(form, '/?a=1')],
  ['/', { method: form, data: { a: 1 } }, seen(form, '/', 'a=1')],
  ['/', { method: form, data: 'x=1', username: 'u', password: 'p' }, seen(form, '/', 'x=1', 'Basic dTpw')],
  ['/', { header_dict: { 'X-Me': 'y' } }, seen('GET', '/', '', null, 'y')],
  ['/', { header_list: ['X-Me: z'] }, seen('GET', '/', '', null, 'z')],
])('asks %s with %j', async (path, kwargs, expected) => {
  expect(await minion.run('http.query', [url + path], kwargs)).toEqual({ body: JSON.stringify(expected) })
})

it('reads the answer as what it is', async () => {
  const body = JSON.stringify(seen('GET', '/json'))
  expect(await minion.run('http.query', [`${url}/json`], { decode: true, status: true })).toEqual({
    body,
    status: 200,
    dict: seen('GET', '/json'),
  })
  const plain = JSON.stringify(seen('GET', '/'))
  expect(await minion.run('http.query', [`${url}/`], { decode: true })).toEqual({ body: plain, text: plain })
  await expect(
    minion.run('http.query', [`${url}/404`], { raise_error: false, decode: true, decode_type: 'json' }),
  ).rejects.toThrow('The answer is no json')
})

it('tells what went wrong', async () => {
  const wrong = { status: 404, error: 'HTTP 404: Not Found', body: 'nope' }
  expect(await minion.run('http.query', [`${url}/404`])).toEqual(wrong)
  expect(await minion.run('http.query', [`${url}/404`], { raise_error: false })).toEqual({ body: 'nope' })
  expect(await minion.run('http.query', ['http://127.0.0.1:1/'], { status: true })).toEqual({
    status: 0,
    error: expect.stringMatching(/Connection refused|bad port/),
  })
})

it.each<[string, Mapping, string]>([
  ['ftp://127.0.0.1/', {}, 'is no http:// or https:// URL'],
  ['http://127.0.0.1/', { cert: '/x.pem' }, 'knows no cert'],
  ['http://127.0.0.1/', { verify_ssl: false }, 'verify_ssl=False is not available'],
])('refuses %s with %j', async (address, kwargs, words) => {
  await expect(minion.run('http.query', [address], kwargs)).rejects.toThrow(words)
})

it('asks nobody in a test', async () => {
  expect(await minion.run('http.query', ['http://127.0.0.1:1/'], { test: true })).toEqual({})
})
