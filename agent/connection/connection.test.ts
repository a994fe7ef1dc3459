// The connection's parts by themselves: addresses, waits, clocks, batches that do not fit.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeMaster } from '../fake-master.ts'
import { until } from '../fake-setup.ts'
import { Journal } from '../journal/journal.ts'
import { loadKeys } from '../keys.ts'
import { silentLog, systemOutside } from '../outside.ts'
import { Backoff, pause } from './backoff.ts'
import { Connection } from './connection.ts'
import { Delivery } from './delivery.ts'
import { bootstrapOf, HttpClient, resolveUrl } from './http.ts'
import { MasterClock } from './master-clock.ts'
import { Session } from './session.ts'
import { askToken } from './token.ts'
import { MasterTrust } from './trust.ts'

const outside = systemOutside(silentLog)

describe('the master’s address', () => {
  it.each([
    ['https://brine.example.org/', undefined, { origin: 'https://brine.example.org' }],
    ['https://example.org/x/y/', undefined, { origin: 'https://example.org', base: '/x/y' }],
    ['http://127.0.0.1:9000', 8000, { origin: 'http://127.0.0.1:9000' }],
    ['127.0.0.1', 8000, { origin: 'https://127.0.0.1:8000' }],
    ['localhost', undefined, { origin: 'https://localhost:8000' }],
    ['master.example.org', 8443, { origin: 'https://master.example.org:8443' }],
    ['salt', undefined, { origin: 'https://salt' }],
    ['::1', 8000, { origin: 'https://[::1]:8000' }],
    ['unix:///run/brine/master.sock', undefined, { origin: 'http://localhost', socketPath: '/run/brine/master.sock' }],
  ])('%s', (master, port, expected) => {
    expect(bootstrapOf(master, port)).toEqual(expected)
  })

  it('has its path before every path the master names, and not before URLs', () => {
    const bootstrap = bootstrapOf('https://example.org/x')
    expect(resolveUrl(bootstrap, '/minion/token').href).toBe('https://example.org/x/minion/token')
    expect(resolveUrl(bootstrap, 'https://other.org/minion/jobs').href).toBe('https://other.org/minion/jobs')
    expect(resolveUrl(bootstrapOf('https://example.org'), '/minion/token').href).toBe(
      'https://example.org/minion/token',
    )
  })

  it('is not asked in plain HTTP beyond this machine', async () => {
    const http = new HttpClient(bootstrapOf('http://192.0.2.1'), { version: '1' })
    await expect(http.ask({ method: 'GET', url: '/', timeout: 1000 })).rejects.toMatchObject({ code: 'insecure' })
  })
})

describe('waiting', () => {
  it('grows with failures up to its bound, with full jitter', () => {
    const full = new Backoff({ random: () => 1 }, 100, 1000)
    expect([full.next(), full.next(), full.next(), full.next(), full.next()]).toEqual([100, 200, 400, 800, 1000])
    full.reset()
    expect(full.next()).toBe(100)
    expect(new Backoff({ random: () => 0 }, 100, 1000).next()).toBe(50)
  })

  it('ends with its signal', async () => {
    const over = new AbortController()
    setTimeout(() => over.abort(), 20)
    const began = Date.now()
    await pause(60_000, over.signal)
    await pause(60_000, over.signal)
    expect(Date.now() - began).toBeLessThan(50_000)
  })
})

describe('the master’s clock', () => {
  it('is followed where it differs, and not where only the way was long', () => {
    const clock = new MasterClock({ now: () => 1000_000_000 })
    clock.learn(1001)
    expect(clock.now()).toBe(1000)
    clock.learn(5000)
    expect(clock.now()).toBe(5000)
    clock.learn(5001)
    expect(clock.now()).toBe(5000)
    clock.learn(1000.5)
    expect(clock.offset).toBe(0)
    clock.learn('nonsense')
    expect(clock.now()).toBe(1000)
  })
})

describe('with a master', () => {
  let master: FakeMaster
  let directory: string
  let over: AbortController
  let journal: Journal
  let http: HttpClient

  beforeEach(async () => {
    master = await FakeMaster.start()
    directory = await mkdtemp(join(tmpdir(), 'brine-connection-'))
    over = new AbortController()
    journal = await Journal.open(join(directory, 'journal'), outside)
    http = new HttpClient({ origin: master.url }, { version: '1' })
  })

  afterEach(async () => {
    over.abort()
    await journal.close()
    http.close()
    await master.stop()
    await rm(directory, { recursive: true })
  })

  async function parts() {
    const clock = new MasterClock(outside)
    const trust = new MasterTrust(join(directory, 'pki'), '')
    const settings = {
      id: 'web1',
      keys: await loadKeys(join(directory, 'pki')),
      http,
      clock,
      trust,
      audience: master.url,
      version: '1',
      timeout: 30_000,
      proof: async () => ({}),
    }
    const session = new Session(settings, { wait: 0.05, waitMax: 0, slower: 2 }, outside, over.signal)
    const connection = new Connection(session, http, clock, over.signal)
    return {
      settings,
      session,
      connection,
      delivery: new Delivery({ journal, connection, outside, signal: over.signal }),
    }
  }

  it('renews the token before its end, once for all who ask', async () => {
    const { session } = await parts()
    master.tokenLife = 1
    const [one, two] = await Promise.all([session.standing(), session.standing()])
    expect(one).toBe(two)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect((await session.standing()).token).not.toBe(one.token)
    expect(master.happenings.filter(({ what }) => what === 'token')).toHaveLength(2)
  })

  it('halves a batch the master does not take, and drops the one item that is to blame', async () => {
    const { delivery } = await parts()
    for (const tag of ['a', 'b', 'x'.repeat(1025), 'c']) await journal.addEvent({ tag, data: {} })
    const refused: string[] = []
    delivery.onRefused = (_, reason) => refused.push(reason)
    master.badRequests = true
    delivery.start()
    expect(await delivery.drained(60_000)).toBe(true)
    expect(master.events.map(({ tag }) => tag)).toEqual(['a', 'b', 'c'])
    expect(refused).toHaveLength(1)
  })

  it('says which events the master refuses, and goes on', async () => {
    const { delivery } = await parts()
    master.refusals.set('salt/key', 'it is the master’s')
    const refused: string[] = []
    delivery.onRefused = (_, reason) => refused.push(reason)
    await journal.addEvent({ tag: 'salt/key', data: {} })
    await journal.addEvent({ tag: 'fine', data: {} })
    delivery.start()
    expect(await delivery.drained(60_000)).toBe(true)
    expect(master.events.map(({ tag }) => tag)).toEqual(['fine'])
    expect(refused).toEqual(['it is the master’s'])
  })

  it('sends again what was not acknowledged, under the same ids', async () => {
    const { delivery } = await parts()
    for (let index = 0; index < 20; index++) await journal.addEvent({ tag: `t${index}`, data: {} })
    master.failWith = 500
    delivery.start()
    await until(() => master.happenings.some(({ what }) => what === 'token'))
    master.failWith = 0
    expect(await delivery.drained(60_000)).toBe(true)
    expect(master.events.map(({ tag }) => tag)).toEqual(Array.from({ length: 20 }, (_, index) => `t${index}`))
  })

  it('replaces a return that is too large by a sentence', async () => {
    const { delivery } = await parts()
    master.largest = 5000
    await journal.addReturn({
      jid: '1',
      fun: 'test.echo',
      fun_args: [],
      return: 'x'.repeat(10_000),
      retcode: 0,
      success: true,
    })
    delivery.start()
    expect(await delivery.drained(60_000)).toBe(true)
    expect(master.returns[0]).toMatchObject({
      jid: '1',
      success: false,
      return: expect.stringContaining('larger than the master takes'),
    })
  })

  it('speaks over a Unix socket as well', async () => {
    const path = join(directory, 'master.sock')
    const local = await FakeMaster.start({ path })
    const { settings } = await parts()
    const client = new HttpClient(bootstrapOf(`unix://${path}`), { version: '1' })
    expect(await askToken({ ...settings, http: client }, false)).toMatchObject({ kind: 'token' })
    client.close()
    await local.stop()
  })

  it('asks again where a kept connection was closed meanwhile', async () => {
    const sockets: Socket[] = []
    const server = createServer((_, response) => response.end('{}'))
    server.on('connection', (socket) => sockets.push(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const client = new HttpClient({ origin: `http://127.0.0.1:${port}` }, { version: '1' })
    const ask = () => client.ask({ method: 'GET', url: '/', timeout: 30_000 })
    expect((await ask()).status).toBe(200)
    for (const socket of sockets.splice(0)) socket.resetAndDestroy()
    expect((await ask()).status).toBe(200)
    client.close()
    server.close()
  })

  it('tells a master that serves another version', async () => {
    const { settings } = await parts()
    master.tokenStatus = 426
    expect(await askToken(settings, false)).toEqual({ kind: 'upgrade', message: 'as the test wishes' })
  })
})
