// brine migrate: a Salt master's folder, looked at whole, and its accepted keys.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Io } from '../../cli/commands/io.ts'
import { migrateMain } from '../../cli/commands/migrate-main.ts'
import { testMinion } from '../master/harness.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brine-migrate-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

async function run(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const io: Io = {
    async out(text) {
      said.out += text
    },
    err(text) {
      said.err += text
    },
    ask: async () => undefined,
    input: async () => '',
    isTty: false,
    environment: {},
    interrupted: new AbortController().signal,
  }
  return { exit: await migrateMain(argv, io), ...said }
}

const reactor = "reactor:\n  - 'salt/minion/*/start':\n    - /srv/reactor/start.sls\n"
const start = "go:\n  local.state.highstate:\n    - tgt: {{ data['id'] }}\n"

test('a master that works whole ends with 0', async () => {
  write({
    'etc/salt/master': `${reactor}timeout: 10\nworker_threads: 5\n`,
    'etc/salt/master.d/more.conf': 'presence_events: True\n',
    'srv/reactor/start.sls': start,
    'srv/salt/top.sls': "base:\n  '*':\n    - web\n",
    'srv/salt/web.sls': 'nginx:\n  pkg.installed: []\n',
    'srv/pillar/top.sls': "base:\n  '*':\n    - a\n",
    'srv/pillar/a.sls': 'a: 1\n',
  })
  const { exit, out } = await run('check', join(root, 'etc/salt'), '--root', root)
  expect(out).toContain(`master:5: worker_threads.`)
  expect(out).toMatch(/\n0 missing, 0 different, 1 not needed, \d+ works\n$/)
  expect(exit).toBe(0)
})

test('what is missing is told with its place, and ends with 1', async () => {
  write({
    'etc/salt/master': `timeout: 10\n${reactor}    - /srv/reactor/gone.sls\ngitfs_remotes: [x]\n`,
    'srv/reactor/start.sls': `${start}bad:\n  runner.mysql.query:\n    - args: {a: 1}\n`,
    'srv/salt/web.sls': "{% set a = salt['mysql.query']('x') %}\ndb:\n  mysql_user.present: []\n",
    'srv/salt/_modules/own.py': 'def x(): pass\n',
    'srv/salt/_modules/ours.mjs': 'export function x() {}\n',
    'srv/salt/use.sls': "a: {{ salt['ours.x']() }}\n",
    'srv/pillar/secret.sls': '#!yaml|gpg\na: b\n',
  })
  const { exit, out } = await run('check', join(root, 'etc/salt'), '--root', root, '--out', 'json')
  expect(exit).toBe(1)
  const { missing, works } = JSON.parse(out)
  const places = missing.map(
    ({ file, line, subject }: { file: string; line: number | null; subject: string }) =>
      `${file.slice(root.length)}:${line} ${subject}`,
  )
  expect(places.sort()).toEqual([
    '/etc/salt/master:2 reactor',
    '/etc/salt/master:6 gitfs_remotes',
    '/srv/pillar/secret.sls:1 template',
    '/srv/reactor/start.sls:5 reactor',
    '/srv/salt/_modules/own.py:null _modules in Python',
    '/srv/salt/web.sls:1 function mysql.query',
    '/srv/salt/web.sls:3 state mysql_user.present',
  ])
  expect(works.map(({ subject }: { subject: string }) => subject)).toContain('function ours.x')
})

test('a folder without a configuration is said, with 2', async () => {
  const { exit, err } = await run('check', root)
  expect([exit, err]).toEqual([
    2,
    `[ERROR   ] There is no master's configuration in ${root}: neither master nor master.d/*.conf.\n`,
  ])
})

test('keys --dry-run shows the accepted keys with their fingerprints, and asks nobody', async () => {
  const { pub } = testMinion('web1')
  write({ 'pki/minions/web1': pub, 'pki/minions_pre/other': pub, 'pki/master.pem': 'private' })
  const { exit, out } = await run('keys', join(root, 'pki'), '--dry-run')
  expect(exit).toBe(0)
  expect(out).toMatch(/^The following keys are going to be accepted:\nweb1: {2}(?:[0-9a-f]{2}:){31}[0-9a-f]{2}\n$/)
})

test.each([[[]], [['check']], [['keys', 'a', 'b']], [['look', 'x']]])(
  'brine migrate %j is a usage error',
  async (argv) => {
    expect((await run(...argv)).exit).toBe(64)
  },
)
