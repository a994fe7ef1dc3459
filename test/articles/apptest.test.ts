// ARTICLES.md, D: the article's apptest as it is written, over a repository, packages and services of the test's own.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maskOutput } from '../golden/mask.ts'
import { AGAIN, FIRST, RETURN } from './apptest-shown.ts'
import { APACHE, DEPLOY, HIGHSTATE, MAP, REACTOR_CONF } from './deploy-files.ts'
import { event, JID, type Stage, setStage, type Terminal } from './stage.ts'
import { putStandIns } from './stand-ins.ts'

/** The article's target, which its file names. */
const TARGET = '/opt/apptest'
const REPOSITORY = 'https://github.com/mpolinowski/docker-elk.git'
const APPTEST = `{% from "apache/map.sls" import apache with context %}

{% set version = salt.pillar.get('version', 'master') %}

include:
  - apache

apptest:
  git.latest:
    - name: https://github.com/mpolinowski/docker-elk.git
    - rev: {{ version }}
    - target: /opt/apptest
    - watch_in:
      - service: enable_apache

reload_apache:
  module.run:
    - name: service.stop
    - m_name: apache2
    - prereq:
      - git: apptest

notify_of_fail:
  event.send:
    - name: apptest/failed
    - onfail:
      - git: apptest
`

function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return `${TARGET} needs root`
  if (!existsSync('/usr/bin/dpkg')) return 'this is no Debian'
  return existsSync(TARGET) ? `there is a ${TARGET}` : undefined
}

const reason = whyNot()
process.stderr.write(
  reason === undefined
    ? 'apptest: the repository is local, apt, dpkg-query and systemctl are stand-ins first on PATH\n'
    : `4 tests of the article's apptest are left out: ${reason}\n`,
)

describe.runIf(reason === undefined).sequential('apptest, unchanged', { timeout: 180_000 }, () => {
  let stage: Stage
  let W: Terminal
  let here: string

  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, {
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    }).trim()
  const checkedOut = (): string => readFileSync(join(TARGET, 'branch'), 'utf8')
  const shown = ({ stdout }: { stdout: string }): string =>
    maskOutput(stdout, { root: stage.root }).replace(/\b[0-9a-f]{40}\b/g, '<commit>')
  const comments = ({ stdout }: { stdout: string }): string[] =>
    [...stdout.matchAll(/^ {5}Comment: (.*)$/gm)].map(([, comment = '']) => comment)
  const done = (): string => readFileSync(join(here, 'units/apache2/log'), 'utf8')

  /** A bare repository, and a git configuration by which the article's address leads to it. */
  const makeRepository = (): string => {
    const bare = join(stage.root, 'docker-elk.git')
    git('init', '-q', '-b', 'master', join(stage.root, 'work'))
    git('init', '-q', '-b', 'master', '--bare', bare)
    push('master')
    const config = join(stage.root, 'gitconfig')
    git('config', '--file', config, `url.${bare}.insteadOf`, REPOSITORY)
    return config
  }
  /** One more commit, which says whose it is, as the newest of a branch. */
  const push = (branch: string): void => {
    const work = join(stage.root, 'work')
    writeFileSync(join(work, 'branch'), branch)
    git('-C', work, 'add', 'branch')
    git(
      '-C',
      work,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      branch,
    )
    git('-C', work, 'push', '-q', join(stage.root, 'docker-elk.git'), `HEAD:${branch}`)
  }

  beforeAll(async () => {
    stage = await setStage({ master: 'auto_accept: True\n' })
    await stage.stopMaster()
    stage.write('etc/brine/master.d/local.conf', REACTOR_CONF)
    stage.write('srv/reactor/highstate.sls', HIGHSTATE)
    stage.write('srv/reactor/deploy_testapp.sls', DEPLOY)
    stage.write('srv/salt/apptest.sls', APPTEST)
    stage.write('srv/salt/apache/map.sls', MAP)
    stage.write('srv/salt/apache/init.sls', APACHE)
    await stage.startMaster()
    here = join(stage.root, 'stand-ins')
    mkdirSync(here)
    putStandIns(join(stage.root, 'bin'), here, ['systemctl', 'apt-get', 'apt-cache', 'dpkg-query'])
    W = await stage.terminal()
    const env = { GIT_CONFIG_GLOBAL: makeRepository(), GIT_CONFIG_SYSTEM: '/dev/null' }
    stage.startMinion('ubuntuAsus', '', env)
    await stage.waitForEvent({ tag: 'salt/minion/ubuntuAsus/start' })
  }, 180_000)
  afterAll(async () => {
    await stage?.close()
    rmSync(TARGET, { recursive: true, force: true })
  })

  it('the first time is installed, cloned and started, and says so', async () => {
    const first = await stage.shell("brine '*' state.sls apptest")
    expect(shown(first)).toBe(FIRST)
    expect(first.exit).toBe(0)
    expect(checkedOut()).toBe('master')
  })

  it('31: pillar from the command line', async () => {
    push('development')
    const development = await stage.shell("brine '*' state.sls apptest pillar='{version: development}'")
    expect(comments(development)).toEqual([
      'All specified packages are already installed',
      'Module function service.stop executed',
      expect.stringMatching(/Repository was fast-forwarded to origin\/development \([0-9a-f]{7}\)\.$/),
      'Service apache2 is already enabled, and is running',
      'State was not run because onfail req did not change',
    ])
    expect(checkedOut()).toBe('development')
  })

  it('32: mods by name, and the default, which Salt refuses too while master is behind what is checked out', async () => {
    const before = done()
    const refused = await stage.shell("brine '*' state.sls mods=apptest")
    const failed = 'One or more requisite failed: apptest.apptest'
    expect(comments(refused)).toEqual([
      'All specified packages are already installed',
      failed,
      expect.stringMatching(
        /^Repository would be updated to [0-9a-f]{7}, but this is not a fast-forward merge\. Set 'force_reset' to True to force this update\.$/,
      ),
      failed,
      'Event fired',
    ])
    expect(refused.exit).toBe(1)
    expect([checkedOut(), done()]).toEqual(['development', before])
    await W.shows([event('apptest/failed', { id: 'ubuntuAsus' })])
    push('master')
    const standard = await stage.shell("brine '*' state.sls mods=apptest")
    expect(standard.exit).toBe(0)
    expect(checkedOut()).toBe('master')
    expect(done()).toBe('stop\nstart\n'.repeat(3))
    const again = await stage.shell("brine '*' state.sls mods=apptest")
    expect(shown(again)).toBe(AGAIN)
    expect(done()).toBe('stop\nstart\n'.repeat(3))
  })

  it('33: an event hands its data on as pillar', async () => {
    const from = W.mark()
    await stage.shell('brine-call event.send instar/deploy/testapp version=master', { at: 'ubuntuAsus' })
    const kwarg = { mods: 'apptest', pillar: { version: 'master' } }
    await W.shows(
      [
        event('salt/auth', { act: 'accept', id: 'ubuntuAsus', result: true }),
        event('minion/refresh/ubuntuAsus', { 'Minion data cache refresh': 'ubuntuAsus' }),
        event('instar/deploy/testapp', {
          cmd: '_minion_event',
          data: { __pub_fun: 'event.send', __pub_jid: JID, __pub_pid: 3292, __pub_tgt: 'salt-call', version: 'master' },
          id: 'ubuntuAsus',
          tag: 'instar/deploy/testapp',
        }),
      ],
      from,
    )
    await W.shows(
      [
        event(JID, { minions: ['ubuntuAsus'] }),
        event(`salt/job/${JID}/new`, {
          arg: [{ __kwarg__: true, ...kwarg }],
          fun: 'state.sls',
          jid: JID,
          minions: ['ubuntuAsus'],
          missing: [],
          tgt: 'ubuntuAsus',
          tgt_type: 'glob',
        }),
        event('minion/refresh/ubuntuAsus', { 'Minion data cache refresh': 'ubuntuAsus' }),
        event(`salt/job/${JID}/ret/ubuntuAsus`, {
          cmd: '_return',
          fun: 'state.sls',
          fun_args: [kwarg],
          id: 'ubuntuAsus',
          jid: JID,
          out: 'highstate',
          retcode: 0,
          return: RETURN,
          success: true,
        }),
      ],
      from,
    )
    expect(JSON.stringify(W.events(from))).not.toContain('state.highstate')
  })
})
