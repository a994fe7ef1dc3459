// The proxy: whom it is used for, what http.query and cp.get_url do with it, and what is said when it refuses.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mapping, Value } from '../../core/value/index.ts'
import { type CallAgent, openCall } from '../call.ts'
import { FakeProxy } from '../fake-proxy.ts'
import { type FakeSetup, fakeSetup } from '../fake-setup.ts'
import { bootstrapOf, HttpClient } from './http.ts'
import { proxyOf } from './proxy.ts'

const near = { proxy_host: '127.0.0.1', proxy_port: 3128 }

describe('proxyOf', () => {
  it.each<[Mapping, Value]>([
    [{}, null],
    [{ proxy_host: '', proxy_port: 3128 }, null],
    [{ proxy_host: 'proxy', proxy_port: 0 }, null],
    [
      { proxy_host: 'proxy', proxy_port: '3128' },
      { host: 'proxy', port: 3128 },
    ],
    [
      { ...near, proxy_username: 'me' },
      { host: '127.0.0.1', port: 3128 },
    ],
    [
      { ...near, proxy_username: 'me', proxy_password: 'a:b' },
      { host: '127.0.0.1', port: 3128, login: 'Basic bWU6YTpi' },
    ],
  ])('%j', (opts, expected) => {
    const { passes: _, ...told } = proxyOf(opts) ?? {}
    expect(Object.keys(told).length === 0 ? null : JSON.parse(JSON.stringify(told))).toEqual(expected)
  })

  it.each<[Value, string, boolean]>([
    [[], 'a.org', false],
    [['a.org'], 'a.org', true],
    [['A.org'], 'a.ORG', true],
    [['a.org'], 'b.a.org', false],
    [['.a.org'], 'b.a.org', true],
    [['*.a.org'], 'b.a.org', true],
    [['.a.org'], 'a.org', false],
    [['.a.org'], 'ba.org', false],
    [['*'], 'a.org', true],
    ['a.org', 'a.org', true],
    [['::1'], '[::1]', true],
    [[''], 'a.org', false],
  ])('no_proxy %j and %s: %s', (no_proxy, host, expected) => {
    expect(proxyOf({ ...near, no_proxy })?.passes(host)).toBe(expected)
  })
})

describe('a minion behind a proxy', () => {
  let proxy: FakeProxy
  let web: Server
  let fake: FakeSetup
  let agent: CallAgent
  let got: IncomingMessage[]

  beforeEach(async () => {
    got = []
    web = createServer((request, response) => {
      got.push(request)
      const { url = '' } = request
      if (url.startsWith('/to/')) response.writeHead(302, { location: `http://${url.slice(4)}` }).end()
      else if (url === '/none') response.writeHead(204).end()
      else
        request.pipe(response.writeHead(url === '/wrong' ? 500 : 200, { 'x-path': url, 'content-type': 'text/plain' }))
      if (request.method === 'GET' && !response.writableEnded) response.end(`from ${url}`)
    })
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    proxy = await FakeProxy.start()
    proxy.login = 'me:s:cr@t'
    proxy.names.set('inside.test', port())
    await open()
  })
  afterEach(async () => {
    await agent.close()
    await fake.remove()
    await proxy.stop()
    web.closeAllConnections()
    web.close()
  })

  const port = (): number => (web.address() as AddressInfo).port
  const query = (url: string, more: Mapping = {}) => agent.cmd('http.query', [url], more)

  async function open(more = ''): Promise<void> {
    fake = await fakeSetup('http://127.0.0.1:9', `file_client: local\n${proxy.config}${more}`)
    agent = await openCall(fake.setup, { local: true }, fake.outside)
  }

  it('asks web servers by the whole URL, with its login for the proxy alone', async () => {
    expect(await query('http://inside.test/a?b=c')).toEqual({ body: 'from /a?b=c' })
    expect(proxy.asked).toEqual(['GET http://inside.test/a?b=c'])
    expect(got[0]?.headers).toMatchObject({ host: 'inside.test', 'user-agent': expect.stringMatching(/^Salt/) })
    const posted = await query('http://inside.test/echo', { method: 'POST', data: 'über', status: true, headers: true })
    expect(posted).toMatchObject({ body: 'über', status: 200, headers: { 'x-path': '/echo' } })
    expect(await query('http://inside.test/wrong', { method: 'POST', data: 'x' })).toMatchObject({
      status: 500,
      body: 'x',
    })
    expect(await query('http://inside.test/none', { status: true })).toEqual({ body: '', status: 204 })
  })

  it('follows redirects through it, and leaves a login behind', async () => {
    const answered = await query('http://inside.test/to/other.test/x', { username: 'a', password: 'b' })
    expect(answered).toEqual({ status: 502, error: 'HTTP 502: Bad Gateway', body: '' })
    proxy.names.set('other.test', port())
    expect(await query('http://inside.test/to/other.test/x', { username: 'a', password: 'b' })).toEqual({
      body: 'from /x',
    })
    expect(got.map(({ url, headers }) => [url, headers.authorization]).slice(-2)).toEqual([
      ['/to/other.test/x', 'Basic YTpi'],
      ['/x', undefined],
    ])
  })

  it('gets files through it', async () => {
    const to = join(fake.root, 'file')
    expect(await agent.cmd('cp.get_url', ['http://inside.test/f', to])).toBe(to)
    expect(await readFile(to, 'utf8')).toBe('from /f')
    expect(proxy.asked).toEqual(['GET http://inside.test/f'])
  })

  it('asks for a tunnel where the server speaks HTTPS, and says why there is none', async () => {
    expect(await query('https://outside.test/')).toEqual({
      error: `the proxy 127.0.0.1:${proxy.port} refuses a tunnel to outside.test:443: 502 Refused`,
    })
    expect(proxy.asked).toEqual(['CONNECT outside.test:443'])
  })

  it('goes past it to the hosts of no_proxy, also by a redirect', async () => {
    await agent.close()
    await fake.remove()
    await open('no_proxy: [127.0.0.1]\n')
    expect(await query(`http://127.0.0.1:${port()}/straight`)).toEqual({ body: 'from /straight' })
    expect(proxy.asked).toEqual([])
    expect(await query(`http://inside.test/to/127.0.0.1:${port()}/y`)).toEqual({ body: 'from /y' })
    expect(proxy.asked).toEqual([`GET http://inside.test/to/127.0.0.1:${port()}/y`])
  })

  it.each<[string, number, Mapping, string]>([
    ['no login', 0, {}, '407 Refused. It wants a login: set proxy_username and proxy_password.'],
    [
      'another login',
      0,
      { proxy_username: 'me', proxy_password: 'x' },
      '407 Refused. It does not take proxy_username and proxy_password.',
    ],
    ['a host that it refuses', 403, { proxy_username: 'me', proxy_password: 's:cr@t' }, '403 Refused'],
  ])('says what a proxy answers to %s', async (_, status, login, said) => {
    proxy.refuseWith = status
    const settings = { proxy_host: '127.0.0.1', proxy_port: proxy.port, ...login }
    const http = new HttpClient(bootstrapOf('https://brine.test'), {
      version: '1',
      trust: { proxy: proxyOf(settings) },
    })
    await expect(http.ask({ method: 'GET', url: '/', timeout: 5000 })).rejects.toMatchObject({
      code: 'unreachable',
      message: `The master at https://brine.test gives no answer: the proxy 127.0.0.1:${proxy.port} refuses a tunnel to brine.test:443: ${said}`,
    })
    http.close()
  })

  it('says where there is no proxy', async () => {
    const free = proxy.port
    await proxy.stop()
    const trust = { proxy: proxyOf({ proxy_host: '127.0.0.1', proxy_port: free }) }
    const http = new HttpClient(bootstrapOf('https://brine.test'), { version: '1', trust })
    await expect(http.ask({ method: 'GET', url: '/', timeout: 5000 })).rejects.toThrow(
      `the proxy 127.0.0.1:${free} is not reached: connect ECONNREFUSED`,
    )
    http.close()
    proxy = await FakeProxy.start()
  })
})
