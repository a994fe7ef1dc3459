// Packages: versions as their package managers order them, conditions, and real packages by apt where there is one.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mapping } from '../../../core/value/index.ts'
import { machineAlone } from '../../../test/system/machine.ts'
import { type FakeMinion, fakeMinion } from '../../fake-minion.ts'

let minion: FakeMinion

beforeAll(async () => {
  minion = await fakeMinion()
})
afterAll(() => minion.close())

/** A small package that nothing needs, and that is not here. */
const small = 'hello'

function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return 'not root'
  if (!existsSync('/usr/bin/apt-get')) return 'no apt'
  if (existsSync('/usr/bin/hello')) return `${small} is installed already`
  try {
    const policy = execFileSync('apt-cache', ['policy', small], { encoding: 'utf8' })
    if (!/Candidate: \d/.test(policy)) return 'apt has no lists: run apt-get update'
    execFileSync('apt-get', ['-qq', '-y', '--download-only', 'install', small], { timeout: 60_000, stdio: 'ignore' })
  } catch {
    return 'no package can be fetched'
  }
  return undefined
}

// From the look at what is here to the end of what is done with it.
const leave = process.getuid?.() === 0 ? await machineAlone() : () => undefined
afterAll(leave)
const reason = whyNot()
if (reason !== undefined) process.stderr.write(`6 tests of real packages are left out: ${reason}\n`)

describe.runIf(reason === undefined).sequential('a real package', { timeout: 180_000 }, () => {
  it('fails with the words of apt where there is no such package', async () => {
    const words =
      'Problem encountered installing package(s). Additional info follows:\n\nchanges:\n    ----------\nerrors:\n    - E: Unable to locate package no-such-pkg-zz'
    expect(await minion.outcome('pkg.install', ['no-such-pkg-zz'])).toMatchObject({
      kind: 'failed',
      by: 'command',
      words,
      value: `ERROR: ${words}`,
    })
    expect(await minion.state('pkg.installed', { name: 'no-such-pkg-zz', refresh: false })).toEqual({
      name: 'no-such-pkg-zz',
      result: false,
      changes: {},
      comment: words.replace('changes:\n    ----------\n', ''),
    })
  })

  it('says in test mode what it would install', async () => {
    expect(await minion.state('pkg.installed', { name: small, test: true, refresh: false })).toMatchObject({
      result: null,
      changes: { [small]: { new: expect.stringMatching(/^\d/), old: '' } },
      comment: `The following packages would be installed/updated: ${small}`,
    })
    expect(await minion.run('pkg.version', [small])).toBe('')
  })

  it('is installed, and stays', async () => {
    const latest = await minion.run('pkg.latest_version', [small], { refresh: false })
    expect(await minion.state('pkg.installed', { name: small, refresh: false })).toEqual({
      name: small,
      result: true,
      changes: { [small]: { old: '', new: latest } },
      comment: `The following packages were installed/updated: ${small}`,
    })
    expect(await minion.run('pkg.version', [small])).toBe(latest)
    expect(await minion.run('pkg.latest_version', [small], { refresh: false })).toBe('')
    expect(await minion.state('pkg.installed', { name: small, refresh: false })).toEqual({
      name: small,
      result: true,
      changes: {},
      comment: 'All specified packages are already installed',
    })
    expect(await minion.state('pkg.installed', { name: small, version: '>=1', refresh: false })).toMatchObject({
      result: true,
      comment: 'All specified packages are already installed and are at the desired version',
    })
    expect(await minion.state('pkg.latest', { name: small, refresh: false })).toMatchObject({
      result: true,
      comment: `Package ${small} is already up-to-date`,
    })
    expect(await minion.run('pkg.owner', ['/usr/bin/hello'])).toBe(small)
    expect(await minion.run('pkg.info_installed', [small])).toMatchObject({ [small]: { name: small, version: latest } })
  })

  it('is held and let go', async () => {
    expect(await minion.run('pkg.hold', [small])).toEqual({
      [small]: {
        name: small,
        changes: { old: 'install', new: 'hold' },
        result: true,
        comment: `Package ${small} is now being held.`,
      },
    })
    expect(await minion.run('pkg.list_holds')).toContain(small)
    expect(await minion.state('pkg.unheld', { name: small })).toMatchObject({
      result: true,
      comment: `Package ${small} is no longer being held.`,
    })
    expect(await minion.run('pkg.list_holds')).not.toContain(small)
  })

  it('is removed and purged', async () => {
    const version = await minion.run('pkg.version', [small])
    expect(await minion.state('pkg.removed', { name: small })).toEqual({
      name: small,
      result: true,
      changes: { [small]: { new: '', old: version } },
      comment: 'All targeted packages were removed.',
    })
    expect(await minion.state('pkg.removed', { name: small })).toMatchObject({
      result: true,
      comment: 'All specified packages are already absent',
    })
    expect(await minion.state('pkg.purged', { name: small })).toMatchObject({
      result: true,
      comment: 'None of the targeted packages are installed or partially installed',
    })
  })

  it('is asked for with others, one of which is there', async () => {
    const { comment, changes, result } = await minion.state('pkg.installed', {
      name: 'several',
      pkgs: ['bash', small],
      refresh: false,
    })
    expect({ comment, result }).toEqual({
      result: true,
      comment: `The following packages were installed/updated: ${small}\nThe following packages were already installed: bash`,
    })
    expect(Object.keys(changes as Mapping)).toEqual([small])
    expect(await minion.state('pkg.purged', { name: 'several', pkgs: [small, 'nothing-here'] })).toMatchObject({
      result: true,
      comment: `The following packages were not installed: nothing-here The following packages were purged: ${small}.`,
    })
  })
})

describe('pkg.installed', () => {
  it.each([[true], [[{ ignore_types: ['config'] }]]])('refuses pkg_verify: %j', async (verify) => {
    expect(await minion.state('pkg.installed', { name: 'bash', pkg_verify: verify })).toEqual({
      name: 'bash',
      result: false,
      changes: {},
      comment: 'pkg.verify not implemented',
    })
  })
})
