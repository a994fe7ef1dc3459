// ARTICLES.md, E, steps 34 and 36: presence is told, and a package that nobody has.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../system/wait.ts'
import { event, type Stage, setStage, type Terminal } from './stage.ts'

let stage: Stage
let W: Terminal

/** A package manager that has nothing, in apt's words. */
const APT = `#!/bin/sh
for name; do :; done
echo "E: Unable to locate package $name" >&2
exit 100
`

beforeAll(async () => {
  stage = await setStage({ master: 'presence_events: True\nloop_interval: 1\n' })
  W = await stage.terminal()
  await stage.join('moe', 'larry')
}, 180_000)
afterAll(() => stage.close())

const present = (...ids: readonly string[]) => event('salt/presence/present', { present: [...ids].sort() })
const change = (is: { new?: string[]; lost?: string[] }) =>
  event('salt/presence/change', { new: is.new ?? [], lost: is.lost ?? [] })

describe('presence', { timeout: 180_000 }, () => {
  it('34: present again and again, change when a minion stops and when it starts', async () => {
    await W.shows([present('moe', 'larry'), present('moe', 'larry')], W.mark())

    // What was heard of it just now counts for half a minute.
    const stopped = W.mark()
    expect(await stage.stopMinion('moe')).toBe(0)
    const wait = 120_000
    await stage.waitForEvent({ tag: 'salt/presence/change', has: { lost: ['moe'] } }, wait)
    await W.shows([change({ lost: ['moe'] }), present('larry'), present('larry')], stopped)

    const started = W.mark()
    await stage.join('moe')
    await W.shows([change({ new: ['moe'] }), present('moe', 'larry')], started)
  })
})

describe.runIf(existsSync('/usr/bin/dpkg-query'))('a package', { timeout: 180_000 }, () => {
  it('36: one that no repository has fails with the words of the package manager', async () => {
    writeFileSync(join(stage.root, 'bin/apt-get'), APT, { mode: 0o755 })
    await waitFor('the minion', async () => ((await stage.shell('brine moe test.ping')).exit === 0 ? true : undefined))
    const { stdout, exit } = await stage.shell('brine moe pkg.install python-inotify')
    expect(stdout).toContain('Unable to locate package python-inotify')
    expect(stdout).toMatch(/^moe:\n/)
    expect(exit).toBe(1)
  })
})
