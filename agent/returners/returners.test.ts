// Returners: where their options come from, what they send, and that a failing one is told and loses nothing.
import { createHmac } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mapping } from '../../core/value/index.ts'
import { useLab } from '../fake-lab.ts'
import { until } from '../fake-setup.ts'
import { eventbridge } from './eventbridge.ts'
import { returnerOptions } from './options.ts'
import type { ReturnerWorld } from './returner.ts'
import { syslog } from './syslog.ts'
import { webhook } from './webhook.ts'

const load: Mapping = { id: 'web1', jid: '20261121120000000000', fun: 'test.ping', return: true, retcode: 0 }

interface Request {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let server: Server
let url: string
let requests: Request[]
/** Status and body of the answers, the last one for all that follow. */
let answers: [number, string][]
let waited: number[]
let world: ReturnerWorld

beforeEach(async () => {
  requests = []
  waited = []
  answers = [[200, '{}']]
  world = {
    environment: { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-1' },
    now: () => Date.parse('2026-11-21T12:00:00Z'),
    pause: async (milliseconds) => void waited.push(milliseconds),
    fetch,
  }
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      requests.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() })
      const [status, text] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [500, '']
      response.writeHead(status).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

describe('options', () => {
  // As Salt's get_returner_options answers for the same configuration.
  it.each<[string, Mapping[], { config?: string; kwargs?: Mapping }, Mapping]>([
    ['dotted', [{ 'syslog.tag': 'a' }], {}, { tag: 'a' }],
    ['nested', [{ syslog: { tag: 'b' } }], {}, { tag: 'b' }],
    ['nested before dotted', [{ syslog: { tag: 'b' }, 'syslog.tag': 'a' }], {}, { tag: 'b' }],
    [
      'the first store',
      [{ 'syslog.tag': 'a' }, { 'syslog.tag': 'z', 'syslog.level': 'LOG_ERR' }],
      {},
      { tag: 'a', level: 'LOG_ERR' },
    ],
    ['alternative', [{ 'syslog.tag': 'a', 'alt.syslog.tag': 'c' }], { config: 'alt' }, { tag: 'c' }],
    ['alternative, nested', [{ 'syslog.tag': 'a', 'alt.syslog': { tag: 'd' } }], { config: 'alt' }, { tag: 'd' }],
    [
      'alternative without it',
      [{ 'syslog.tag': 'a', 'alt.syslog.level': 'x' }],
      { config: 'alt' },
      { tag: 'a', level: 'x' },
    ],
    ['keywords', [{ 'syslog.tag': 'a' }], { kwargs: { tag: 'k', more: 1 } }, { tag: 'k', more: 1 }],
    ['empty', [{ 'syslog.tag': '' }], {}, {}],
  ])('%s', (_, stores, more, expected) => {
    expect(returnerOptions({ name: 'syslog', options: ['tag', 'level'], ...more }, stores)).toEqual(expected)
  })
})

describe('webhook', () => {
  it('posts the return as JSON with the headers asked for, signed', async () => {
    await webhook.send(load, { url: `${url}/hook?a=1`, headers: { Authorization: 'Bearer x' }, secret: 's' }, world)
    expect(requests).toHaveLength(1)
    const [{ url: path, headers, body }] = requests as [Request]
    expect(path).toBe('/hook?a=1')
    expect(JSON.parse(body)).toEqual(load)
    expect(headers).toMatchObject({ 'content-type': 'application/json', authorization: 'Bearer x' })
    expect(headers['x-brine-signature']).toBe(`sha256=${createHmac('sha256', 's').update(body).digest('hex')}`)
  })

  it('tries again where that may help, and says what the server answered where not', async () => {
    answers = [
      [503, 'busy'],
      [429, 'slow'],
      [200, ''],
    ]
    await webhook.send(load, { url }, world)
    expect(requests).toHaveLength(3)
    answers = [[503, 'busy']]
    await expect(webhook.send(load, { url }, world)).rejects.toThrow('answers 503: busy')
    expect(requests).toHaveLength(6)
    answers = [[403, 'not you']]
    await expect(webhook.send(load, { url }, world)).rejects.toThrow('answers 403: not you')
    expect(requests).toHaveLength(7)
  })

  it.each<[Mapping, string]>([
    [{}, 'webhook.url is not set'],
    [{ url: 'ftp://x' }, 'http:// or https://'],
    [{ url: 'http://x', headers: 'a' }, 'webhook.headers has to be a map'],
    [{ url: 'http://x', timeout: 'soon' }, 'webhook.timeout'],
  ])('refuses %j', async (options, words) => {
    await expect(webhook.send(load, options, world)).rejects.toThrow(words)
  })
})

describe('eventbridge', () => {
  it('puts one event, signed', async () => {
    answers = [[200, '{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}']]
    await eventbridge.send(load, { endpoint: url, bus: 'arn:aws:events:us-east-2:1:event-bus/b' }, world)
    const [{ headers, body }] = requests as [Request]
    expect(headers['x-amz-target']).toBe('AWSEvents.PutEvents')
    expect(headers.authorization).toContain('Credential=AKID/20261121/us-east-2/events/aws4_request')
    const [entry] = JSON.parse(body).Entries
    expect(entry).toMatchObject({
      Source: 'salt.return',
      DetailType: 'Salt Job Return',
      EventBusName: 'arn:aws:events:us-east-2:1:event-bus/b',
    })
    expect(JSON.parse(entry.Detail)).toEqual(load)
  })

  it('fails where the bus did not take it', async () => {
    answers = [[200, '{"FailedEntryCount":1,"Entries":[{"ErrorCode":"NotAuthorized","ErrorMessage":"no"}]}']]
    await expect(eventbridge.send(load, { endpoint: url }, world)).rejects.toThrow('NotAuthorized: no')
    answers = [[400, '{"__type":"ResourceNotFoundException"}']]
    await expect(eventbridge.send(load, { endpoint: url }, world)).rejects.toThrow('ResourceNotFoundException')
  })

  it('says which option is missing', async () => {
    const bare = { ...world, environment: { AWS_EC2_METADATA_DISABLED: 'true' } }
    await expect(eventbridge.send(load, {}, bare)).rejects.toThrow('eventbridge.region is not set')
    await expect(eventbridge.send(load, { region: 'x' }, bare)).rejects.toThrow('eventbridge.keyid is not set')
  })
})

describe('syslog', () => {
  it('hands one line to logger with priority and tag, and tells its failure', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'brine-logger-'))
    try {
      const logger = join(folder, 'logger')
      await writeFile(
        logger,
        `#!/bin/sh\n{ echo "$@"; cat; } > ${folder}/told\ncase "$*" in *news*) echo no >&2; exit 3;; esac\n`,
      )
      await chmod(logger, 0o755)
      const here = { ...world, environment: { PATH: `${folder}:/usr/bin:/bin` } }
      await syslog.send(load, { level: 'LOG_WARNING', facility: 'LOG_DAEMON', tag: 'mine' }, here)
      const [line = '', text = ''] = (await readFile(join(folder, 'told'), 'utf8')).split('\n')
      expect(line).toBe('-p daemon.warning -t mine')
      expect(JSON.parse(text)).toEqual(load)
      await expect(syslog.send(load, { facility: 'LOG_NEWS' }, here)).rejects.toThrow('logger failed: no')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it.each<[Mapping, string]>([
    [{ level: 'LOUD' }, 'syslog.level is LOUD'],
    [{ facility: 'LOG_PET' }, 'syslog.facility is LOG_PET'],
    [{ tag: 'x'.repeat(33) }, 'more than 32'],
    [{ options: ['LOG_SOON'] }, 'syslog.options is LOG_SOON'],
  ])('refuses %j', async (options, words) => {
    await expect(syslog.send(load, options, world)).rejects.toThrow(words)
  })
})

describe('a minion', () => {
  const lab = useLab({ beforeEach, afterEach })

  it('sends a job’s return to the master and to the returners of the job', async () => {
    const minion = await lab.started(`webhook.url: ${url}/usual\nalt.webhook.url: ${url}/alternative`)
    await minion.joined
    lab.master.publish({ fun: 'test.ping', returner: { ret: 'webhook' } })
    await until(() => requests.length === 1)
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      id: 'web1',
      fun: 'test.ping',
      return: true,
      retcode: 0,
    })
    lab.master.publish({ fun: 'test.ping', returner: { ret: 'webhook', ret_config: 'alt' } })
    lab.master.publish({ fun: 'test.ping', returner: { ret: 'webhook', ret_kwargs: { url: `${url}/given` } } })
    await until(() => requests.length === 3 && lab.master.returns.length === 3)
    expect(requests.map((one) => one.url).sort()).toEqual(['/alternative', '/given', '/usual'])
  })

  it('tells what a returner did not take; the master has the return all the same', async () => {
    answers = [[400, 'refused']]
    const minion = await lab.started(`webhook.url: ${url}`)
    await minion.joined
    lab.master.publish({ fun: 'test.ping', returner: { ret: 'webhook,carrier_pigeon' } })
    const tag = 'brine/minion/web1/returner/failed'
    await until(() => lab.master.events.filter((event) => event.tag === tag).length === 2)
    await until(() => lab.master.returns.length === 1)
    const told = lab.master.events.filter((event) => event.tag === tag).map(({ data }) => data)
    const byName = (name: string) =>
      told.map((event) => (event as Mapping).data as Mapping).find(({ returner }) => returner === name)
    expect(byName('webhook')).toMatchObject({
      fun: 'test.ping',
      error: expect.stringContaining('answers 400: refused'),
    })
    expect(byName('carrier_pigeon')).toMatchObject({ error: expect.stringContaining('webhook, eventbridge, syslog') })
    expect(lab.fake.said.filter((line) => line.startsWith('error'))).toHaveLength(2)
  })

  it('sends scheduled returns and, with `return`, all of them', async () => {
    const schedule = `schedule:\n  now:\n    function: test.echo\n    args: [hi]\n    run_on_start: true\n    hours: 5\n    returner: webhook\n    return_kwargs:\n      url: ${url}/scheduled`
    const minion = await lab.started(`return: webhook\nwebhook.url: ${url}/always\n${schedule}`)
    await minion.joined
    await until(() => requests.some((one) => one.url === '/scheduled'))
    lab.master.publish({ fun: 'test.ping' })
    await until(() => requests.some((one) => one.url === '/always'))
  })
})
