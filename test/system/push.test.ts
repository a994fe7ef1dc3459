// cp.push and cp.push_dir against a master that takes files, and one that does not.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLab, type Lab } from './lab.ts'

let lab: Lab
beforeAll(async () => {
  lab = await createLab({ master: 'auto_accept: True\nfile_recv: True\nfile_recv_max_size: 9\n' })
  await lab.startMaster()
  lab.startMinion('web1')
  await lab.waitForEvent({ tag: 'salt/minion/web1/start' })
  mkdirSync(join(lab.root, 'data/below'), { recursive: true })
  writeFileSync(join(lab.root, 'data/a.conf'), 'a')
  writeFileSync(join(lab.root, 'data/b.txt'), 'b')
  writeFileSync(join(lab.root, 'data/below/c.conf'), 'c')
  symlinkSync(join(lab.root, 'data/a.conf'), join(lab.root, 'data/link.conf'))
  writeFileSync(join(lab.root, 'large'), Buffer.alloc(9_000_000, 'x'))
  writeFileSync(join(lab.root, 'larger'), Buffer.alloc(10_000_000, 'x'))
}, 60_000)
afterAll(() => lab.close())

async function call(fun: string, ...args: string[]): Promise<unknown> {
  const { stdout } = await lab.run('brine', ['--out=json', '--static', '-t', '30', 'web1', fun, ...args])
  return (JSON.parse(stdout) as Record<string, unknown>).web1
}

const received = (path: string): string => join(lab.root, 'run/master/cachedir/minions/web1/files', path)
const text = (path: string): string => readFileSync(received(path), 'utf8')

test('a file is kept under its own path, or another', async () => {
  const path = join(lab.root, 'data/a.conf')
  expect(await call('cp.push', path)).toBe(true)
  expect(text(path)).toBe('a')
  expect(await call('cp.push', path, 'upload_path=/other/place')).toBe(true)
  expect(text('other/place')).toBe('a')
  expect(await call('cp.push', join(lab.root, 'data/link.conf'), 'keep_symlinks=True')).toBe(true)
  expect(text(join(lab.root, 'data/link.conf'))).toBe('a')
  expect(await call('cp.push', join(lab.root, 'data/b.txt'), 'remove_source=True')).toBe(true)
  expect(readdirSync(join(lab.root, 'data'))).not.toContain('b.txt')
})

test('a large file comes in pieces; one that is too large is not taken', async () => {
  expect(await call('cp.push', join(lab.root, 'large'))).toBe(true)
  expect(readFileSync(received(join(lab.root, 'large'))).byteLength).toBe(9_000_000)
  expect(await call('cp.push', join(lab.root, 'larger'))).toBe(false)
  expect(lab.minion('web1')?.stderr()).toContain('file_recv_max_size')
})

test('a folder is sent with what is below it', async () => {
  expect(await call('cp.push_dir', join(lab.root, 'data'), 'glob=*.conf', 'upload_path=/confs')).toBe(true)
  expect(readdirSync(received('confs'), { recursive: true }).sort()).toEqual([
    'a.conf',
    'below',
    'below/c.conf',
    'link.conf',
  ])
})

test.each([['relative'], ['/etc/../etc/hostname'], ['/nothing/there'], ['/etc']])('%s is not sent', async (path) => {
  expect(await call('cp.push', path)).toBe(false)
})

test('a master without file_recv takes none', async () => {
  const other = await createLab({ master: 'auto_accept: True\n' })
  try {
    await other.startMaster()
    other.startMinion('web1')
    await other.waitForEvent({ tag: 'salt/minion/web1/start' })
    const { stdout } = await other.run('brine', ['--out=json', '--static', 'web1', 'cp.push', '/etc/hostname'])
    expect(JSON.parse(stdout)).toEqual({ web1: false })
    expect(other.minion('web1')?.stderr()).toContain('file_recv is not True')
  } finally {
    await other.close()
  }
})
