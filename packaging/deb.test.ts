// The Debian package: built, installed below a directory of its own, asked what it says, and run from there.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { ensureBuilt, ROOT } from '../test/system/built.ts'

const has = (program: string, ...words: string[]): boolean =>
  spawnSync(program, words, { stdio: 'ignore' }).status === 0
const run = (program: string, words: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(program, words, { encoding: 'utf8', env: { ...process.env, ...env } })

const canInstall = has('dpkg-deb', '--version') && has('dpkg', '--version')
if (!canInstall) process.stderr.write('packaging/deb.test.ts: skipped: 5 tests need dpkg\n')

describe.skipIf(!canInstall)('brine-minion.deb', () => {
  let place: string
  let deb: string
  const at = (path: string): string => join(place, 'root', path)

  /** Installs it below the directory, its scripts told so. */
  const dpkg = (...words: string[]) =>
    run('dpkg', [
      `--root=${at('')}`,
      '--force-script-chrootless,not-root,depends,confold',
      `--log=${join(place, 'dpkg.log')}`,
      ...words,
    ])

  beforeAll(async () => {
    await ensureBuilt()
    place = mkdtempSync(join(tmpdir(), 'brine-deb-'))
    deb = join(place, 'brine-minion.deb')
    for (const path of ['var/lib/dpkg/info', 'var/lib/dpkg/updates']) mkdirSync(at(path), { recursive: true })
    for (const path of ['var/lib/dpkg/status', 'var/lib/dpkg/available']) appendFileSync(at(path), '')
    const script = join(ROOT, 'scripts/build-deb.mjs')
    const built = run('sh', ['-c', 'umask 077; exec "$@"', 'sh', process.execPath, script, deb])
    expect(built).toMatchObject({ status: 0, stdout: `${deb}\n` })
  }, 180_000)
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  it('is installed, and says what is missing instead of starting', () => {
    const { status, stderr } = dpkg('-i', deb)
    expect(status).toBe(0)
    expect(stderr).toContain('brine-key -F master')
    expect(stderr).toContain('master_finger')
    expect(statSync(at('var/lib/brine/minion')).mode & 0o777).toBe(0o700)
    expect(statSync(at('etc/brine/minion')).mode & 0o777).toBe(0o640)
    for (const path of ['usr', 'usr/bin', 'lib/systemd/system']) expect(statSync(at(path)).mode & 0o777).toBe(0o755)
    for (const path of ['usr/bin/brine-minion', 'lib/systemd/system/brine-minion.service', 'etc/brine/minion.d'])
      expect(existsSync(at(path))).toBe(true)
  })

  it('says nothing once the key is known, keeps the configuration, and takes the place of an agent that was put there', () => {
    appendFileSync(at('etc/brine/minion'), 'master_finger: ab:cd\n')
    mkdirSync(at('var/lib/brine/minion/agent'))
    const { status, stderr } = dpkg('-i', deb)
    expect(status).toBe(0)
    expect(stderr).not.toContain('not started')
    expect(readFileSync(at('etc/brine/minion'), 'utf8')).toContain('ab:cd')
    expect(existsSync(at('var/lib/brine/minion/agent'))).toBe(false)
  })

  it('starts its agent from where it is', () => {
    const env = {
      BRINE_LIB: at('usr/lib/brine'),
      BRINE_AGENT_DIR: at('var/lib/brine/minion/agent'),
      BRINE_NODE: process.execPath,
    }
    const { status, stdout } = run('sh', [at('usr/bin/brine-minion'), '--version'], env)
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(manifest.version) })
  })

  it('leaves the configuration when it is removed, and nothing when it is purged', () => {
    expect(dpkg('-r', 'brine-minion').status).toBe(0)
    expect(existsSync(at('usr/bin/brine-minion'))).toBe(false)
    expect(existsSync(at('etc/brine/minion'))).toBe(true)
    expect(dpkg('-P', 'brine-minion').status).toBe(0)
    expect(existsSync(at('etc/brine/minion'))).toBe(false)
    expect(existsSync(at('var/lib/brine/minion'))).toBe(false)
  })
})

const hasSystemd = has('systemd-analyze', '--version')
if (!hasSystemd) process.stderr.write('packaging/deb.test.ts: skipped: 2 tests need systemd-analyze\n')

describe.skipIf(!hasSystemd).each(['brine-minion', 'brine-master'])('%s.service', (name) => {
  it('is what systemd understands', () => {
    const { status, stderr } = run('systemd-analyze', ['verify', join(ROOT, `packaging/${name}.service`)])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
