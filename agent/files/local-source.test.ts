// A minion's own file roots: what is ignored is not there.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openCall } from '../call.ts'
import { type FakeSetup, fakeSetup } from '../fake-setup.ts'

let fake: FakeSetup
afterEach(() => fake.remove())

it('leaves out what file_ignore_glob and file_ignore_regex name', async () => {
  fake = await fakeSetup(
    'http://127.0.0.1:9',
    'file_client: local\nfile_ignore_glob: "*.pyc"\nfile_ignore_regex: ["^secret/"]',
  )
  const root = join(fake.root, 'salt')
  await mkdir(join(root, 'secret'), { recursive: true })
  for (const name of ['a.sls', 'a.pyc', 'secret/key']) await writeFile(join(root, name), name)
  const setup = { ...fake.setup, written: { file_roots: { base: [root] } } }
  const agent = await openCall(setup, { local: true }, fake.outside)
  try {
    expect(await agent.cmd('cp.list_master', [])).toEqual(['a.sls'])
    expect(await agent.cmd('cp.get_file_str', ['salt://a.sls'])).toBe('a.sls')
    expect(await agent.cmd('cp.get_file_str', ['salt://secret/key'])).toBe(false)
    expect(await agent.cmd('cp.hash_file', ['salt://a.pyc'])).toBe('')
  } finally {
    await agent.close()
  }
})
