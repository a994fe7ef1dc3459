// Python packages against what Salt 3007.15 returned beside the same program, in a real virtual environment, and what Salt tells wrongly.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayTreeCases } from '../../../test/system/tree-replay.ts'
import { type FakeMinion, fakeMinion } from '../../fake-minion.ts'
import { ScratchTree } from '../../filesystem/scratch-tree.ts'

await replayTreeCases(new URL('pip-cases.jsonl', import.meta.url))

describe('what is not as in Salt', () => {
  let minion: FakeMinion
  let tree: ScratchTree
  const program = (text: string) => ({ text: `#!/bin/sh\nhere=$(dirname "$0")\n${text}`, mode: '755' })
  const version = '[ "$1" = --version ] && { echo pip 24.0 from x; exit 0; }\n'
  const list = '[ "$1" = list ] && cat $here/list && exit 0\necho "$*" >> $here/asked\n'
  beforeAll(async () => {
    tree = await ScratchTree.make()
    minion = await fakeMinion()
  })
  afterAll(async () => {
    await minion.close()
    await tree.remove()
  })
  const pip = () => join(tree.root, 'pip')

  it('finds a package under whichever spelling it is installed and asked for', async () => {
    await tree.fill({ pip: program(version + list), list: '[{"name": "Typing_Extensions", "version": "4.1"}]' })
    for (const name of ['typing_extensions', 'Typing-Extensions>=4', 'typing.extensions'])
      expect(await minion.state('pip.installed', { name, bin_env: pip() })).toMatchObject({ result: true, changes: {} })
    expect(await minion.run('pip.is_installed', ['typing-extensions'], { bin_env: pip() })).toBe(true)
    expect(await tree.told()).not.toHaveProperty('asked')
  })

  it('says so where a package could not be removed, which Salt calls removed', async () => {
    await tree.fill({ pip: program(`${version + list}exit 2`), list: '[{"name": "six", "version": "1"}]' })
    expect(await minion.state('pip.removed', { name: 'six', bin_env: pip() })).toEqual({
      name: 'six',
      result: false,
      changes: {},
      comment: 'Could not remove package.',
    })
  })

  it('keeps the conditions of a requirement, and takes a map of a name and its versions', async () => {
    await tree.fill({ pip: program(version + list), list: '[]' })
    const pkgs = ['a; python_version < "9"', { b: '>=1, <2' }]
    await minion.state('pip.installed', { name: 'x', pkgs, bin_env: pip() })
    expect((await tree.told()).asked).toEqual([
      '644',
      'install --disable-pip-version-check a; python_version < "9" b >=1, <2\n',
    ])
  })

  it('finds a program by its name alone', async () => {
    await tree.fill({ 'own-pip': program(version) })
    const path = process.env.PATH
    process.env.PATH = `${tree.root}:${path}`
    try {
      expect(await minion.run('pip.version', ['own-pip'])).toBe('24.0')
    } finally {
      process.env.PATH = path
    }
  })

  it('says what is missing where there is no Python', async () => {
    const path = process.env.PATH
    process.env.PATH = '/nowhere'
    try {
      const outcome = await minion.outcome('pip.list')
      expect(outcome).toMatchObject({ by: 'command-not-found', words: 'Could not find a `pip` binary' })
    } finally {
      process.env.PATH = path
    }
  })

  const isRoot = process.getuid?.() === 0
  it.runIf(isRoot)('lets another user read copies of the files of requirements', async () => {
    const asked = 'for a; do case "$a" in */r.txt) cat "$a" "$(dirname "$a")/sub/more.txt";; esac; done\nid -u\n'
    await tree.fill({
      pip: program(version + asked),
      'reqs/r.txt': { text: 'six\n-r sub/more.txt\n', mode: '600' },
      'reqs/sub/more.txt': { text: 'zeta\n', mode: '600' },
    })
    execFileSync('chmod', ['755', tree.root])
    const told = await minion.run('pip.install', [], {
      requirements: join(tree.root, 'reqs/r.txt'),
      bin_env: pip(),
      user: 'nobody',
      cwd: tree.root,
    })
    expect(told).toMatchObject({
      retcode: 0,
      stdout: expect.stringMatching(/^six\n-r sub\/more.txt\nzeta\n(?!0$)\d+$/),
    })
  })
})

const hasPython = canMakeEnvironments()
if (!hasPython) process.stderr.write('the test of a real pip is left out: it needs python3 with venv and pip\n')

describe.runIf(hasPython)('a real pip', () => {
  const name = 'brine-sample'
  let minion: FakeMinion
  let root: string
  beforeAll(async () => {
    minion = await fakeMinion()
    root = await mkdtemp(join(tmpdir(), 'brine-pip-test-'))
    // With the machine's own pip: a copy of it would take much longer.
    const venv = ['-m', 'venv', '--system-site-packages', '--without-pip', join(root, 'venv')]
    execFileSync('python3', venv, { stdio: 'ignore' })
    for (const version of ['1.0', '1.1']) execFileSync('python3', ['-c', wheel, root, version])
  }, 300_000)
  afterAll(async () => {
    await minion.close()
    await rm(root, { recursive: true, force: true })
  })

  it('installs, upgrades, lists and removes', async () => {
    const place = { bin_env: join(root, 'venv') }
    const local = { ...place, no_index: true, find_links: root }
    const state = (fun: string, kwarg: Parameters<FakeMinion['state']>[1]) =>
      minion.state(`pip.${fun}`, { name, ...kwarg })
    expect(await minion.run('pip.version', [], place)).toMatch(/^\d+\./)
    expect(await state('installed', { ...local, name: `${name}<1.1` })).toEqual({
      name: `${name}<1.1`,
      result: true,
      changes: { 'brine-sample==1.0': 'Installed' },
      comment: 'All packages were successfully installed',
    })
    expect(await state('installed', { ...local, name: `${name}>=1.1` })).toMatchObject({
      changes: { 'brine-sample==1.1': 'Installed' },
    })
    expect(await minion.run('pip.list', ['brine_'], place)).toEqual({ brine_sample: '1.1' })
    expect(await minion.run('pip.freeze', [], place)).toContain('brine_sample==1.1')
    expect(await state('installed', { ...local, name: `${name}==9` })).toMatchObject({ result: false, changes: {} })
    expect(await state('removed', place)).toMatchObject({ result: true, changes: { [name]: 'Removed' } })
    expect(await minion.run('pip.is_installed', [name], place)).toBe(false)
  }, 300_000)
})

/** A wheel of nothing. */
const wheel = `
import sys, zipfile
root, version = sys.argv[1:]
info = f'brine_sample-{version}.dist-info'
with zipfile.ZipFile(f'{root}/brine_sample-{version}-py3-none-any.whl', 'w') as file:
    file.writestr('brine_sample.py', '')
    file.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: brine_sample\\nVersion: {version}\\n')
    file.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    file.writestr(f'{info}/RECORD', '')
`

function canMakeEnvironments(): boolean {
  try {
    execFileSync('python3', ['-c', 'import venv, pip'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
