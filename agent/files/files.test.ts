// Files from the master, from web servers and from here: copies that are current, whole, and below their roots.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Value } from '../../core/value/index.ts'
import { type CallAgent, openCall } from '../call.ts'
import { FakeMaster } from '../fake-master.ts'
import { type FakeSetup, fakeSetup } from '../fake-setup.ts'

let master: FakeMaster
let fake: FakeSetup
let agent: CallAgent
let web: Server | undefined

const base = { 'a.txt': 'first\n', 'web/init.sls': 'nginx: pkg.installed\n', 'web/conf/big': 'x'.repeat(5000) }

beforeEach(async () => {
  master = await FakeMaster.start()
  master.files = { base, dev: { 'a.txt': 'of dev\n' } }
  fake = await fakeSetup(master.url)
  agent = await openCall(fake.setup, {}, fake.outside)
})

afterEach(async () => {
  await agent.close()
  await master.stop()
  await fake.remove()
  web?.close()
  web = undefined
})

const cmd = (fun: string, ...args: Value[]) => agent.cmd(fun, args)
const text = (path: Value) => readFile(String(path), 'utf8')

describe('cp', () => {
  it('caches a file, and again only when it changed', async () => {
    const path = await cmd('cp.cache_file', 'salt://a.txt')
    expect(path).toBe(join(fake.root, 'cache/files/base/a.txt'))
    expect(await text(path)).toBe('first\n')
    master.files = { base: { ...base, 'a.txt': 'second\n' } }
    expect(await text(await cmd('cp.cache_file', 'salt://a.txt'))).toBe('second\n')
    await writeFile(String(path), 'spoilt')
    expect(await text(await cmd('cp.cache_file', 'salt://a.txt'))).toBe('second\n')
  })

  it('gets what is larger than one answer', async () => {
    expect(await cmd('cp.get_file_str', 'salt://web/conf/big')).toBe('x'.repeat(5000))
  })

  it.each([
    ['cp.get_file_str', ['salt://a.txt?saltenv=dev'], 'of dev\n'],
    ['cp.get_file_str', ['salt://a.txt', 'dev'], 'of dev\n'],
    ['cp.get_file_str', ['salt://nothing'], false],
    ['cp.cache_file', ['salt://nothing'], false],
    ['cp.cache_file', ['salt://../dev/a.txt'], false],
    ['cp.cache_file', ['salt://a.txt', '../../etc'], false],
    ['cp.get_file', ['salt://nothing', '/tmp/x'], ''],
    ['cp.is_cached', ['salt://a.txt'], ''],
    ['cp.envs', [], ['base', 'dev']],
    ['cp.list_master', [], ['a.txt', 'web/init.sls', 'web/conf/big']],
    ['cp.list_master', ['base', 'web/c'], ['web/conf/big']],
    ['cp.list_master_dirs', [], ['web', 'web/conf']],
    ['cp.list_states', [], ['web']],
    [
      'cp.hash_file',
      ['salt://a.txt'],
      { hash_type: 'sha256', hsum: createHash('sha256').update('first\n').digest('hex') },
    ],
    ['cp.hash_file', ['salt://nothing'], ''],
  ] as [string, Value[], Value][])('%s %j', async (fun, args, expected) => {
    expect(await cmd(fun, ...args)).toEqual(expected)
  })

  it('copies to a place, into a folder, and below folders it makes', async () => {
    const to = join(fake.root, 'out')
    expect(await cmd('cp.get_file', 'salt://a.txt', join(to, 'deep/x'))).toBe(false)
    const made = await agent.cmd('cp.get_file', ['salt://a.txt', join(to, 'deep/x')], { makedirs: true })
    expect(made).toBe(join(to, 'deep/x'))
    expect(await cmd('cp.get_file', 'salt://a.txt', join(to, 'deep'))).toBe(join(to, 'deep/a.txt'))
    expect(await cmd('cp.get_dir', 'salt://web', to)).toEqual([join(to, 'web/init.sls'), join(to, 'web/conf/big')])
    expect(await text(join(to, 'web/init.sls'))).toBe(base['web/init.sls'])
  })

  it('gets what a web server has, and says why it does not', async () => {
    web = createServer((request, response) => {
      if (request.headers.authorization === `Basic ${Buffer.from('me:secret').toString('base64')}`) response.end('hi')
      else response.writeHead(403).end()
    })
    await new Promise<void>((resolve) => web?.listen(0, '127.0.0.1', resolve))
    const address = web.address()
    const port = typeof address === 'object' ? address?.port : 0
    expect(await agent.cmd('cp.get_url', [`http://me:secret@127.0.0.1:${port}/a/b`], { dest: null })).toBe('hi')
    const path = await cmd('cp.cache_file', `http://me:secret@127.0.0.1:${port}/a/b`)
    expect(path).toBe(join(fake.root, `cache/extrn_files/base/127.0.0.1:${port}/a/b`))
    await expect(cmd('cp.get_url', `http://me:wrong@127.0.0.1:${port}/a`)).rejects.toMatchObject({
      code: 'command',
      message: `http://127.0.0.1:${port}/a cannot be got: HTTP 403: Forbidden`,
    })
  })

  it('needs no master for files of its own', async () => {
    const roots = join(fake.root, 'roots')
    await mkdir(join(roots, 'x'), { recursive: true })
    await writeFile(join(roots, 'x/y.sls'), 'a: test.nop\n')
    const local = await fakeSetup('', `file_client: local\nfile_roots: {base: [${roots}]}`)
    const alone = await openCall(local.setup, {}, local.outside)
    expect(await alone.cmd('cp.get_file_str', ['salt://x/y.sls'])).toBe('a: test.nop\n')
    expect(await alone.cmd('cp.list_states')).toEqual(['x.y'])
    expect(await alone.cmd('cp.get_file_str', ['salt://../roots/x/y.sls'])).toBe(false)
    await alone.close()
    await local.remove()
  })
})
