// Options of the commands that speak to a master: `-a` and `-T` give them somebody's rights alone; logging, `--jid`, `-t`.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLab, type Lab } from '../system/lab.ts'
import type { Ended } from '../system/process.ts'

let lab: Lab
let url: string

beforeAll(async () => {
  lab = await createLab({
    master: `auto_accept: True
timeout: 2
sharedsecret: s3cret
external_auth:
  sharedsecret:
    admin: ['.*', '@runner']
    pinger: ['test.ping']
`,
  })
  await lab.startMaster()
  lab.startMinion('db1')
  await lab.waitForEvent({ tag: 'salt/minion/db1/start' })
  url = `http://127.0.0.1:${/port: (\d+)/.exec(readFileSync(join(lab.etc, 'master'), 'utf8'))?.[1]}`
}, 180_000)
afterAll(() => lab.close())

const run = (program: string, ...words: string[]): Promise<Ended> =>
  lab.run(program, words, { env: { HOME: lab.root } })
const as = (name: string, password = 's3cret'): string[] => [
  '-a',
  'sharedsecret',
  '--username',
  name,
  '--password',
  password,
]

describe('over the socket', () => {
  it('holds somebody to his rights', async () => {
    expect(await run('brine', ...as('pinger'), 'db1', 'test.ping')).toMatchObject({
      exit: 0,
      stdout: 'db1:\n    True\n',
    })
    expect(await run('brine', ...as('pinger'), 'db1', 'cmd.run', 'true')).toMatchObject({
      exit: 1,
      stdout: 'Authorization error occurred.\n',
    })
    expect(await run('brine-run', ...as('pinger'), 'test.arg')).toMatchObject({ exit: 1 })
    expect(await run('brine-run', ...as('admin'), 'test.arg', 'a', '--out=json')).toMatchObject({ exit: 0 })
    expect(await run('brine', 'db1', 'cmd.run', 'echo mine')).toMatchObject({ exit: 0, stdout: 'db1:\n    mine\n' })
  })

  it('asks for name and password, which may be piped in together', async () => {
    const asked = (stdin: string) =>
      lab.run('brine', ['-a', 'sharedsecret', 'db1', 'test.ping'], { env: { HOME: lab.root }, stdin })
    expect(await asked('pinger\ns3cret\n')).toMatchObject({ exit: 0, stdout: 'username: db1:\n    True\n' })
    expect(await asked('pinger\nwrong\n')).toMatchObject({ exit: 1 })
    expect(await asked('pinger\n')).toMatchObject({ exit: 1 })
  })

  it('lets nobody in with a wrong password', async () => {
    expect(await run('brine', ...as('admin', 'wrong'), 'db1', 'test.ping')).toMatchObject({
      exit: 1,
      stdout: 'Authentication error occurred.\n',
    })
  })

  it('names the systems there are', async () => {
    const { exit, stdout, stderr } = await run('brine', '-a', 'pam', 'db1', 'test.ping')
    expect([exit, stdout, stderr]).toEqual([
      2,
      'The specified external authentication system "pam" is not available\nAvailable eauth types: file, oidc, sharedsecret\n',
      '[ERROR   ] Authentication failed\n',
    ])
  })

  it('asks for what is left out', async () => {
    const asked = await lab.run('brine', ['-a', 'sharedsecret', '--username=pinger', 'db1', 'test.ping'], {
      stdin: 's3cret\n',
    })
    expect(asked).toMatchObject({ exit: 0, stdout: 'db1:\n    True\n', stderr: 'password: \n' })
  })
})

describe('by a URL', () => {
  it('needs a log-in, and -T keeps it for that master', async () => {
    const { exit, stderr } = await run('brine', '--master', url, 'db1', 'test.ping')
    expect([exit, stderr]).toEqual([2, expect.stringContaining('Log in with --auth; -T keeps the token.')])
    expect(await run('brine', '--master', url, ...as('pinger'), '-T', 'db1', 'test.ping')).toMatchObject({ exit: 0 })
    expect(statSync(join(lab.root, '.brine_token')).mode & 0o777).toBe(0o600)
    expect(await run('brine', '--master', url, 'db1', 'test.ping')).toMatchObject({
      exit: 0,
      stdout: 'db1:\n    True\n',
    })
    expect(await run('brine', '--master', url, 'db1', 'cmd.run', 'true')).toMatchObject({ exit: 2 })
  })
})

describe('brine-run', () => {
  it('gives a run the jid of --jid, once', async () => {
    const jid = '20260101000000000001'
    const { stderr } = await run('brine-run', '--jid', jid, '--async', 'event.send', 'lab/own', '{}')
    expect(stderr).toContain(`under tag salt/run/${jid}`)
    await lab.waitForEvent({ tag: `salt/run/${jid}/ret`, has: { success: true } })
    expect(await run('brine-run', '--jid', jid, 'test.arg')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('of another job'),
    })
  })

  it('says and keeps what -l, --log-file and --log-file-level ask for', async () => {
    const file = join(lab.root, 'said')
    const asynchronously = ['--async', 'test.arg']
    expect(await run('brine-run', ...asynchronously)).toMatchObject({ stderr: expect.stringMatching(/^\[WARNING \]/) })
    const quiet = await run('brine-run', '-l', 'quiet', '--log-file', file, ...asynchronously)
    expect(quiet).toMatchObject({ exit: 0, stderr: '' })
    expect(readFileSync(file, 'utf8')).toMatch(/^\S+ \S+ \[brine +\]\[WARNING \]\[\d+\] Running in asynchronous mode/)
    const before = readFileSync(file, 'utf8')
    await run('brine-run', '--log-file', file, '--log-file-level=error', ...asynchronously)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('ends state.event after the first event with count=0, as after one', async () => {
    const { exit, stdout } = await run('brine-run', 'state.event', 'count=0')
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^salt\/run\/\d+\/new\t\{.*\}\nNone\n$/)])
  })

  it('waits as long as -t says for minions', async () => {
    const from = lab.mark()
    await run('brine-run', '-t', '7', 'manage.up')
    const { data } = await lab.waitForEvent({ tag: 'salt/run/*/new', from, has: { fun: 'runner.manage.up' } })
    expect(JSON.stringify(data instanceof Map ? Object.fromEntries(data) : data)).toContain('"timeout":7')
  })
})
