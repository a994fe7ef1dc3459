// The minion against a fake master: joining, jobs, and everything that goes wrong in between.
import { generateKeyPairSync } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeMaster, jws } from './fake-master.ts'
import { type FakeSetup, fakeSetup, until } from './fake-setup.ts'
import { ProcessRecords } from './jobs/recorded-process.ts'
import { Journal } from './journal/journal.ts'
import { localBusAddress } from './local-bus/address.ts'
import { connectLocalBus } from './local-bus/client.ts'
import { createMinion, type Minion } from './minion.ts'

let master: FakeMaster
let fake: FakeSetup
const minions: Minion[] = []

async function started(more = '', url = master.url): Promise<Minion> {
  fake = await fakeSetup(url, more)
  return again()
}

async function again(): Promise<Minion> {
  const minion = createMinion(fake.setup, fake.outside)
  minions.push(minion)
  await minion.start()
  return minion
}

beforeEach(async () => {
  master = await FakeMaster.start()
})

afterEach(async () => {
  for (const minion of minions.splice(0)) await minion.stop()
  await master.stop()
  await fake.remove()
})

describe('joining', () => {
  it('proves the key, sends the grains, then tells of its start', async () => {
    const minion = await started('grains: {role: web}')
    await minion.joined
    expect(master.happenings.map(({ what, detail }) => `${what} ${detail}`).slice(0, 4)).toEqual([
      'token accepted',
      'refresh ',
      'event minion_start',
      'event salt/minion/web1/start',
    ])
    expect(master.grains).toMatchObject({ id: 'web1', role: 'web', kernel: 'Linux' })
    expect(master.events[1]?.data).toEqual({
      id: 'web1',
      cmd: '_minion_event',
      pretag: null,
      data: expect.stringMatching(/^Minion web1 started at \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/),
      tag: 'salt/minion/web1/start',
    })
  })

  it('keeps its key private, and the same over a restart', async () => {
    const minion = await started('enable_legacy_startup_events: False')
    await minion.joined
    const pem = await readFile(join(fake.root, 'pki/minion.pem'), 'utf8')
    expect(master.events.map(({ tag }) => tag)).toEqual(['salt/minion/web1/start'])
    await minion.stop()
    await (await again()).joined
    expect(await readFile(join(fake.root, 'pki/minion.pem'), 'utf8')).toBe(pem)
  })

  it('waits while the key is pending and joins as soon as it is accepted', async () => {
    master.keyState = 'pending'
    const minion = await started()
    await until(() => master.happenings.filter(({ what }) => what === 'token').length >= 3)
    expect(master.events).toEqual([])
    master.keyState = 'accepted'
    await minion.joined
  })

  it('joins anew after it was rejected meanwhile', async () => {
    const minion = await started()
    await minion.joined
    await until(() => master.listening === 1)
    master.keyState = 'rejected'
    master.revokeTokens()
    master.ring()
    await until(() => fake.said.some((line) => line.includes('Key rejected')))
    master.keyState = 'accepted'
    await until(() => master.events.filter(({ tag }) => tag === 'salt/minion/web1/start').length === 2)
  })

  it('heals a clock that is wrong', async () => {
    master.ahead = 86_400
    const minion = await started()
    await minion.joined
    expect(master.happenings.slice(0, 2).map(({ detail }) => detail)).toEqual(['the time is wrong', 'accepted'])
    master.publish({ fun: 'test.ping', expiresIn: 60 })
    await until(() => master.returns.length === 1)
  })

  it('waits for a master that is away', async () => {
    const back = await master.away()
    const minion = await started()
    await until(() => fake.said.some((line) => line.includes('gives no answer')))
    await back()
    await minion.joined
  })

  it('stops at a master with another key than the pinned one', async () => {
    const minion = await started()
    await minion.joined
    await minion.stop()
    master.renewKey()
    const second = await again()
    await expect(second.finished).rejects.toMatchObject({ code: 'master-key' })
  })

  it('stops at once at a master whose key is not master_finger', async () => {
    const minion = await started("master_finger: '00:11'")
    await expect(minion.finished).rejects.toThrow(/master_finger is 00:11/)
    expect(master.events).toEqual([])
  })

  it('refuses to start twice on one data directory', async () => {
    await started()
    await expect(createMinion(fake.setup, fake.outside).start()).rejects.toMatchObject({ code: 'running' })
  })
})

describe('jobs', () => {
  it('runs what the doorbell announces and returns it', async () => {
    const minion = await started()
    await minion.joined
    await until(() => master.listening === 1)
    const jid = master.publish({ fun: 'test.echo', arg: ['hello'] })
    await until(() => master.returns.length === 1)
    expect(master.returns[0]).toMatchObject({
      jid,
      fun: 'test.echo',
      fun_args: ['hello'],
      return: 'hello',
      retcode: 0,
      success: true,
    })
  })

  it('runs without a doorbell too', async () => {
    master.hasSocket = false
    const minion = await started()
    await minion.joined
    master.publish({ fun: 'test.ping' })
    await until(() => master.returns.length === 1)
  })

  it('gets jobs that were sent before it came', async () => {
    master.publish({ fun: 'test.ping' })
    await (await started()).joined
    await until(() => master.returns.length === 1)
  })

  it('runs a jid once, however often it is offered', async () => {
    const minion = await started()
    await minion.joined
    const file = join(fake.root, 'ran')
    const jid = master.publish({ fun: 'cmd.run', arg: [`echo ran >> ${file}`] })
    for (let round = 0; round < 5; round++) master.ring()
    await until(() => master.returns.length === 1)
    master.publish({ jid, fun: 'cmd.run', arg: [`echo ran >> ${file}`] })
    await minion.stop()
    await (await again()).joined
    master.ring()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await readFile(file, 'utf8')).toBe('ran\n')
  })

  it('runs several at a time, and no more than process_count_max', async () => {
    const minion = await started('process_count_max: 1')
    await minion.joined
    master.publish({ fun: 'test.sleep', arg: [0.2] })
    master.publish({ fun: 'test.ping' })
    await until(() => master.returns.length === 2)
    expect(master.returns.map(({ fun }) => fun)).toEqual(['test.sleep', 'test.ping'])
  })

  it('runs several functions of one job', async () => {
    await (await started()).joined
    master.publish({ fun: ['test.ping', 'test.arg', 'no.such'], arg: [[], ['a'], []] })
    await until(() => master.returns.length === 1)
    expect(master.returns[0]).toMatchObject({
      return: { 'test.ping': true, 'test.arg': { args: ['a'] }, 'no.such': expect.any(String) },
      retcode: 1,
    })
  })

  it('refuses what the master did not sign, what is for others, and what comes late', async () => {
    await (await started()).joined
    master.publish({ fun: 'test.ping' }, generateKeyPairSync('ed25519').privateKey)
    master.publish({ fun: 'test.ping', tgt: 'db*' })
    master.publish({ fun: 'test.ping', tgt: 'role:db', tgt_type: 'grain' })
    master.publish({ fun: 'test.ping', tgt: 'role:db', tgt_type: 'grain', minions: ['db1'] })
    master.publish({ fun: 'test.ping', expiresIn: -1 })
    master.offer('20261121000000099999', 'no.jws.at-all')
    const fine = [
      master.publish({ fun: 'test.ping', tgt: ['db1', 'web1'], tgt_type: 'list' }),
      master.publish({ fun: 'test.ping', tgt: 'web\\d', tgt_type: 'pcre' }),
      master.publish({ fun: 'test.ping', tgt: 'role:web', tgt_type: 'grain', minions: ['web1'] }),
    ]
    await until(() => master.returns.length === 3)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(master.returns.map(({ jid }) => jid).sort()).toEqual(fine.sort())
    expect(fake.said.filter((line) => line.includes('is refused')).length).toBe(5)
  })

  it('does not run a job under another jid than the signed one', async () => {
    await (await started()).joined
    const keys = generateKeyPairSync('ed25519')
    master.offer('20261121000000000001', jws({ jid: '1' }, keys.privateKey))
    await until(() => fake.said.some((line) => line.includes('is refused')))
    expect(master.returns).toEqual([])
  })

  it('returns a job that was cut off as interrupted, and does not run it again', async () => {
    const minion = await started()
    await minion.joined
    const file = join(fake.root, 'data/journal')
    const jid = master.publish({ fun: 'test.sleep', arg: [30] })
    await until(() => fake.said.some((line) => line.includes('Starting a new job')))
    const cut = await readFile(file)
    master.publish({ fun: 'saltutil.kill_job', arg: [jid] })
    await until(() => master.returns.length === 2)
    await minion.stop()
    await writeFile(file, cut)
    master.returns.length = 0
    await (await again()).joined
    await until(() => master.returns.length > 0)
    expect(master.returns[0]).toMatchObject({
      jid,
      fun: 'test.sleep',
      fun_args: [30],
      interrupted: true,
      success: false,
      retcode: 1,
    })
  })

  it('returns what the command of a cut-off job came to, without running it again', async () => {
    fake = await fakeSetup(master.url)
    const file = join(fake.root, 'ran')
    const script = `echo ran >> ${file}; sleep 0.3; echo out; exit 4`
    const journal = await Journal.open(join(fake.root, 'data/journal'), fake.outside)
    await journal.startJob('20261121000000000077', 2e9, { fun: 'cmd.run', arg: [script], jid: '20261121000000000077' })
    await journal.startJob('20261121000000000078', 2e9, { fun: 'cmd.run', arg: ['never started'] })
    await journal.startJob('20261121000000000079', 2e9, { fun: 'event.send', arg: ['t'] })
    await journal.close()
    const signal = new AbortController().signal
    const running = new ProcessRecords(join(fake.root, 'data/jobs'))
      .recorder('20261121000000000077')
      .run({ argv: ['/bin/sh', '-c', script], cwd: '/', env: {}, mergeStderr: true, signal })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await (await again()).joined
    await until(() => master.returns.length === 3)
    await running
    const byJid = (jid: string) => master.returns.find((ret) => ret.jid.endsWith(jid))
    expect(byJid('77')).toMatchObject({ fun: 'cmd.run', fun_args: [script], return: 'out', retcode: 4, success: false })
    expect(byJid('77')).not.toHaveProperty('interrupted')
    expect(byJid('78')).toMatchObject({ interrupted: true, success: false, fun_args: ['never started'] })
    expect(byJid('79')).toMatchObject({ interrupted: true, fun: 'event.send' })
    expect(await readFile(file, 'utf8')).toBe('ran\n')
    expect(await readdir(join(fake.root, 'data/jobs'))).toEqual([])
  })

  it('returns a job that another journal fetched as interrupted', async () => {
    await (await started()).joined
    const jid = master.publish({ fun: 'test.ping', fetched: true })
    await until(() => master.returns.length === 1)
    expect(master.returns[0]).toMatchObject({ jid, interrupted: true, success: false })
  })

  it('finds and kills a running job, with the programs it started', async () => {
    await (await started()).joined
    const jid = master.publish({ fun: 'cmd.run', arg: ['sleep 60 & sleep 60'] })
    await until(() => fake.said.some((line) => line.includes('Starting a new job')))
    master.publish({ fun: 'saltutil.find_job', arg: [jid] })
    await until(() => master.returns.length === 1)
    expect(master.returns[0]?.return).toMatchObject({
      jid,
      fun: 'cmd.run',
      tgt: '*',
      tgt_type: 'glob',
      user: 'root',
      ret: '',
      pid: process.pid,
    })
    master.publish({ fun: 'saltutil.kill_job', arg: [jid] })
    await until(() => master.returns.length === 3)
    expect(master.returns.find((ret) => ret.jid === jid)).toMatchObject({
      success: false,
      return: `Job ${jid} was ended by SIGKILL.`,
    })
    expect(master.returns.find(({ fun }) => fun === 'saltutil.kill_job')?.return).toBe(
      `Signal 9 sent to job ${jid} at pid ${process.pid}`,
    )
  })
})

describe('what it sends', () => {
  it('keeps events and returns in order while the master is away', async () => {
    const minion = await started()
    await minion.joined
    await until(() => master.listening === 1)
    const address = localBusAddress(join(fake.root, 'sock'), 'web1')
    const bus = await connectLocalBus(address)
    master.failWith = 503
    master.publish({ fun: 'event.send', arg: ['app/one', { n: 1 }] })
    master.failWith = 0
    await until(() => master.events.some(({ tag }) => tag === 'app/one'))
    await until(() => master.returns.length === 1)
    bus.close()
    const order = master.happenings
      .filter(({ what }) => what === 'event' || what === 'return')
      .map(({ detail }) => detail)
    expect(order.indexOf('app/one')).toBeLessThan(order.indexOf(master.returns[0]?.jid ?? ''))
  })

  it('sends event.send with the job’s data, and shows it on its own bus', async () => {
    const minion = await started()
    await minion.joined
    const bus = await connectLocalBus(localBusAddress(join(fake.root, 'sock'), 'web1'))
    const seen = bus.events()
    const first = seen.next()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const jid = master.publish({ fun: 'event.send', arg: ['lab/from/cli', { a: 1 }], tgt: 'web1' })
    await until(() => master.returns.length === 1)
    const data = {
      id: 'web1',
      cmd: '_minion_event',
      pretag: null,
      data: {
        __pub_fun: 'event.send',
        __pub_arg: ['lab/from/cli', { a: 1 }],
        __pub_tgt: 'web1',
        __pub_jid: jid,
        __pub_ret: '',
        __pub_tgt_type: 'glob',
        __pub_user: 'root',
        a: 1,
      },
      tag: 'lab/from/cli',
    }
    expect(master.events.at(-1)).toMatchObject({ tag: 'lab/from/cli', data })
    expect((await first).value).toEqual({ tag: 'lab/from/cli', data: { ...data, _stamp: expect.any(String) } })
    bus.close()
  })

  it('keeps event.fire on its own bus', async () => {
    const minion = await started()
    await minion.joined
    const before = master.events.length
    const bus = await connectLocalBus(localBusAddress(join(fake.root, 'sock'), 'web1'))
    const first = bus.events().next()
    await new Promise((resolve) => setTimeout(resolve, 50))
    master.publish({ fun: 'event.fire', arg: [{ data: 'here' }, 'custom/x'] })
    expect((await first).value).toMatchObject({ tag: 'custom/x', data: { data: 'here' } })
    await until(() => master.returns.length === 1)
    expect(master.returns[0]?.return).toBe(true)
    expect(master.events.length).toBe(before)
    bus.close()
  })

  it('goes on with another token when the master forgot the first', async () => {
    const minion = await started()
    await minion.joined
    master.revokeTokens()
    master.publish({ fun: 'test.ping' })
    await until(() => master.returns.length === 1)
  })

  it('reconnects the doorbell', async () => {
    const minion = await started()
    await minion.joined
    await until(() => master.listening === 1)
    master.cutBell()
    await until(() => master.listening === 0)
    await until(() => master.listening === 1)
  })

  it('answers a highstate as Salt does without a top file', async () => {
    await (await started()).joined
    const before = master.happenings.length
    master.publish({ fun: 'state.highstate' })
    await until(() => master.returns.length === 1)
    expect(master.returns[0]).toMatchObject({
      out: 'highstate',
      retcode: 2,
      success: false,
      fun_args: [],
      return: {
        'no_|-states_|-states_|-None': {
          result: false,
          comment: 'No Top file or master_tops data matches found. Please see master log for details.',
          name: 'No States',
          changes: {},
          __run_num__: 0,
        },
      },
    })
    const since = master.happenings.slice(before).filter(({ what }) => what !== 'jobs')
    expect(since.map(({ what }) => what)).toEqual(['token', 'refresh', 'return'])
  })
})
