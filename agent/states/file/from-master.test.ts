// `file.managed` and `file.recurse` of a master's files: modes that are kept, copies that are not, and what is refused.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isMapping, type Mapping } from '../../../core/value/index.ts'
import { type CallAgent, openCall } from '../../call.ts'
import { FakeMaster } from '../../fake-master.ts'
import { type FakeSetup, fakeSetup } from '../../fake-setup.ts'

let master: FakeMaster
let fake: FakeSetup
let agent: CallAgent
let place: string

beforeEach(async () => {
  master = await FakeMaster.start()
  master.files = { base: { 'bin/run.sh': '#!/bin/sh\n', 'bin/notes': 'text\n', 'plain.conf': 'a\n' } }
  master.modes = { 'bin/run.sh': '0750', 'bin/notes': '0604' }
  fake = await fakeSetup(master.url)
  agent = await openCall(fake.setup, {}, fake.outside)
  place = join(fake.root, 'placed')
})
afterEach(async () => {
  await agent.close()
  await master.stop()
  await fake.remove()
})

async function state(fun: string, kwargs: Mapping): Promise<Mapping> {
  const told = await agent.cmd('state.single', [fun], { name: place, ...kwargs })
  const [result] = isMapping(told) ? Object.values(told) : []
  if (result === undefined || !isMapping(result)) throw new Error(JSON.stringify(told))
  return result
}

const modeAt = (path: string): string => (statSync(path).mode & 0o7777).toString(8).padStart(4, '0')

it('takes the mode that the master tells', async () => {
  expect(await state('file.managed', { source: 'salt://bin/run.sh', mode: 'keep' })).toMatchObject({ result: true })
  expect(modeAt(place)).toBe('0750')
  master.modes = { 'bin/run.sh': '0700' }
  expect(await state('file.managed', { source: 'salt://bin/run.sh', mode: 'keep', test: true })).toMatchObject({
    result: null,
    changes: { mode: '0700' },
  })
  expect(await state('file.managed', { source: 'salt://bin/run.sh', mode: 'keep' })).toMatchObject({
    result: true,
    changes: { mode: '0700' },
  })
})

it('takes the mode of a file of the minion’s own roots', async () => {
  const root = join(fake.root, 'roots')
  mkdirSync(root)
  writeFileSync(join(root, 'run.sh'), '#!/bin/sh\n')
  chmodSync(join(root, 'run.sh'), 0o711)
  const local = await fakeSetup('', `file_client: local\nfile_roots: {base: [${join(root, 'none')}, ${root}]}`)
  const alone = await openCall(local.setup, {}, local.outside)
  await alone.cmd('state.single', ['file.managed'], { name: place, source: 'salt://run.sh', mode: 'keep' })
  expect(modeAt(place)).toBe('0711')
  await alone.close()
  await local.remove()
})

it('leaves the mode to the umask where the master tells none', async () => {
  expect(await state('file.managed', { source: 'salt://plain.conf', mode: 'keep' })).toMatchObject({ result: true })
  expect(modeAt(place)).toBe((0o666 & ~process.umask()).toString(8).padStart(4, '0'))
})

it('takes the mode of each file of a directory', async () => {
  expect(await state('file.recurse', { source: 'salt://bin', file_mode: 'keep' })).toMatchObject({ result: true })
  expect([modeAt(join(place, 'run.sh')), modeAt(join(place, 'notes'))]).toEqual(['0750', '0604'])
})

it('asks for the mode of each file, not for the list of all', async () => {
  master.files = {
    base: { ...master.files.base, ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`bin/${at}`, 'x'])) },
  }
  const lists = async (kwargs: Mapping): Promise<number> => {
    master.fileRequests.length = 0
    expect(await state('file.recurse', { source: 'salt://bin', test: true, ...kwargs })).toMatchObject({ result: null })
    return master.fileRequests.filter((what) => what === 'list').length
  }
  expect(await lists({ file_mode: 'keep' })).toBe(await lists({}))
  master.fileRequests.length = 0
  const source = ['salt://nowhere', 'salt://bin/run.sh']
  expect(await state('file.managed', { source: 'salt://bin/run.sh', mode: 'keep' })).toMatchObject({ result: true })
  expect(master.fileRequests).not.toContain('list')
  expect(await state('file.managed', { source, mode: 'keep' })).toMatchObject({ result: true })
  expect(master.fileRequests.filter((what) => what === 'list')).toHaveLength(1)
})

it('leaves no copy in the cache where none is to be kept', async () => {
  const copy = join(String(await agent.cmd('cp.cache_file', ['salt://plain.conf'], {})))
  expect(existsSync(copy)).toBe(true)
  await state('file.managed', { source: 'salt://plain.conf' })
  expect(existsSync(copy)).toBe(true)
  expect(await state('file.managed', { source: 'salt://plain.conf', keep_source: false })).toMatchObject({
    result: true,
  })
  expect(existsSync(copy)).toBe(false)
  expect(readFileSync(place, 'utf8')).toBe('a\n')
})

it.each([
  ['file.recurse', { source: 'salt://bin', include_empty: true }, 'include_empty is not available'],
  ['file.recurse', { source: 'salt://bin', keep_symlinks: true }, 'keep_symlinks is not available'],
  ['file.managed', { contents: 'ä', encoding: 'latin-1' }, 'The encoding latin-1 is not available'],
])('%s refuses %j', async (fun, kwargs, words) => {
  expect(await state(fun, kwargs)).toMatchObject({
    result: false,
    changes: {},
    comment: expect.stringContaining(words),
  })
  expect(existsSync(place)).toBe(false)
})
