// The functions' work under what queues do: messages come twice, together, unreadable, and while another has them.
import { randomBytes } from 'node:crypto'
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeRecord } from '../../core/value/record-text.ts'
import type { Event } from '../../master/ports.ts'
import { entryOf } from '../../platform/aws/bus/envelope.ts'
import { openEventLog } from '../../platform/aws/handlers/event-log.ts'
import type { QueueRecord } from '../../platform/aws/handlers/queue-record.ts'
import { openReactor } from '../../platform/aws/handlers/reactor.ts'
import { openRuns } from '../../platform/aws/handlers/run.ts'
import { openSocket } from '../../platform/aws/handlers/socket.ts'
import { remoteRuns } from '../../platform/aws/runs.ts'
import { type AwsStore, openAwsStore } from '../../platform/aws/store/aws-store.ts'
import { DynamoWatchers } from '../../platform/aws/store/watchers.ts'
import type { Telemetry } from '../../platform/aws/telemetry.ts'
import { waitFor } from '../system/wait.ts'
import { functionEnvironment, silentTelemetry } from './function-environment.ts'
import { emulatorClients, makeResources, type Resources } from './resources.ts'

/** An invocation with all its time before it. */
const time = (): number => 60_000

const counted = new Map<string, number>()
const said: string[] = []
const telemetry: Telemetry = {
  ...silentTelemetry,
  warn: (message) => void said.push(message),
  error: (message) => void said.push(message),
  count: (name, by) => void counted.set(name, (counted.get(name) ?? 0) + by),
}

let resources: Resources
let store: AwsStore
let environment: Record<string, string>

beforeAll(async () => {
  resources = await makeResources({ tables: true, bucket: true, bus: true, secret: true })
  const { places } = resources
  store = openAwsStore({ places, clients: emulatorClients() })
  environment = functionEnvironment(places)
  await store.config.install({
    entries: [{ glob: 'work/*', files: ['/srv/reactor/work.sls'] }],
    files: [
      {
        name: '/srv/reactor/work.sls',
        text: "tell:\n  runner.event.send:\n    - args:\n        tag: told/{{ data['n'] }}\n",
      },
    ],
  })
})
afterAll(() => resources.remove())

const eventOf = (tag: string, data: Event['data'] = {}): Event => ({
  id: store.clock.eventId(),
  tag,
  data: { ...data, _stamp: '2026-11-21T12:00:00.000000' },
  source: 'master',
})

/** The message by which a rule brings an event. */
async function messageOf(event: Event, nth = 0, receives = 1): Promise<QueueRecord> {
  const { Source, Detail } = await entryOf(event, store.clock.now(), nth, store.payloads)
  return {
    messageId: randomBytes(8).toString('hex'),
    receiptHandle: 'none',
    body: JSON.stringify({ source: Source, detail: JSON.parse(Detail) }),
    attributes: { ApproximateReceiveCount: String(receives) },
  }
}

const logged = async (): Promise<Event[]> => (await store.log.read('oldest', 1000)).events.map(({ event }) => event)

describe('the event log function', () => {
  it('appends a batch in the order in which it was put on the bus, and each event once', async () => {
    const log = openEventLog(environment, telemetry)
    const events = Array.from({ length: 5 }, (_, n) => eventOf(`log/${n}`))
    const messages = await Promise.all(events.map((event, nth) => messageOf(event, nth)))
    expect([...(await log.take([...messages].reverse(), time))]).toEqual([])
    expect([...(await log.take([...messages, ...messages], time))]).toEqual([])
    expect((await logged()).map(({ tag }) => tag)).toEqual(events.map(({ tag }) => tag))
  })

  it('has only what it cannot read come again, and drops what is not ours', async () => {
    const log = openEventLog(environment, telemetry)
    const good = await messageOf(eventOf('log/good'))
    const broken = { ...good, messageId: 'broken', body: '{' }
    const foreign = { ...good, messageId: 'foreign', body: JSON.stringify({ source: 'aws.ec2', detail: {} }) }
    expect([...(await log.take([broken, foreign, good], time))]).toEqual(['broken'])
    expect((await logged()).at(-1)?.tag).toBe('log/good')
  })
})

describe('the reactor function', () => {
  /** How many events `told/<n>` are on the queue, once there is one. */
  const told = async (n: string): Promise<number> => {
    const sqs = new SQSClient(emulatorClients())
    const seen = new Map<string, string>()
    const look = async (): Promise<number> => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: resources.places.reactorQueue,
          MaxNumberOfMessages: 10,
          VisibilityTimeout: 0,
          WaitTimeSeconds: 1,
        }),
      )
      for (const { MessageId = '', Body = '' } of Messages) seen.set(MessageId, JSON.parse(Body).detail.tag)
      return [...seen.values()].filter((tag) => tag === `told/${n}`).length
    }
    await waitFor(`told/${n}`, async () => ((await look()) > 0 ? true : undefined))
    return look()
  }

  it('reacts once to an event that comes twice at once and again later', async () => {
    const [one, other] = [openReactor(environment, telemetry), openReactor(environment, telemetry)]
    const message = await messageOf(eventOf('work/1', { n: 'once' }))
    const outcomes = await Promise.allSettled([
      one.take(message, 60_000),
      other.take(message, 60_000),
      one.take({ ...message, messageId: 'copy' }, 60_000),
    ])
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    // Whoever met the lease of another was put off, and finds the reaction ended when it comes again.
    await one.take({ ...message, attributes: { ApproximateReceiveCount: '2' } }, 60_000)
    await other.take({ ...message, attributes: { ApproximateReceiveCount: '3' } }, 60_000)
    expect(await told('once')).toBe(1)
    const entries = await store.ledger.entries(JSON.parse(message.body).detail.id)
    expect(entries.map(({ state }) => state)).toEqual(['done'])
  })

  it('reacts by an entry that was added since it read the set', async () => {
    const reactor = openReactor(environment, telemetry)
    await reactor.take(await messageOf(eventOf('work/0', { n: 'warm' })), 60_000)
    const { entries, version } = await store.config.reactors()
    const added = { glob: 'since/*', files: ['/srv/reactor/work.sls'] }
    expect(await store.config.changeReactors([...entries, added], version)).toBe(true)
    const event = eventOf('since/1', { n: 'since' })
    await reactor.take(await messageOf(event), 60_000)
    expect((await store.ledger.entries(event.id)).map(({ state }) => state)).toEqual(['done'])
  })

  it('puts off what still runs when the invocation ends, without ending it', async () => {
    const reactor = openReactor(environment, telemetry)
    const message = await messageOf(eventOf('work/2', { n: 'late' }))
    await expect(reactor.take(message, 0)).rejects.toMatchObject({ code: 'put-off' })
  })

  it('keeps what it can never read as a dead letter', async () => {
    const reactor = openReactor(environment, telemetry)
    const message = await messageOf(eventOf('work/3', { n: 'lost' }))
    const body = JSON.stringify({
      source: 'brine.master',
      detail: { ...JSON.parse(message.body).detail, data: undefined, claim: 'f'.repeat(64) },
    })
    await reactor.take({ ...message, body }, 60_000)
    const sqs = new SQSClient(emulatorClients())
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: resources.places.reactorDeadQueue, WaitTimeSeconds: 1 }),
    )
    expect(Messages.map(({ Body }) => Body)).toEqual([body])
  })

  it('counts what it did', () => {
    const reactor = openReactor(environment, telemetry)
    reactor.report()
    expect(counted.get('DeliveriesPutOff')).toBeGreaterThan(0)
  })
})

describe('the run function', () => {
  it('runs what is ordered once, however often it is delivered', async () => {
    const runs = openRuns(environment, telemetry)
    const request = {
      client: 'runner',
      fun: 'event.send',
      arg: ['ran/once'],
      kwarg: {},
      user: 'root',
      jid: '20261121120000000001',
    }
    const order = { request: encodeRecord(request) }
    const outcomes = await Promise.allSettled([runs.run(order), runs.run(order)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(runs.run(order)).rejects.toMatchObject({ code: 'run' })
  })

  it('runs again what is ordered anew where that does no harm, and tells of anything else that it was interrupted', async () => {
    const runs = openRuns(environment, telemetry)
    const order = (fun: string, jid: string, times: number) => ({
      request: encodeRecord({ client: 'runner', fun, arg: [], kwarg: {}, user: 'root', jid, detached: true }),
      times,
    })
    const [harmless, other, never] = ['20261121120000000011', '20261121120000000012', '20261121120000000013']
    for (const times of [1, 2, 3]) {
      const { outcome = '' } = await runs.run(order('jobs.last_run', harmless, times))
      expect(outcome).toContain(harmless)
    }
    await expect(runs.run(order('jobs.last_run', harmless, 3))).rejects.toMatchObject({ code: 'run' })
    // It fails for want of a tag, and was run all the same.
    expect((await runs.run(order('event.send', other, 1))).outcome).toBeDefined()
    expect(await runs.run(order('event.send', other, 2))).toEqual({})
    expect((await runs.run(order('event.send', never, 2))).outcome).toBeDefined()
  })

  it('is asked under a jid that is known before it answers', () => {
    const run = remoteRuns(
      'nothing-there',
      store.clock,
    )({ client: 'runner', fun: 'a.b', arg: [], kwarg: {}, user: 'x' })
    expect(run.jid).toMatch(/^\d{20}$/)
    return expect(run.outcome).rejects.toThrow()
  })
})

describe('the socket function', () => {
  const at = (routeKey: string, authorizer: object = {}, body?: string) => ({
    requestContext: { connectionId: 'c1', routeKey, authorizer },
    ...(body === undefined ? {} : { body }),
  })

  it('lets in who has a token, as whom it speaks for, and nobody else', async () => {
    const socket = openSocket(environment)
    const expires = store.clock.now() + 60_000_000
    const ask = (token: string) =>
      socket({ type: 'REQUEST', methodArn: 'arn', headers: { Authorization: `Bearer ${token}` }, ...at('$connect') })
    const person = await store.tokens.issue({
      kind: 'user',
      name: 'ann',
      epoch: 0,
      expires,
      login: { eauth: 'file', groups: [], start: 0, use: 'session' },
    })
    const strange = await store.tokens.issue({ kind: 'minion', name: 'web9', epoch: 3, expires })
    expect(await ask(person)).toMatchObject({ context: { watcher: 'ann' } })
    for (const token of ['made-up', strange])
      expect(await ask(token)).toMatchObject({ policyDocument: { Statement: [{ Effect: 'Deny' }] } })
    expect(await socket(at('$connect'))).toEqual({ statusCode: 401 })
  })

  it('lets in who has a ticket, once', async () => {
    const socket = openSocket(environment)
    const ask = (ticket: string) =>
      socket({ type: 'REQUEST', methodArn: 'arn', queryStringParameters: { ticket }, ...at('$connect') })
    const issue = (use: 'ticket' | 'session', seconds: number) =>
      store.tokens.issue({
        kind: 'user',
        name: 'ann',
        epoch: 0,
        expires: store.clock.now() + seconds * 1_000_000,
        login: { eauth: 'file', groups: [], start: 0, use },
      })
    const ticket = await issue('ticket', 60)
    expect(await ask(ticket)).toMatchObject({ context: { watcher: 'ann' } })
    for (const worthless of [ticket, await issue('session', 60), await issue('ticket', -1), 'made-up'])
      expect(await ask(worthless)).toMatchObject({ policyDocument: { Statement: [{ Effect: 'Deny' }] } })
  })

  it("keeps a minion's doorbell from its opening to its end", async () => {
    const socket = openSocket(environment)
    await socket(at('$connect', { minion: 'web1' }))
    await socket(at('$default', {}, '{"action":"ping"}'))
    expect(await store.connections.connected()).toContain('web1')
    expect((await store.minions.lastSeen()).get('web1')).toBeGreaterThan(0)
    await socket(at('$disconnect'))
    expect(await store.connections.connected()).not.toContain('web1')
  })

  it('has a watcher told once, after it asked', async () => {
    const told: string[] = []
    const watchers = new DynamoWatchers(store.dynamo, store.clock, async (connection) => {
      told.push(connection)
      return 'sent'
    })
    await openSocket(environment)(
      at('$default', {}, JSON.stringify({ action: 'watch', cursor: await store.log.end() })),
    )
    await Promise.all([watchers.ring(), watchers.ring()])
    await watchers.ring()
    expect(told).toEqual(['c1'])
  })
})
