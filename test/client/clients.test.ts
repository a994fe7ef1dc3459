// The library's clients against a real master and minions: over the socket, and over HTTPS as a user with rights.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Connection,
  connectLocal,
  connectUrl,
  iterEvents,
  LocalClient,
  logIn,
  RunnerClient,
  type Said,
  WheelClient,
} from '../../client/index.ts'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'

const ids = ['db1', 'web1', 'web2']
let lab: Lab
let local: Connection
let url: string

beforeAll(async () => {
  lab = await createLab({
    tls: true,
    master: `auto_accept: True
timeout: 2
sharedsecret: s3cret
external_auth:
  sharedsecret:
    admin: ['.*', '@runner', '@wheel']
    pinger: [{'web*': ['test.ping']}]
`,
  })
  await lab.startMaster()
  for (const id of ids) lab.startMinion(id)
  await Promise.all(ids.map((id) => lab.waitForEvent({ tag: `salt/minion/${id}/start` })))
  local = await connectLocal(lab.etc)
  url = `https://127.0.0.1:${/port: (\d+)/.exec(readFileSync(join(lab.etc, 'master'), 'utf8'))?.[1]}`
}, 180_000)
afterAll(async () => {
  local?.close()
  await lab.close()
})

const master = () => ({ url, certificateFile: join(lab.root, 'run/master/pki/tls.crt') })
const as = (username: string) => connectUrl(master(), { username, password: 's3cret', eauth: 'sharedsecret' })

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe.each([
  ['over the socket', async () => connectLocal(lab.etc)],
  ['over HTTPS, as a user', async () => as('admin')],
])('%s', (_where, open) => {
  let connection: Connection
  let client: LocalClient
  beforeAll(async () => {
    connection = await open()
    client = new LocalClient(connection)
  })
  afterAll(() => connection.close())

  it('cmd', async () => {
    expect(await client.cmd('web*', 'test.ping')).toEqual({ web1: true, web2: true })
    expect(await client.cmd(['db1'], 'test.arg', { tgtType: 'list', arg: [1, 'a'], kwarg: { k: 'v' } })).toMatchObject({
      db1: { args: [1, 'a'], kwargs: { k: 'v' } },
    })
    expect(await client.cmd('nobody', 'test.ping')).toEqual({})
  })

  it('cmdAsync, runJob and getCacheReturns', async () => {
    const jid = await client.cmdAsync('db1', 'test.ping')
    expect(jid).toMatch(/^\d{20}$/)
    const { jid: other, minions } = await client.runJob('web*', 'test.echo', { arg: ['x'] })
    expect(minions).toEqual(['web1', 'web2'])
    const returns = await waitFor('the returns', async () => {
      const found = await client.getCacheReturns(other)
      return Object.keys(found).length === 2 ? found : undefined
    })
    expect(returns).toMatchObject({ web1: { ret: 'x', retcode: 0, jid: other }, web2: { ret: 'x' } })
    await expect(client.getCacheReturns('20000101000000000000')).rejects.toMatchObject({ code: 'no-job' })
  })

  it('cmdIter and cmdIterNoBlock', async () => {
    const seen = await all(client.cmdIter('*', 'test.ping'))
    expect(Object.assign({}, ...seen)).toMatchObject({ db1: { ret: true }, web1: { ret: true }, web2: { ret: true } })
    const items = await all(client.cmdIterNoBlock('db1', 'test.sleep', { arg: [1] }))
    expect(items.at(-1)).toMatchObject({ db1: { ret: true } })
    expect(items.filter((item) => item === null).length).toBeGreaterThan(0)
  })

  it('cmdBatch runs some at a time, and stops where it is asked to', async () => {
    const seen = await all(client.cmdBatch('*', 'test.ping', { batch: 1 }))
    expect(seen.map((item) => Object.keys(item)[0]).sort()).toEqual(ids)
    const failing = client.cmdBatch('*', 'cmd.run', { arg: ['false'], batch: 1, failhard: true })
    expect(await all(failing)).toHaveLength(1)
    await expect(all(client.cmdBatch('*', 'test.ping', { batch: 'some' }))).rejects.toMatchObject({ code: 'usage' })
  })

  it('cmdSubset', async () => {
    const chosen = await client.cmdSubset('*', 'test.ping', { subset: 2 })
    expect(Object.values(chosen)).toEqual([true, true])
  })

  it('RunnerClient and WheelClient', async () => {
    const runner = new RunnerClient(connection)
    expect(await runner.cmd('manage.up')).toEqual(ids)
    expect(await new WheelClient(connection).cmd('key.list_all')).toMatchObject({ minions: ids })
    await expect(runner.cmd('nothing.there')).rejects.toMatchObject({ code: 'missing' })
    const { tag } = await runner.cmdAsync('jobs.list_jobs')
    await lab.waitForEvent({ tag: `${tag}/ret` })
  })

  it('hears what a runner says while it runs, and the bus does, too', async () => {
    const own = await open()
    const heard: Said[] = []
    let hears = (): void => undefined
    const first = new Promise<string>((resolve) => {
      hears = () => resolve('heard')
    })
    const ended = own.run({ client: 'runner', fun: 'test.stream' }, (said) => {
      heard.push(said)
      hears()
    })
    const end = ended.then(() => 'ended').catch(() => 'given up')
    expect(await Promise.race([first, end])).toBe('heard')
    const said = { kind: 'progress', suffix: 'progress', event: { message: 'Runner is 1% done' } }
    expect(heard[0]).toMatchObject(said)
    const { data } = await lab.waitForEvent({ tag: 'salt/run/*/progress' })
    expect(data).toMatchObject({ message: 'Runner is 1% done' })
    own.close()
    expect(await end).toBe('given up')
  })

  it('a run tells once what it said: to who hears it as it comes, else in the answer', async () => {
    const heard: Said[] = []
    const run = { client: 'runner', fun: 'test.stdout_print' } as const
    const answer = await connection.run(run, (said) => heard.push(said))
    expect(heard).toEqual([{ kind: 'printed', text: 'foo' }])
    expect(answer).toMatchObject({ return: 'bar', success: true, progress: [] })
    expect(answer.printed).toBeUndefined()
    expect(await connection.run(run)).toMatchObject({ return: 'bar', printed: ['foo'] })
  })

  it('fires, and reads the bus', async () => {
    const stop = new AbortController()
    const loop = iterEvents(connection, { tag: 'lib/*', matchType: 'fnmatch', signal: stop.signal })
    const first = loop.next()
    const { value } = await waitFor('an event', async () => {
      await connection.fire('lib/x', { a: 1 })
      return Promise.race([first, new Promise<undefined>((resolve) => setTimeout(resolve, 100, undefined))])
    })
    expect(value).toMatchObject({ tag: 'lib/x', data: { a: 1 } })
    stop.abort()
    expect((await loop.next()).done).toBe(true)
  })
})

describe('a user', () => {
  it('does what his rights allow and nothing else', async () => {
    const connection = await as('pinger')
    const client = new LocalClient(connection)
    expect(await client.cmd('web*', 'test.ping')).toEqual({ web1: true, web2: true })
    const refused = { code: 'forbidden' }
    await expect(client.cmd('*', 'test.ping')).rejects.toMatchObject(refused)
    await expect(client.cmd('web*', 'cmd.run', { arg: ['id'] })).rejects.toMatchObject(refused)
    await expect(new RunnerClient(connection).cmd('manage.up')).rejects.toMatchObject(refused)
    await expect(new WheelClient(connection).cmd('key.list_all')).rejects.toMatchObject(refused)
    await expect(connection.fire('lib/x', {})).rejects.toMatchObject(refused)
    await expect(connection.job('20000101000000000000')).rejects.toMatchObject(refused)
    await expect(connection.keys({ act: 'list' })).rejects.toMatchObject(refused)
    connection.close()
  })

  it('who is not one is not let in', async () => {
    const wrong = { username: 'admin', password: 'wrong', eauth: 'sharedsecret' }
    await expect(logIn(master(), wrong)).rejects.toMatchObject({ code: 'log-in' })
  })
})

it('iterEvents goes on where it was cut when the master comes back', async () => {
  const stop = new AbortController()
  const seen: string[] = []
  const loop = (async () => {
    for await (const { tag } of iterEvents(local, { tag: 'cut/', signal: stop.signal })) seen.push(tag)
  })()
  await waitFor('the subscription', async () => {
    await local.fire('cut/first', {})
    return seen.length > 0 ? true : undefined
  })
  await lab.stopMaster('SIGKILL')
  await lab.startMaster()
  const other = await connectLocal(lab.etc)
  for (let n = 0; n < 20; n++) await other.fire(`cut/${n}`, {})
  await waitFor('the last', () => (seen.includes('cut/19') ? true : undefined))
  stop.abort()
  await loop
  expect(seen.filter((tag) => tag !== 'cut/first')).toEqual(Array.from({ length: 20 }, (_, n) => `cut/${n}`))
  other.close()
}, 180_000)
