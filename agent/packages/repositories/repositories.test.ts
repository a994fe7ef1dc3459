// Repositories of apt and dnf against what Salt 3007.15 returned and left in the files.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Mapping } from '../../../core/value/index.ts'
import { replayTreeCases } from '../../../test/system/tree-replay.ts'
import { type FakeMinion, fakeMinion } from '../../fake-minion.ts'
import { ScratchTree } from '../../filesystem/scratch-tree.ts'
import { withoutArmor } from './apt-keys.ts'

const only = ['sh', 'basename', 'dirname', 'sed', 'cat', 'grep', 'base64']

await replayTreeCases(new URL('apt-cases.jsonl', import.meta.url), {
  config: 'pkg.apt_directory: $ROOT/apt\ngrains: {os_family: Debian, os: Debian, oscodename: trixie, osarch: amd64}',
  only,
})
await replayTreeCases(new URL('dnf-cases.jsonl', import.meta.url), {
  config: 'pkg.repos_directory: $ROOT/yum.repos.d\ngrains: {os_family: RedHat, os: CentOS Stream, osarch: x86_64}',
  only,
})

const sources = `# Written by hand.
Types: deb deb-src
URIs: http://deb.example.org/debian
Suites: trixie trixie-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian.gpg
Trusted: yes

Enabled: no
Types: deb
URIs: https://k.example.org/apt
Suites: ./
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc
 -----END PGP PUBLIC KEY BLOCK-----
`

// Salt without python3-apt does not see these files: what is expected here is Brine's own.
describe.sequential('.sources files', () => {
  let minion: FakeMinion
  let tree: ScratchTree
  const path = process.env.PATH
  const file = (name: string): string => `${tree.root}/apt/sources.list.d/${name}`
  const text = (name: string): Promise<string> => readFile(file(name), 'utf8')
  const quiet = { refresh: false }

  beforeAll(async () => {
    tree = await ScratchTree.make()
    const grains = '{os_family: Debian, os: Debian, oscodename: trixie, osarch: amd64}'
    minion = await fakeMinion(`pkg.apt_directory: ${tree.root}/apt\ngrains: ${grains}`)
    process.env.PATH = `${tree.root}/bin`
  })
  beforeEach(() =>
    tree.fill({
      'bin/apt-get': { text: '#!/bin/sh\n', mode: '755' },
      'apt/sources.list.d/d.sources': sources,
      'apt/keyrings/d.gpg': 'key',
    }),
  )
  afterAll(async () => {
    process.env.PATH = path
    await minion.close()
    await tree.remove()
  })

  it('are listed, each kind, place and release by itself', async () => {
    const repos = (await minion.run('pkg.list_repos')) as Record<string, Mapping[]>
    expect(repos['http://deb.example.org/debian']).toHaveLength(4)
    expect(repos['http://deb.example.org/debian']?.[1]).toEqual({
      file: file('d.sources'),
      comps: ['main', 'contrib'],
      disabled: false,
      dist: 'trixie-updates',
      type: 'deb',
      uri: 'http://deb.example.org/debian',
      line: 'deb [trusted=yes signed-by=/usr/share/keyrings/debian.gpg] http://deb.example.org/debian trixie-updates main contrib',
      architectures: [],
      signedby: '/usr/share/keyrings/debian.gpg',
    })
    expect(repos['https://k.example.org/apt']).toMatchObject([
      {
        disabled: true,
        comps: [],
        signedby: expect.stringContaining('BEGIN PGP'),
        line: '# deb https://k.example.org/apt ./',
      },
    ])
  })

  const line =
    'deb [trusted=yes signed-by=/usr/share/keyrings/debian.gpg] http://deb.example.org/debian trixie main contrib'

  it('are as they are said to be', async () => {
    expect(await minion.state('pkgrepo.managed', { name: line })).toMatchObject({ result: true, changes: {} })
    expect(await text('d.sources')).toBe(sources)
  })

  it('are changed in their paragraph, and the others stay', async () => {
    const wider = { name: `${line} non-free`, ...quiet }
    expect(await minion.state('pkgrepo.managed', { ...wider, test: true })).toMatchObject({ result: null })
    expect(await text('d.sources')).toBe(sources)
    expect(await minion.state('pkgrepo.managed', wider)).toMatchObject({
      result: true,
      changes: { comps: { old: ['main', 'contrib'], new: ['main', 'contrib', 'non-free'] } },
    })
    const now = await text('d.sources')
    expect(now).toContain('Suites: trixie\nComponents: main contrib non-free\n')
    expect(now).toContain('Types: deb-src\nURIs: http://deb.example.org/debian\nSuites: trixie trixie-updates\n')
    expect(now).toContain('Trusted: yes\n')
    expect(now.endsWith(sources.slice(sources.indexOf('\nEnabled')))).toBe(true)
    expect(await minion.state('pkgrepo.managed', wider)).toMatchObject({ result: true, changes: {} })
  })

  it('lose what is removed', async () => {
    for (const type of ['deb', 'deb-src'])
      for (const dist of ['trixie', 'trixie-updates'])
        await minion.run('pkg.del_repo', [`${type} http://deb.example.org/debian ${dist} main contrib`])
    expect((await text('d.sources')).trim()).toBe(sources.slice(sources.indexOf('Enabled')).trim())
    expect(await minion.run('pkg.del_repo', ['deb https://k.example.org/apt ./'])).toBe(
      `File ${file('d.sources')} containing repo 'deb https://k.example.org/apt ./' has been removed.`,
    )
    expect(existsSync(file('d.sources'))).toBe(false)
  })

  it('are written where the file is called so', async () => {
    const name = 'deb [arch=amd64 signed-by=/etc/apt/keyrings/n.asc] https://n.example.org/apt stable main'
    expect(await minion.state('pkgrepo.managed', { name, file: file('n.sources'), ...quiet })).toMatchObject({
      result: true,
    })
    expect(await text('n.sources')).toBe(
      'Types: deb\nURIs: https://n.example.org/apt\nSuites: stable\nComponents: main\nArchitectures: amd64\nSigned-By: /etc/apt/keyrings/n.asc\n',
    )
    expect(await minion.state('pkgrepo.managed', { name, file: file('n.sources') })).toMatchObject({ changes: {} })
    await minion.run('pkg.mod_repo', [name.replace('stable', 'testing')], {
      file: file('n.sources'),
      enabled: false,
      ...quiet,
    })
    expect(await text('n.sources')).toMatch(/n\.asc\n\nEnabled: no\nTypes: deb\nURIs: \S+\nSuites: testing\n/)
  })
})

describe('a file of dnf', () => {
  it('keeps its other sections and their comments', async () => {
    const tree = await ScratchTree.make()
    await tree.fill({ 'd/a.repo': '# head\n[one]\nname=One\n\n[two]\nname=Two\nexclude=a\n b\n# of two\n' })
    const minion = await fakeMinion(`pkg.repos_directory: ${tree.root}/d\ngrains: {os_family: RedHat}`)
    expect(await minion.run('pkg.del_repo', ['one'])).toBe(`Repo one has been removed from ${tree.root}/d/a.repo`)
    expect(await readFile(`${tree.root}/d/a.repo`, 'utf8')).toBe('# head\n[two]\nname=Two\nexclude=a\n b\n# of two\n\n')
    await minion.close()
    await tree.remove()
  })
})

describe('a key', () => {
  it('is taken out of its text', () => {
    const armored = (more: string): Buffer =>
      Buffer.from(
        `-----BEGIN PGP PUBLIC KEY BLOCK-----\n${more}\nYSBrZXkg\nb2YgdGVzdHM=\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n`,
      )
    expect(withoutArmor(armored('')).toString()).toBe('a key of tests')
    expect(withoutArmor(armored('Version: 2\nComment: none\n')).toString()).toBe('a key of tests')
    expect(withoutArmor(Buffer.from([0x99, 0xff])).equals(Buffer.from([0x99, 0xff]))).toBe(true)
  })
})
