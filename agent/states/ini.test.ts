// Files of options and sections, against what Salt 3007.15 returned and left there, and where Brine does what Salt fails at.
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayTreeCases } from '../../test/system/tree-replay.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'

await replayTreeCases(new URL('ini-cases.jsonl', import.meta.url))

describe('what is not as in Salt', () => {
  let minion: FakeMinion
  let root: string
  let name: string
  beforeAll(async () => {
    minion = await fakeMinion()
    root = await mkdtemp(join(tmpdir(), 'brine-ini-'))
    name = join(root, 'f.ini')
  })
  afterAll(async () => {
    await minion.close()
    await rm(root, { recursive: true, force: true })
  })

  it('makes sections, where Salt always fails', async () => {
    await writeFile(name, '[one]\na = 1\n')
    const kwarg = { name, sections: ['one', 'two'] }
    expect(await minion.state('ini.sections_present', kwarg)).toEqual({
      name,
      result: true,
      changes: { two: { before: null, after: {} } },
      comment: 'Changes take effect',
    })
    expect(await readFile(name, 'utf8')).toBe('[one]\na = 1\n\n[two]\n')
    expect(await minion.state('ini.sections_present', kwarg)).toMatchObject({
      result: true,
      changes: {},
      comment: 'No anomaly detected',
    })
  })

  it.each([[null], ['text']])('removes an option outside the sections by its name alone: %j', async (value) => {
    await writeFile(name, 'x = 1\nt = 2\n[s]\nx = 3\n')
    expect(await minion.state('ini.options_absent', { name, sections: { x: value } })).toEqual({
      name,
      result: true,
      changes: { x: '1' },
      comment: 'Changes take effect',
    })
    expect(await readFile(name, 'utf8')).toBe('t = 2\n\n[s]\nx = 3\n')
  })

  it('does not write what is so already, and keeps the mode of what it writes', async () => {
    await writeFile(name, '[one]\na = 1\n')
    await chmod(name, 0o600)
    const { ino } = await stat(name)
    await minion.state('ini.options_present', { name, sections: { one: { a: 1 } } })
    expect((await stat(name)).ino).toBe(ino)
    await minion.state('ini.options_present', { name, sections: { one: { a: 2 } } })
    expect((await stat(name)).mode & 0o7777).toBe(0o600)
    expect(await readFile(name, 'utf8')).toBe('[one]\na = 2\n')
  })

  it.each([
    [{ sections: { one: 'x' } }, /one is a section of the file: give its options as a map, not x/],
    [{ encoding: 'klingon' }, /klingon is not known here: use utf8/],
    [{ sections: { a: 'ö' }, encoding: 'ascii' }, /cannot be in ascii/],
  ])('refuses %j and leaves the file alone', async (kwarg, words) => {
    await writeFile(name, '[one]\na=1\n')
    expect(await minion.outcome('ini.set_option', [name], kwarg)).toMatchObject({
      by: 'command',
      words: expect.stringMatching(words),
    })
    expect(await readFile(name, 'utf8')).toBe('[one]\na=1\n')
  })

  it('refuses a file that is not in its encoding, rather than lose what is in it', async () => {
    const bytes = Buffer.from('a = \xe9\n', 'latin1')
    await writeFile(name, bytes)
    const outcome = await minion.outcome('ini.set_option', [name], { sections: { b: 1 } })
    expect(outcome).toMatchObject({ words: expect.stringMatching(/no text in utf-8/) })
    expect(await readFile(name)).toEqual(bytes)
  })
})
