// States of this minion that no recording of Salt's shows: what is refused with what to use instead, devices as root, package files.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'

let minion: FakeMinion
let root: string
const { PATH: path } = process.env
const isRoot = process.getuid?.() === 0

beforeAll(async () => {
  minion = await fakeMinion()
  root = await mkdtemp(join(tmpdir(), 'brine-added-'))
})
afterAll(async () => {
  process.env.PATH = path
  await minion.close()
  await rm(root, { recursive: true, force: true })
})

describe('what cannot be had', () => {
  it.each([
    ['cmd.call', { name: 'x', func: 'f' }, /use module\.run .* or cmd\.run/],
    ['cmd.wait_call', { name: 'x', func: 'f' }, /use module\.run .* or cmd\.run/],
    ['saltutil.sync_outputters', { name: 'x' }, /saltutil\.sync_all/],
  ] as const)('%s says what to use instead', async (fun, kwarg, words) => {
    const done = await minion.state(fun, { ...kwarg })
    expect(done).toMatchObject({ result: false, changes: {} })
    expect(done.comment).toMatch(words)
  })
})

describe('status.process', () => {
  it('finds a process by its command line and tells its ids', async () => {
    // One of its own: which others run, and whether any does, is the machine's business.
    const name = `brine-${process.pid}-waits`
    const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', name], { stdio: 'ignore' })
    await once(other, 'spawn')
    try {
      const done = await minion.state('status.process', { name })
      expect(done).toMatchObject({ result: true, changes: {}, comment: `Process signature "${name}" was found ` })
      expect(done.data).toMatch(/^\d+/)
      expect(String(done.data).split('\n')).toContain(String(other.pid))
    } finally {
      other.kill()
    }
  })
})

describe('file.mknod', () => {
  it('makes a named pipe with its mode, and finds it there the second time', async () => {
    const name = join(root, 'new/fifo')
    const kwarg = { name, ntype: 'p', mode: '0660' }
    expect(await minion.state('file.mknod', { ...kwarg, test: true })).toEqual({
      name,
      result: null,
      changes: {},
      comment: `Fifo pipe ${name} is set to be created`,
    })
    expect(await minion.state('file.mknod', kwarg)).toEqual({
      name,
      result: true,
      changes: { new: `Fifo pipe ${name} created.` },
      comment: '',
    })
    expect(await minion.run('file.stats', [name])).toMatchObject({ type: 'pipe', mode: '0660' })
    expect(await minion.state('file.mknod', kwarg)).toMatchObject({
      result: true,
      changes: {},
      comment: `Fifo pipe ${name} is in the correct state`,
    })
    expect(await minion.state('file.mknod', { ...kwarg, mode: '0600' })).toMatchObject({
      result: true,
      changes: { mode: '0600' },
    })
  })

  const canMake = isRoot && mayMakeDevices()
  it.runIf(canMake)('makes a device, and leaves one with other numbers alone', async () => {
    const name = join(root, 'null')
    const kwarg = { name, ntype: 'c', major: 1, minor: 300 }
    expect(await minion.state('file.mknod', kwarg)).toMatchObject({
      result: true,
      changes: { new: `Character device ${name} created.` },
    })
    expect(await minion.run('file.get_devmm', [name])).toEqual([1, 300])
    expect(await minion.state('file.mknod', { ...kwarg, minor: 5 })).toMatchObject({
      result: false,
      comment: `Character device ${name} exists and has a different major/minor 1/300. Refusing to continue`,
    })
  })
})

describe('pkg.downloaded', () => {
  it('fetches what is not there, and tells what would not come', async () => {
    const bin = join(root, 'bin')
    await mkdir(bin)
    await writeFile(join(bin, 'apt-get'), `#!/bin/sh\necho "$*" >> ${root}/asked\n`, { mode: 0o755 })
    process.env.PATH = `${bin}:${path}`
    await minion.agent.view.grains.set({ os_family: 'Debian' }, false)
    const kwarg = { name: 'no-such-package-here' }
    expect(await minion.state('pkg.downloaded', { ...kwarg, test: true })).toEqual({
      name: kwarg.name,
      result: null,
      changes: {},
      comment: 'The following packages would be downloaded: no-such-package-here',
    })
    expect(await minion.state('pkg.downloaded', kwarg)).toMatchObject({
      result: false,
      comment: 'The following packages failed to download: no-such-package-here',
    })
    expect(await readFile(join(root, 'asked'), 'utf8')).toMatch(/--download-only.* install no-such-package-here/)
  })

  it('knows a package file by its name and version', async () => {
    const cache = join(root, 'var/cache/apt/archives')
    await mkdir(cache, { recursive: true })
    await writeFile(join(cache, 'a.deb'), 'x')
    await writeFile(
      join(root, 'bin/dpkg'),
      '#!/bin/sh\nprintf " Package: hello\\n Version: 2.10-3\\n Architecture: all\\n"\n',
      { mode: 0o755 },
    )
    expect(await minion.run('pkg.list_downloaded', [root])).toEqual({
      hello: {
        '2.10-3': {
          path: join(cache, 'a.deb'),
          size: 1,
          creation_date_time_t: expect.any(Number),
          creation_date_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
        },
      },
    })
  })
})

/** Containers without CAP_MKNOD make no devices. */
function mayMakeDevices(): boolean {
  const directory = execFileSync('mktemp', ['-d']).toString().trim()
  try {
    execFileSync('mknod', [join(directory, 'x'), 'c', '1', '3'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    execFileSync('rm', ['-r', directory])
  }
}
