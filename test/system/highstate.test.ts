// One highstate on the real machine: files, a repository, a user, a crontab and a package, all there after the first run,
// left alone by the second, gone after the last.
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLab, type Lab } from './lab.ts'
import { machineAlone } from './machine.ts'
import type { Ended } from './process.ts'

/** A small package that nothing needs. */
const PACKAGE = 'hello'
const USER = 'brine-test-user'

const FILES = `
{{ grains['lab'] }}/app:
  file.directory:
    - mode: '0750'
    - makedirs: True
settings:
  file.managed:
    - name: {{ grains['lab'] }}/app/settings.ini
    - source: salt://real/settings.ini
    - template: jinja
    - mode: '0640'
    - context:
        port: 8080
    - require:
      - file: {{ grains['lab'] }}/app
notes:
  file.append:
    - name: {{ grains['lab'] }}/app/notes
    - text:
      - one
      - two
current:
  file.symlink:
    - name: {{ grains['lab'] }}/app/current
    - target: settings.ini
reload:
  cmd.run:
    - name: echo reloaded >>{{ grains['lab'] }}/reloads
    - onchanges:
      - file: settings
checkout:
  git.latest:
    - name: {{ grains['lab'] }}/up.git
    - target: {{ grains['lab'] }}/checkout
    - rev: master
`
const ACCOUNT = `
${USER}:
  group.present: []
  user.present:
    - gid: ${USER}
    - home: {{ grains['lab'] }}/home
    - shell: /bin/sh
    - fullname: A Test
    - require:
      - group: ${USER}
owned:
  file.managed:
    - name: {{ grains['lab'] }}/home/owned
    - contents: mine
    - user: ${USER}
    - group: ${USER}
    - require:
      - user: ${USER}
nightly:
  cron.present:
    - name: /bin/true
    - identifier: nightly
    - user: ${USER}
    - minute: 5
    - hour: 3
    - require:
      - user: ${USER}
`
const PACKAGES = `
${PACKAGE}:
  pkg.installed:
    - refresh: False
`
const GONE_FILES = `
remove:
  file.absent:
    - names:
      - {{ grains['lab'] }}/app
      - {{ grains['lab'] }}/checkout
`
const GONE_ACCOUNT = `
nightly:
  cron.absent:
    - name: /bin/true
    - identifier: nightly
    - user: ${USER}
${USER}:
  user.absent:
    - purge: True
    - require:
      - cron: nightly
  group.absent:
    - require:
      - user: ${USER}
`
const GONE_PACKAGES = `
${PACKAGE}:
  pkg.purged: []
`
/** Stands for cron's own where there is none: a file a user. */
const CRONTAB = `#!/bin/sh
user=$(id -un)
if [ "$1" = -u ]; then user=$2; shift 2; fi
tab="@LAB@/tabs/$user"
case $1 in
-l) [ -e "$tab" ] || { echo "no crontab for $user" >&2; exit 1; }; cat "$tab";;
-r) rm -f "$tab";;
-) cat >"$tab";;
*) cat "$1" >"$tab";;
esac
`

const finds = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)))

/** Why there is no real package to be had. */
function whyNoPackage(): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) return 'no apt'
  if (existsSync('/usr/bin/hello')) return `${PACKAGE} is installed already`
  try {
    execFileSync('apt-get', ['-qq', '-y', '--download-only', 'install', PACKAGE], { timeout: 60_000, stdio: 'ignore' })
  } catch {
    return 'no package can be fetched'
  }
  return undefined
}

const isRoot = process.getuid?.() === 0
// From the look at what is here to the end of what is done with it.
const leave = isRoot ? await machineAlone() : () => undefined
afterAll(leave)
const noAccount = isRoot ? (finds('useradd') ? undefined : 'no useradd') : 'not root'
const noPackage = isRoot ? whyNoPackage() : 'not root'
const said = [
  ...(noAccount === undefined ? [] : [`no user and crontab (${noAccount})`]),
  ...(noPackage === undefined ? [] : [`no package (${noPackage})`]),
  ...(noAccount !== undefined || finds('crontab') ? [] : ['a stand-in for crontab, which is not installed']),
]
if (said.length > 0) process.stderr.write(`the real highstate: ${said.join(', ')}\n`)

describe.sequential('a highstate on this machine', { timeout: 180_000 }, () => {
  let lab: Lab

  const call = (...words: readonly string[]): Promise<Ended> =>
    lab.run('brine-call', ['--local', ...words], {
      env: { ...lab.minionEnv('real'), PATH: `${lab.root}/bin:${process.env.PATH}`, GIT_CONFIG_GLOBAL: '/dev/null' },
      timeout: 100_000,
    })
  /** The numbers, whose columns depend on how wide they are. */
  const summary = ({ stdout }: Ended): string =>
    /^Succeeded:.*\nFailed:.*$/m.exec(stdout)?.[0].replace(/: +/g, ': ') ?? stdout
  const expected = (changed: number): string => {
    const count = 6 + (noAccount === undefined ? 4 : 0) + (noPackage === undefined ? 1 : 0)
    return `Succeeded: ${count}${changed > 0 ? ` (changed=${count})` : ''}\nFailed: 0`
  }
  const path = (name: string): string => join(lab.root, name)
  const read = (name: string): string => readFileSync(path(name), 'utf8')
  const mode = (name: string): string => (statSync(path(name)).mode & 0o7777).toString(8)

  beforeAll(async () => {
    lab = await createLab()
    lab.write(
      'etc/real/minion',
      `id: real\nfile_client: local\nfile_roots:\n  base:\n    - @LAB@/srv/salt\ngrains:\n  lab: @LAB@\n${['pki_dir', 'cachedir', 'data_dir', 'sock_dir'].map((key) => `${key}: @LAB@/run/real/${key}\n`).join('')}log_file: @LAB@/logs/real.log\n`,
    )
    const parts = (files: string, account: string, packages: string): string =>
      `${files}${noAccount === undefined ? account : ''}${noPackage === undefined ? packages : ''}`
    lab.write('srv/salt/top.sls', "base:\n  '*':\n    - real\n")
    lab.write('srv/salt/real/init.sls', parts(FILES, ACCOUNT, PACKAGES))
    lab.write('srv/salt/gone.sls', parts(GONE_FILES, GONE_ACCOUNT, GONE_PACKAGES))
    lab.write('srv/salt/real/settings.ini', '[server]\nport = {{ port }}\nid = {{ grains.id }}\n')
    mkdirSync(path('tabs'))
    mkdirSync(path('bin'))
    const crontab = CRONTAB.replaceAll('@LAB@', lab.root)
    if (!finds('crontab')) writeFileSync(path('bin/crontab'), crontab, { mode: 0o755 })
    const script = `set -e; git init -q -b master work; cd work; echo 1 >f; git add f
git -c user.name=a -c user.email=a@example.com commit -q -m one; git clone -q --bare . ../up.git`
    execFileSync('sh', ['-c', script], { cwd: lab.root, env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } })
  }, 180_000)

  afterAll(async () => {
    // What a test that failed half-way left.
    if (isRoot) await call('state.apply', 'gone')
    await lab.close()
  }, 180_000)

  it('makes everything', async () => {
    const first = await call('state.highstate')
    expect(summary(first), first.stdout).toBe(expected(1))
    expect(first.exit).toBe(0)
    expect(read('app/settings.ini')).toBe('[server]\nport = 8080\nid = real\n')
    expect([mode('app'), mode('app/settings.ini')]).toEqual(['750', '640'])
    expect(read('app/notes')).toBe('one\ntwo\n')
    expect(readlinkSync(path('app/current'))).toBe('settings.ini')
    expect(read('reloads')).toBe('reloaded\n')
    expect(read('checkout/f')).toBe('1\n')
  })

  it.runIf(noAccount === undefined)('makes the user and its crontab', async () => {
    expect(execFileSync('getent', ['passwd', USER], { encoding: 'utf8' })).toContain(`:A Test:${path('home')}:/bin/sh`)
    const uid = Number(execFileSync('id', ['-u', USER], { encoding: 'utf8' }))
    expect([read('home/owned'), lstatSync(path('home/owned')).uid]).toEqual(['mine\n', uid])
    const tab = await call('cron.raw_cron', USER)
    expect(tab.stdout).toContain('# SALT_CRON_IDENTIFIER:nightly')
    expect(tab.stdout).toContain('5 3 * * * /bin/true')
  })

  it.runIf(noPackage === undefined)('installs the package', () => {
    expect(execFileSync('hello', { encoding: 'utf8' })).toBe('Hello, world!\n')
  })

  it('changes nothing the second time', async () => {
    const second = await call('state.highstate')
    expect(summary(second), second.stdout).toBe(expected(0))
    expect(second.exit).toBe(0)
    expect(read('reloads')).toBe('reloaded\n')
  })

  it('takes everything away', async () => {
    const gone = await call('state.apply', 'gone')
    expect(gone.exit, gone.stdout).toBe(0)
    expect(existsSync(path('app'))).toBe(false)
    if (noPackage === undefined) expect(existsSync('/usr/bin/hello')).toBe(false)
    if (noAccount === undefined) expect(() => execFileSync('getent', ['passwd', USER])).toThrow()
    expect(summary(await call('state.apply', 'gone'))).toMatch(/^Succeeded: \d\nFailed: 0$/)
  })
})
