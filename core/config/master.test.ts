// Tests how files, environment and defaults become a configuration, and what is said about mistakes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMasterConfig, parseMasterSettings } from './master.ts'
import { masterKeys } from './master-keys.ts'
import { parseMinionConfig } from './minion.ts'
import { problemText } from './problem.ts'

const master = (...texts: string[]) =>
  parseMasterConfig(texts.map((text, index) => ({ name: index === 0 ? 'master' : `master.d/${index}.conf`, text })))
const said = (parsed: { problems: readonly Parameters<typeof problemText>[0][] }) =>
  parsed.problems.map((problem) => `${problem.severity} ${problemText(problem)}`)

describe('parseMasterConfig', () => {
  it('has Salt’s defaults and no problems where nothing is written', () => {
    const { config, rest, reactor, problems } = parseMasterConfig([])
    expect(config).toMatchObject({ timeout: 5, gather_job_timeout: 10, presence_events: false, state_events: false })
    expect(config).toMatchObject({ keep_jobs_seconds: 86_400, auth_events: true, log_level: 'warning', max_minions: 0 })
    expect(config.file_roots).toEqual({ base: ['/srv/salt'] })
    expect(rest).toMatchObject({ port: 8000, disable_ssl: false, webhook_url: '/hook' })
    expect(reactor).toEqual({ entries: [] })
    expect(problems).toEqual([])
  })

  it('reads Salt’s keys in Salt’s spellings', () => {
    const { config, rest, reactor, problems } = master(
      [
        'id: 42',
        'presence_events: yes',
        'log_level: WARNING',
        'timeout: 2.0',
        'nodegroups:',
        '  - webs: "L@a,b"',
        '  - dbs: "db*"',
        'file_roots:',
        '  base: /srv/one',
        '  2024: [/srv/two]',
        'pillar_roots:',
        'rest_cherrypy: {port: "8443", ssl_crt: /a.crt, ssl_key: /a.key, thread_pool: 30}',
        'reactor:',
        '  - salt/auth: /srv/reactor/auth.sls',
        '  - "x/*": [a.sls, b.sls]',
      ].join('\n'),
    )
    expect(config).toMatchObject({ id: '42', presence_events: true, log_level: 'warning', timeout: 2 })
    expect(config.nodegroups).toEqual({ webs: 'L@a,b', dbs: 'db*' })
    expect(config.file_roots).toEqual({ base: ['/srv/one'], '2024': ['/srv/two'] })
    expect(config.pillar_roots).toEqual({ base: ['/srv/pillar'] })
    expect(rest).toMatchObject({ port: 8443, ssl_crt: '/a.crt', ssl_key: '/a.key' })
    expect(reactor.entries).toEqual([
      { glob: 'salt/auth', files: ['/srv/reactor/auth.sls'], isText: true },
      { glob: 'x/*', files: ['a.sls', 'b.sls'] },
    ])
    expect(problems).toMatchObject([{ severity: 'note', line: 12 }])
  })

  it.each([
    [
      'a typo',
      'user: me\npresense_events: True',
      'warning master:2: presense_events is no key that Brine knows. Did you mean presence_events?',
    ],
    [
      'an unknown key',
      'shoe_size: 43',
      'warning master:1: shoe_size is no key that Brine knows. Take it out, or read it with config.get.',
    ],
    [
      'a wrong type',
      'presence_events: "maybe"',
      "error master:1: presence_events is 'maybe'. Allowed is True or False.",
    ],
    ['a wrong word', '\nlog_level: loud', "error master:2: log_level is 'loud'. Allowed is one of all, garbage,"],
    ['a wrong number', 'timeout: -1', 'error master:1: timeout is -1. Allowed is a number of at least 0.'],
    [
      'a wrong map',
      'file_roots: [a]',
      "error master:1: file_roots is ['a']. Allowed is a map of environments to lists of folders.",
    ],
    [
      'open mode',
      'open_mode: True',
      'error master:1: open_mode is True. Allowed is False. It would let anybody take any name.',
    ],
    ['a key without use', 'worker_threads: 5', 'note master:1: worker_threads has no effect. There is one master'],
    [
      'a key that does nothing here',
      'publisher_acl: {fred: [test.ping]}',
      'note master:1: publisher_acl has no effect. Say in `external_auth` who may call what',
    ],
    [
      'a minion’s key',
      'master_finger: x',
      "note master:1: master_finger has no effect. It belongs into the minion's configuration.",
    ],
    ['broken YAML', 'a: [\nb: 1', 'error master:3: This is not YAML:'],
    ['a file that is a list', '- a', "error master:1: The file holds ['a'], not keys and values."],
    ['a tab', 'a:\n\tb: 1', 'error master:2: This is not YAML:'],
    ['half a certificate', 'rest_cherrypy: {ssl_crt: /x}', 'error master:1: rest_cherrypy has no ssl_key.'],
    [
      'a typo below rest_cherrypy',
      'rest_cherrypy: {prt: 1}',
      'warning master:1: rest_cherrypy: prt is no key that Brine knows. Did you mean port?',
    ],
    [
      'a port that is none',
      'rest_cherrypy:\n  port: 80000',
      'error master:1: rest_cherrypy: port is 80000. Allowed is a port from 0 to 65535.',
    ],
    ['a reactor file', 'reactor: /etc/salt/reactor.yaml', 'error master:1: reactor is text, not a list'],
    ['a reactor entry', 'reactor:\n  - a: 5', "warning master:1: reactor, entry 1: 'a' leads to a number"],
  ])('says where %s is and what to do', (_, text, message) => {
    expect(said(master(text)).join('\n')).toContain(message)
  })

  it('leaves alone what somebody has for config.get', () => {
    const parsed = master('redis.host: db1\n_mine: 1')
    expect(parsed.problems).toEqual([])
    expect(parsed.written).toEqual({ 'redis.host': 'db1', _mine: 1 })
  })

  it('joins the files of the folder as Salt does, and lets them replace the main file’s keys', () => {
    const one = 'reactor:\n  - a: [x]\nfile_roots: {base: [/one], dev: [/d]}'
    const two = 'reactor:\n  - a: [x]\n  - b: [y]\nfile_roots: {base: [/two]}\ntimeout: 9'
    const parsed = master('reactor:\n  - main: [z]\ntimeout: 3', one, two)
    expect(parsed.reactor.entries.map(({ glob }) => glob)).toEqual(['a', 'b'])
    expect(parsed.config.file_roots).toEqual({ base: ['/one', '/two'], dev: ['/d'] })
    expect(parsed.config.timeout).toBe(9)
    expect(said(parsed)).toEqual([
      'warning master:1: reactor is replaced as a whole by master.d/2.conf. Write it in one of the two.',
      'warning master:3: timeout is replaced as a whole by master.d/2.conf. Write it in one of the two.',
    ])
  })

  it('takes keep_jobs in hours where keep_jobs_seconds is not written', () => {
    expect(master('keep_jobs: 2').config.keep_jobs_seconds).toBe(7200)
    expect(master('keep_jobs: 2\nkeep_jobs_seconds: 60').config.keep_jobs_seconds).toBe(60)
  })

  it('lets the environment win, and names the variable', () => {
    const files = [{ name: 'master', text: 'timeout: 3\nid: a' }]
    const parsed = parseMasterConfig(files, {
      BRINE_TIMEOUT: '7',
      BRINE_ID: '0123',
      BRINE_MAX_MINIONS: 'x',
      BRINE_NODEGROUPS: '{a: b}',
    })
    expect(parsed.config).toMatchObject({ timeout: 7, id: '0123', max_minions: 0, nodegroups: { a: 'b' } })
    expect(said(parsed)).toEqual([
      "error BRINE_MAX_MINIONS: max_minions is 'x'. Allowed is a whole number of at least 0.",
    ])
  })

  it.each([
    ['', '/var/cache/brine/master', '/home/me/pki'],
    ['cachedir: /elsewhere', '/elsewhere', '/home/me/pki'],
    ['cachedir: cache', '/cache', '/home/me/pki'],
    ['root_dir: /lab', '/lab/var/cache/brine/master', '/lab/etc/brine/pki/master'],
    ['root_dir: /lab/\ncachedir: /lab/c\npki_dir: /p', '/lab/c', '/lab/p'],
    ['root_dir: /lab\ncachedir: c', '/lab/c', '/lab/etc/brine/pki/master'],
  ])('moves paths below root_dir: %j', (text, cachedir, pki_dir) => {
    const { config } = parseMasterConfig([{ name: 'master', text }], {}, { pki_dir: '/home/me/pki' })
    expect(config).toMatchObject({ cachedir, pki_dir })
  })

  it('takes any text without throwing, and answers a configuration of the right types', () => {
    const names = fc.constantFrom(...Object.keys(masterKeys), 'rest_cherrypy', 'reactor', 'worker_threads', 'x y')
    const values = fc.oneof(
      fc.string(),
      fc.constantFrom('1', '[a]', '{a: 1}', 'True', '{5: [x]}', '- a', '&a *a', '"', '|'),
    )
    const line = fc.tuple(names, values).map(([name, value]) => `${name}: ${value}`)
    const texts = fc.array(
      fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n')),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(texts, (written) => {
        const { config } = master(...written)
        expect(typeof config.timeout).toBe('number')
        expect(typeof config.presence_events).toBe('boolean')
        expect(Object.keys(config).sort()).toEqual(Object.keys(masterKeys).sort())
      }),
      { numRuns: 300 },
    )
  })
})

describe('parseMasterSettings', () => {
  it('reads a map as it would be read from a file, and tells what is wrong', () => {
    const settings = { timeout: 9, nodegroups: [{ web: 'web*' }], keep_jobs: 2, auto_accept: 'sometimes', timeuot: 3 }
    const { config, problems } = parseMasterSettings(settings, 'the stack')
    const file = parseMasterConfig([{ name: 'the stack', text: JSON.stringify(settings) }])
    expect(config).toEqual(file.config)
    expect(problems.map(({ severity }) => severity).sort()).toEqual(['error', 'warning'])
  })
})

describe('parseMinionConfig', () => {
  const minion = (text: string) => parseMinionConfig([{ name: 'minion', text }])

  it('has Salt’s defaults', () => {
    const { config, problems } = parseMinionConfig([])
    expect(config).toMatchObject({
      acceptance_wait_time: 10,
      random_reauth_delay: 10,
      mine_interval: 60,
      file_client: 'remote',
    })
    expect(config).toMatchObject({ enable_legacy_startup_events: true, master: 'salt', startup_states: '' })
    expect(problems).toEqual([])
  })

  it('takes one master of a list', () => {
    const parsed = minion('master:\n  - one\n  - two')
    expect(parsed.config.master).toBe('one')
    expect(said(parsed)).toEqual([expect.stringContaining('warning minion:1: master lists 2 masters')])
    expect(minion('master: [one]').problems).toEqual([])
  })

  it('keeps beacons and grains as they are written', () => {
    const { config } = minion(
      'beacons:\n  load:\n    - averages:\n        1m: [0.0, 2.0]\ngrains: {roles: [web], 5: x}',
    )
    expect(config.beacons).toEqual({ load: [{ averages: { '1m': [{ value: 0 }, { value: 2 }] } }] })
    expect(config.grains).toBeInstanceOf(Map)
  })

  it('notes a master’s key', () => {
    expect(said(minion('auto_accept: True'))).toEqual([
      "note minion:1: auto_accept has no effect. It belongs into the master's configuration.",
    ])
  })
})
