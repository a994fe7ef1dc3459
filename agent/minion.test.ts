// The minion against a fake master: joining, jobs, and everything that goes wrong in between.
import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useLab } from './fake-lab.ts'
import { jws } from './fake-master.ts'
import { fakeSetup, until } from './fake-setup.ts'
import { ProcessRecords } from './jobs/recorded-process.ts'
import { Journal } from './journal/journal.ts'
import { createMinion } from './minion.ts'

const lab = useLab({ beforeEach, afterEach })

describe('joining', () => {
  it('proves the key, sends the grains, then tells of its start', async () => {
    const minion = await lab.started('grains: {role: web}')
    await minion.joined
    expect(lab.master.happenings.map(({ what, detail }) => `${what} ${detail}`).slice(0, 4)).toEqual([
      'token accepted',
      'refresh ',
      'event minion_start',
      'event salt/minion/web1/start',
    ])
    expect(lab.master.grains).toMatchObject({ id: 'web1', role: 'web', kernel: 'Linux' })
    expect(lab.master.events[1]?.data).toEqual({
      id: 'web1',
      cmd: '_minion_event',
      pretag: null,
      data: expect.stringMatching(/^Minion web1 started at \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/),
      tag: 'salt/minion/web1/start',
    })
  })

  it('keeps its key private, and the same over a restart', async () => {
    const minion = await lab.started('enable_legacy_startup_events: False')
    await minion.joined
    const pem = await readFile(join(lab.fake.root, 'pki/minion.pem'), 'utf8')
    expect(lab.master.events.map(({ tag }) => tag)).toEqual(['salt/minion/web1/start'])
    await minion.stop()
    await (await lab.again()).joined
    expect(await readFile(join(lab.fake.root, 'pki/minion.pem'), 'utf8')).toBe(pem)
  })

  it('waits while the key is pending and joins as soon as it is accepted', async () => {
    lab.master.keyState = 'pending'
    const minion = await lab.started()
    await until(() => lab.master.happenings.filter(({ what }) => what === 'token').length >= 3)
    expect(lab.master.events).toEqual([])
    lab.master.keyState = 'accepted'
    await minion.joined
  })

  it('joins anew after it was rejected meanwhile', async () => {
    const minion = await lab.started()
    await minion.joined
    await until(() => lab.master.listening === 1)
    lab.master.keyState = 'rejected'
    lab.master.revokeTokens()
    lab.master.ring()
    await until(() => lab.fake.said.some((line) => line.includes('Key rejected')))
    lab.master.keyState = 'accepted'
    await until(() => lab.master.events.filter(({ tag }) => tag === 'salt/minion/web1/start').length === 2)
  })

  it('heals a clock that is wrong', async () => {
    lab.master.ahead = 86_400
    const minion = await lab.started()
    await minion.joined
    expect(lab.master.happenings.slice(0, 2).map(({ detail }) => detail)).toEqual(['the time is wrong', 'accepted'])
    lab.master.publish({ fun: 'test.ping', expiresIn: 60 })
    await until(() => lab.master.returns.length === 1)
  })

  it('waits for a master that is away', async () => {
    const back = await lab.master.away()
    const minion = await lab.started()
    await until(() => lab.fake.said.some((line) => line.includes('gives no answer')))
    await back()
    await minion.joined
  })

  it('stops at a master with another key than the pinned one', async () => {
    const minion = await lab.started()
    await minion.joined
    await minion.stop()
    lab.master.renewKey()
    const second = await lab.again()
    await expect(second.finished).rejects.toMatchObject({ code: 'master-key' })
  })

  it('stops at once at a master whose key is not master_finger', async () => {
    const minion = await lab.started("master_finger: '00:11'")
    await expect(minion.finished).rejects.toThrow(/master_finger is 00:11/)
    expect(lab.master.events).toEqual([])
  })

  it('refuses to start twice on one data directory', async () => {
    await lab.started()
    await expect(createMinion(lab.fake.setup, lab.fake.outside).start()).rejects.toMatchObject({ code: 'running' })
  })
})

describe('jobs', () => {
  it('runs what the doorbell announces and returns it', async () => {
    const minion = await lab.started()
    await minion.joined
    await until(() => lab.master.listening === 1)
    const jid = lab.master.publish({ fun: 'test.echo', arg: ['hello'] })
    await until(() => lab.master.returns.length === 1)
    expect(lab.master.returns[0]).toMatchObject({
      jid,
      fun: 'test.echo',
      fun_args: ['hello'],
      return: 'hello',
      retcode: 0,
      success: true,
    })
  })

  it('runs without a doorbell too', async () => {
    lab.master.hasSocket = false
    const minion = await lab.started()
    await minion.joined
    lab.master.publish({ fun: 'test.ping' })
    await until(() => lab.master.returns.length === 1)
  })

  it('gets jobs that were sent before it came', async () => {
    lab.master.publish({ fun: 'test.ping' })
    await (await lab.started()).joined
    await until(() => lab.master.returns.length === 1)
  })

  it('runs a jid once, however often it is offered', async () => {
    const minion = await lab.started()
    await minion.joined
    const file = join(lab.fake.root, 'ran')
    const jid = lab.master.publish({ fun: 'cmd.run', arg: [`echo ran >> ${file}`] })
    for (let round = 0; round < 5; round++) lab.master.ring()
    await until(() => lab.master.returns.length === 1)
    lab.master.publish({ jid, fun: 'cmd.run', arg: [`echo ran >> ${file}`] })
    await minion.stop()
    await (await lab.again()).joined
    lab.master.ring()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await readFile(file, 'utf8')).toBe('ran\n')
  })

  it('runs several at a time, and no more than process_count_max', async () => {
    const minion = await lab.started('process_count_max: 1')
    await minion.joined
    lab.master.publish({ fun: 'test.sleep', arg: [0.2] })
    lab.master.publish({ fun: 'test.ping' })
    await until(() => lab.master.returns.length === 2)
    expect(lab.master.returns.map(({ fun }) => fun)).toEqual(['test.sleep', 'test.ping'])
  })

  it('reads a mailbox to its end that comes in parts', async () => {
    lab.master.mostJobs = 3
    const jids = Array.from({ length: 10 }, (_, n) => lab.master.publish({ fun: 'test.echo', arg: [n] }))
    await (await lab.started()).joined
    await until(() => lab.master.returns.length === jids.length)
    expect(lab.master.returns.map(({ jid }) => jid).sort()).toEqual([...jids].sort())
  })

  it('runs several functions of one job', async () => {
    await (await lab.started()).joined
    lab.master.publish({ fun: ['test.ping', 'test.arg', 'no.such'], arg: [[], ['a'], []] })
    await until(() => lab.master.returns.length === 1)
    expect(lab.master.returns[0]).toMatchObject({
      return: { 'test.ping': true, 'test.arg': { args: ['a'] }, 'no.such': expect.any(String) },
      retcode: 1,
    })
  })

  it('refuses what the master did not sign, what is for others, and what comes late', async () => {
    await (await lab.started()).joined
    lab.master.publish({ fun: 'test.ping' }, generateKeyPairSync('ed25519').privateKey)
    lab.master.publish({ fun: 'test.ping', tgt: 'db*' })
    lab.master.publish({ fun: 'test.ping', tgt: 'role:db', tgt_type: 'grain' })
    lab.master.publish({ fun: 'test.ping', tgt: 'role:db', tgt_type: 'grain', minions: ['db1'] })
    lab.master.publish({ fun: 'test.ping', expiresIn: -1 })
    lab.master.offer('20261121000000099999', 'no.jws.at-all')
    const fine = [
      lab.master.publish({ fun: 'test.ping', tgt: ['db1', 'web1'], tgt_type: 'list' }),
      lab.master.publish({ fun: 'test.ping', tgt: 'web\\d', tgt_type: 'pcre' }),
      lab.master.publish({ fun: 'test.ping', tgt: 'role:web', tgt_type: 'grain', minions: ['web1'] }),
    ]
    await until(() => lab.master.returns.length === 3)
    const refused = (): number => lab.fake.said.filter((line) => line.includes('is refused')).length
    await until(() => refused() >= 5)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(lab.master.returns.map(({ jid }) => jid).sort()).toEqual(fine.sort())
    expect(refused()).toBe(5)
  })

  it('does not run a job under another jid than the signed one', async () => {
    await (await lab.started()).joined
    const keys = generateKeyPairSync('ed25519')
    lab.master.offer('20261121000000000001', jws({ jid: '1' }, keys.privateKey))
    await until(() => lab.fake.said.some((line) => line.includes('is refused')))
    expect(lab.master.returns).toEqual([])
  })

  it('returns a job that was cut off as interrupted, and does not run it again', async () => {
    const minion = await lab.started()
    await minion.joined
    const file = join(lab.fake.root, 'data/journal')
    const jid = lab.master.publish({ fun: 'test.sleep', arg: [30] })
    await until(() => lab.fake.said.some((line) => line.includes('Starting a new job')))
    const cut = await readFile(file)
    lab.master.publish({ fun: 'saltutil.kill_job', arg: [jid] })
    await until(() => lab.master.returns.length === 2)
    await minion.stop()
    await writeFile(file, cut)
    lab.master.returns.length = 0
    await (await lab.again()).joined
    await until(() => lab.master.returns.length > 0)
    expect(lab.master.returns[0]).toMatchObject({
      jid,
      fun: 'test.sleep',
      fun_args: [30],
      interrupted: true,
      success: false,
      retcode: 1,
    })
  })

  it('returns what the command of a cut-off job came to, without running it again', async () => {
    lab.fake = await fakeSetup(lab.master.url)
    const file = join(lab.fake.root, 'ran')
    const script = `echo ran >> ${file}; sleep 0.3; echo out; exit 4`
    const journal = await Journal.open(join(lab.fake.root, 'data/journal'), lab.fake.outside)
    await journal.startJob('20261121000000000077', 2e9, { fun: 'cmd.run', arg: [script], jid: '20261121000000000077' })
    await journal.startJob('20261121000000000078', 2e9, { fun: 'cmd.run', arg: ['never started'] })
    await journal.startJob('20261121000000000079', 2e9, { fun: 'event.send', arg: ['t'] })
    await journal.close()
    const signal = new AbortController().signal
    const running = new ProcessRecords(join(lab.fake.root, 'data/jobs'))
      .recorder('20261121000000000077')
      .run({ argv: ['/bin/sh', '-c', script], cwd: '/', env: {}, mergeStderr: true, signal })
    // The agent died after its command was started.
    await until(() => existsSync(file))
    await (await lab.again()).joined
    await until(() => lab.master.returns.length === 3)
    await running
    const byJid = (jid: string) => lab.master.returns.find((ret) => ret.jid.endsWith(jid))
    expect(byJid('77')).toMatchObject({ fun: 'cmd.run', fun_args: [script], return: 'out', retcode: 4, success: false })
    expect(byJid('77')).not.toHaveProperty('interrupted')
    expect(byJid('78')).toMatchObject({ interrupted: true, success: false, fun_args: ['never started'] })
    expect(byJid('79')).toMatchObject({ interrupted: true, fun: 'event.send' })
    expect(await readFile(file, 'utf8')).toBe('ran\n')
    // The records go right after the returns were kept.
    await expect.poll(() => readdir(join(lab.fake.root, 'data/jobs'))).toEqual([])
  })

  it('returns a job that another journal fetched as interrupted', async () => {
    await (await lab.started()).joined
    const jid = lab.master.publish({ fun: 'test.ping', fetched: true })
    await until(() => lab.master.returns.length === 1)
    expect(lab.master.returns[0]).toMatchObject({ jid, interrupted: true, success: false })
  })

  it('finds and kills a running job, with the programs it started', async () => {
    await (await lab.started()).joined
    const jid = lab.master.publish({ fun: 'cmd.run', arg: ['sleep 60 & sleep 60'] })
    await until(() => lab.fake.said.some((line) => line.includes('Starting a new job')))
    lab.master.publish({ fun: 'saltutil.find_job', arg: [jid] })
    await until(() => lab.master.returns.length === 1)
    expect(lab.master.returns[0]?.return).toMatchObject({
      jid,
      fun: 'cmd.run',
      tgt: '*',
      tgt_type: 'glob',
      user: 'root',
      ret: '',
      pid: process.pid,
    })
    lab.master.publish({ fun: 'saltutil.kill_job', arg: [jid] })
    await until(() => lab.master.returns.length === 3)
    expect(lab.master.returns.find((ret) => ret.jid === jid)).toMatchObject({
      success: false,
      return: `Job ${jid} was ended by SIGKILL.`,
    })
    expect(lab.master.returns.find(({ fun }) => fun === 'saltutil.kill_job')?.return).toBe(
      `Signal 9 sent to job ${jid} at pid ${process.pid}`,
    )
  })
})
