// Returns of megabytes: they come whole, are looked up whole, and go with their job; what is past the limit says so.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isMapping, parseJson } from '../../core/value/index.ts'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'

const megabyte = 1_000_000
/** Seconds that jobs are kept in the end; the master looks once a minute, and at its start. */
const kept = 60

let lab: Lab
beforeAll(async () => {
  lab = await createLab({ master: 'auto_accept: True\n' })
  await lab.startMaster()
  lab.startMinion('web1')
  await lab.waitForEvent({ tag: 'salt/minion/web1/start' })
}, 60_000)
afterAll(() => lab.close())

/** The bytes a shell command prints as a job, and what `text` is then. */
async function printed(megabytes: number): Promise<{ jid: string; value: unknown }> {
  const from = lab.mark()
  const command = `yes brine | head -c ${megabytes * megabyte}`
  const { stdout, exit } = await lab.run('brine', ['web1', 'cmd.run', command, '-t', '60', '--async', '--out', 'json'])
  expect([exit, stdout]).toEqual([0, expect.stringMatching(/\d{20}/)])
  const jid = /\d{20}/.exec(stdout)?.[0] ?? ''
  const { data } = await lab.waitForEvent({ tag: `salt/job/${jid}/ret/web1`, from })
  return { jid, value: isMapping(data) ? data.return : undefined }
}

/** What `jobs.lookup_jid` says that the minion returned. */
async function lookedUp(jid: string): Promise<unknown> {
  const { stdout } = await lab.run('brine-run', ['jobs.lookup_jid', jid, '--out', 'json'])
  const told = parseJson(stdout)
  return isMapping(told) ? told.web1 : undefined
}

/** Salt's cmd.run takes the last line break away. */
const lines = (megabytes: number): string =>
  'brine\n'
    .repeat(Math.ceil((megabytes * megabyte) / 6))
    .slice(0, megabytes * megabyte)
    .trimEnd()

test.each([5, 20])(
  'a return of %d MB is on the bus whole, and looked up whole, after a restart too',
  async (size) => {
    const { jid, value } = await printed(size)
    expect(value === lines(size)).toBe(true)
    expect((await lookedUp(jid)) === lines(size)).toBe(true)
    await lab.stopMaster('SIGKILL')
    await lab.startMaster()
    expect((await lookedUp(jid)) === lines(size)).toBe(true)
  },
  120_000,
)

test('a return past the limit is a failure that says so, and holds up nothing behind it', async () => {
  const { jid, value } = await printed(30)
  expect(value).toMatch(
    /^What the function returned \(3\d{7} bytes\) was dropped: the minion.s journal holds 25165824 bytes/,
  )
  expect(await lookedUp(jid)).toBe(value)
  expect((await lab.run('brine', ['web1', 'test.ping'])).stdout).toContain('True')
}, 120_000)

test('it goes with its job when that is over', async () => {
  const { jid } = await printed(5)
  expect(await lookedUp(jid)).toBeDefined()
  lab.write('etc/brine/master.d/keep.conf', `keep_jobs_seconds: ${kept}\n`)
  await lab.stopMaster()
  await lab.startMaster()
  await waitFor(
    'the job to be swept',
    async () => ((await lookedUp(jid)) === undefined ? true : undefined),
    5 * kept * 1000,
  )
  const { stdout } = await lab.run('brine-run', ['jobs.list_jobs', '--out', 'json'])
  expect(stdout).not.toContain(jid)
}, 600_000)
