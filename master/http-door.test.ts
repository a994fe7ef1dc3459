// Whom `http.query` asks for the master, and whom it never does.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mapping, Value } from '../core/value/index.ts'
import { askOutside, isForbidden } from './http-door.ts'
import { httpRunner } from './runners/http.ts'

let server: Server
let url: string
const seen: { method: string; path: string; body: string; authorization: string; agent: string }[] = []
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    try {
      for await (const piece of request) body += piece
    } catch {
      // Cut off by who asked: there is nobody to answer.
      return
    }
    const { authorization = '', 'user-agent': agent = '' } = request.headers
    const { url: path = '', method = '' } = request
    seen.push({ method, path, body, authorization, agent })
    const to = new URL(path, url).searchParams.get('to')
    if (to !== null) response.writeHead(Number(path.slice(1, 4)), { location: to }).end()
    else if (path === '/slow') setTimeout(() => response.end('late'), 30_000).unref()
    else if (path === '/large') response.end('x'.repeat(3000))
    else if (path === '/404') response.writeHead(404).end('nope')
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"n": 1}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const query = async (address: string, kwargs: Mapping = {}, opts: Mapping = {}): Promise<Value> => {
  const run = httpRunner(opts, { read: async () => new TextEncoder().encode('from a file') }, true)['http.query']?.run
  if (run === undefined) throw new Error('no http.query')
  const context = {
    jid: '1',
    fun: 'http.query',
    funArgs: [],
    user: 'root',
    progress: () => undefined,
    print: () => undefined,
  }
  return run({ named: { url: address, output: true }, positional: [], rest: kwargs }, context)
}

describe('http.query', () => {
  it('asks and tells as Salt does', async () => {
    expect(await query(`${url}/a`, { decode: true, status: true })).toEqual({
      body: '{"n": 1}',
      status: 200,
      dict: { n: 1 },
    })
    expect(await query(`${url}/404`)).toEqual({ status: 404, error: 'HTTP 404: Not Found', body: 'nope' })
    await query(`${url}/b`, { method: 'POST', data_file: 'salt://x', username: 'u', password: 'p' })
    expect(seen.at(-1)).toEqual({
      method: 'POST',
      path: '/b',
      body: 'from a file',
      authorization: 'Basic dTpw',
      agent: expect.stringMatching(/^Salt\/\d/),
    })
  })

  it('follows redirects, five at most, and leaves secrets behind where they lead elsewhere', async () => {
    const elsewhere = url.replace('127.0.0.1', 'localhost')
    await query(`${url}/302?to=${elsewhere}/end`, { method: 'POST', data: 'x', username: 'u', password: 'p' })
    expect(seen.at(-1)).toMatchObject({ method: 'GET', path: '/end', body: '', authorization: '' })
    await query(`${url}/307?to=/end`, { method: 'POST', data: 'x', username: 'u', password: 'p' })
    expect(seen.at(-1)).toMatchObject({ method: 'POST', path: '/end', body: 'x', authorization: 'Basic dTpw' })
    const loop = `${url}/302?to=${encodeURIComponent('/302?to=/x')}`
    const answer = (await query(`${url}/302?to=${encodeURIComponent(loop)}`)) as Mapping
    expect(answer.error).toBeUndefined()
  })

  it.each([
    ['http://169.254.169.254/latest/meta-data/', 'link-local'],
    ['http://[::ffff:169.254.169.254]/', 'link-local'],
    ['http://0xa9fea9fe/', 'link-local'],
    ['http://[fd00:ec2::254]/', 'link-local'],
    ['http://[fe80::1]/', 'link-local'],
    ['http://100.100.100.200/', 'link-local'],
  ])('%s is not asked', async (address, words) => {
    expect(await query(address, { status: true })).toEqual({ status: 0, error: expect.stringContaining(words) })
  })

  it('no redirect leads there either', async () => {
    const told = (await query(`${url}/302?to=http://169.254.169.254/latest/`)) as Mapping
    expect(told.error).toContain('http_query_link_local: True')
  })

  it('refuses what it has not, by name', async () => {
    await expect(query(`${url}/`, { cert: '/x' })).rejects.toThrow('knows no cert')
    await expect(query(`${url}/`, { text_out: '/etc/x' })).rejects.toThrow('writes no files on the master')
    await expect(query(`${url}/`, { opts: {} })).rejects.toThrow('takes no opts')
    await expect(query(`${url}/`, { data_file: '/etc/passwd' })).rejects.toThrow('is no salt:// file')
    await expect(query(`${url}/`, { timeout: 'soon' })).rejects.toThrow('no number of seconds')
    await expect(query('ftp://127.0.0.1/')).rejects.toThrow('no http:// or https://')
  })

  it('waits no longer than it is told to, and takes no more than it may', async () => {
    expect(await query(`${url}/slow`, { timeout: 0.2 })).toEqual({ error: 'There was no whole answer within 0.2 s.' })
    const request = { method: 'GET', address: new URL(`${url}/large`), headers: new Headers() }
    await expect(askOutside(request, { seconds: 10, mostBytes: 2000 })).rejects.toThrow('larger than 2000 bytes')
  })
})

describe('addresses', () => {
  it.each([
    ['169.254.169.254', {}, true],
    ['169.254.169.254', { linkLocal: true }, false],
    ['127.0.0.1', {}, false],
    ['127.0.0.1', { loopback: false }, true],
    ['::ffff:127.0.0.1', { loopback: false }, true],
    ['::1', { loopback: false }, true],
    ['0.0.0.0', { loopback: false }, true],
    ['::ffff:169.254.169.254', {}, true],
    ['168.63.129.16', {}, true],
    ['10.0.0.1', {}, false],
    ['2606:4700::1', {}, false],
    ['example.com', {}, false],
  ])('%s with %j is forbidden: %s', (address, rules, forbidden) => {
    expect(isForbidden(address, rules)).toBe(forbidden)
  })
})
