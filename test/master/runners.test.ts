// Runners and wheel functions that look at what the master has, called as commands and programs call them.
import { createPublicKey } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { base64url } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saltVersion } from '../../core/salt-version.ts'
import type { Mapping, Value } from '../../core/value/index.ts'
import { fingerOf } from '../../master/keys.ts'
import { versionTable } from '../../master/runners/versions.ts'
import { withoutSecrets } from '../../master/without-secrets.ts'
import { configFolder } from '../../platform/embedded/config-folder.ts'
import { type OrchestrationStage, orchestrationStage } from './orchestration-stage.ts'

let stage: OrchestrationStage
let outside: string
beforeAll(async () => {
  const files = { 'top.sls': 'base: {}\n', 'app/init.sls': 'x:\n  test.nop: []\n', 'app/bin.dat': 'a\0b' }
  stage = await orchestrationStage(
    ['m1', 'm2'],
    files,
    (_, { fun }) => (fun === 'test.nop' ? undefined : { return: true }),
    {
      prepare(root) {
        outside = join(root, '..', 'outside')
        mkdirSync(outside)
        writeFileSync(join(outside, 'secret'), 'secret')
        symlinkSync(outside, join(root, 'out'))
        symlinkSync('loop', join(root, 'loop'))
        symlinkSync('nothing', join(root, 'dangling'))
        symlinkSync(join(outside, 'secret'), join(root, 'passwd'))
        mkdirSync(join(root, '..', 'etc'))
      },
      master: (root) => ({ configFiles: configFolder(join(root, '..', 'etc')) }),
    },
  )
  await stage.store.minions.saveGrains('m1', { os: 'Debian' }, undefined, stage.store.clock.now())
  await stage.store.minions.saveMine('m1', { 'test.ping': true, 'network.ip_addrs': ['10.0.0.1'] })
})
afterAll(() => stage.close())

const call = async (client: 'runner' | 'wheel', fun: string, kwarg: Mapping = {}): Promise<Value> => {
  const outcome = await stage.master().startRun({ client, fun, arg: [], kwarg, user: 'root' }).outcome
  return outcome.return
}

describe('what a runner tells meanwhile', () => {
  it('says when', async () => {
    const { progress } = await stage
      .master()
      .startRun({ client: 'runner', fun: 'test.stream', arg: [], kwarg: {}, user: 'root' }).outcome
    expect(progress[0]).toEqual({
      suffix: 'progress',
      event: { message: 'Runner is 1% done', _stamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}$/) },
    })
  })
})

describe('what Salt has and Brine has not', () => {
  it.each([
    ['saltutil.sync_all', "brine '*' saltutil.sync_all"],
    ['queue.insert', 'React to the event itself'],
    ['ssh.cmd', 'Install a minion'],
    ['reactor.set_leader', 'there is one master'],
  ])('%s says what to do instead', async (fun, instead) => {
    expect(await call('runner', fun)).toContain(`Exception occurred in runner ${fun}: ${fun} is not there: `)
    expect(await call('runner', fun, { any: 'keyword' })).toContain(instead)
  })

  it('and other names of what is there', async () => {
    const docs = (await call('runner', 'doc.runner', { name: 'state.' })) as Mapping
    for (const [other, name] of [
      ['orch_show_sls', 'orchestrate_show_sls'],
      ['set_pause', 'pause'],
      ['rm_pause', 'resume'],
    ])
      expect(docs[`state.${other}`]).toBe(docs[`state.${name}`])
  })
})

describe('cache', () => {
  it('shows grains and mine of a target', async () => {
    expect(await call('runner', 'cache.grains', { tgt: 'm1' })).toEqual({ m1: { os: 'Debian' } })
    expect(await call('runner', 'cache.mine', { tgt: '*' })).toEqual({
      m1: { 'test.ping': true, 'network.ip_addrs': ['10.0.0.1'] },
      m2: {},
    })
  })

  it('forgets what it is told to, and nothing where nobody is named', async () => {
    expect(await call('runner', 'cache.clear_mine', {})).toBe(false)
    const one = { tgt: '*', clear_mine_func_flag: 'test.ping' }
    expect(await call('runner', 'cache.clear_mine_func', one)).toBe(true)
    expect(await call('runner', 'cache.clear_mine_func', one)).toBe(true)
    expect(await call('runner', 'cache.clear_mine_func', { tgt: '*' })).toBe(false)
    expect(await call('runner', 'cache.mine')).toEqual({ m1: { 'network.ip_addrs': ['10.0.0.1'] }, m2: {} })
    expect(await call('runner', 'cache.clear_all', { tgt: 'm1' })).toBe(true)
    expect(await call('runner', 'cache.mine', { tgt: 'm1' })).not.toHaveProperty('m1.network')
    expect(await call('runner', 'cache.grains', { tgt: 'm1' })).toEqual({ m1: {} })
  })
})

describe('keys', () => {
  it('tell since when they stand so, and what was verified', async () => {
    const { keys } = stage.store
    const record = await keys.get('m2')
    if (record?.current === undefined) throw new Error('m2 has no key')
    const identity = { account: '111122223333', asg: 'web' }
    await keys.update({ ...record, current: { ...record.current, identity } }, record.revision)
    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+$/)
    const known = await call('wheel', 'key.identity', { match: 'm*' })
    expect(known).toEqual({ m1: { since, identity: null }, m2: { since, identity } })
    expect(await call('wheel', 'key.identity', { match: 'nobody' })).toEqual({})
  })
})

describe('key pairs', () => {
  const wheel = (fun: string, kwarg: Mapping) =>
    stage.master().startRun({ client: 'wheel', fun, arg: [], kwarg, user: 'root' })

  it('are told to who asked, and never on the bus', async () => {
    const runs = [wheel('key.gen', {}), wheel('key.gen_accept', { id_: 'made' })]
    for (const { jid, outcome } of runs) {
      const { return: pair } = (await outcome) as unknown as { return: { priv: string; pub: string } }
      expect(createPublicKey(pair.priv).export({ type: 'spki', format: 'pem' })).toBe(pair.pub)
      const told = (await stage.events()).find(({ tag }) => tag === `salt/wheel/${jid}/ret`)
      expect(told?.data).toMatchObject({ return: { priv: '***', pub: pair.pub } })
    }
    expect((await stage.events()).filter(({ data }) => JSON.stringify(data).includes('PRIVATE'))).toEqual([])
    expect((await stage.master().keys.lists()).minions).toContain('made')
  })

  it('stay as they are where a minion has one, unless forced', async () => {
    expect((await wheel('key.gen_accept', { id_: 'm2' }).outcome).return).toEqual({})
    const before = await stage.store.keys.get('m2')
    expect((await wheel('key.gen_accept', { id_: 'm2', force: true }).outcome).return).toHaveProperty('priv')
    const after = await stage.store.keys.get('m2')
    expect(after?.current?.pub).not.toBe(before?.current?.pub)
    expect(after?.epoch).toBe((before?.epoch ?? 0) + 1)
  })

  it.each([
    ['key.gen_accept', { id_: '../../etc/cron.d/x' }, "cannot be a minion's id"],
    ['key.gen_accept', { id_: 'a\0b' }, "cannot be a minion's id"],
    ['key.gen', { keysize: 1_000_000 }, 'no number of bits up to 8192'],
    ['key.gen_keys', {}, 'brine-key --gen-keys'],
    ['key.gen_signature', {}, 'master_finger'],
    ['key.finger', { match: '*', hash_type: 'crc7' }, 'There is no hash crc7'],
  ])('%s %j is refused', async (fun, kwarg, words) => {
    expect(await call('wheel', fun, kwarg)).toContain(words)
  })

  it('the master shows its own', async () => {
    const { local } = (await call('wheel', 'key.master_key_str')) as { local: Record<string, string> }
    const finger = fingerOf(local['master.pub'] ?? '')
    expect(await call('wheel', 'key.finger_master')).toEqual({ local: { 'master.pub': finger } })
    expect(await call('wheel', 'key.finger', { match: 'master.p*' })).toEqual({ local: { 'master.pub': finger } })
  })

  it('a denied key that is rejected leaves the accepted one and its jobs', async () => {
    const { keys, mailbox, clock } = stage.store
    const record = await keys.get('m1')
    if (record?.current === undefined) throw new Error('m1 has no key')
    await keys.update({ ...record, denied: [{ pub: 'another', at: 1 }] }, record.revision)
    const expiry = clock.now() + 60_000_000
    // A job of m1's that nobody runs: what stands in its mailbox is looked at below.
    const job = base64url.encode(JSON.stringify({ jid: '20300101000000000000', fun: 'test.nop', arg: [] }))
    await mailbox.put(['m1'], { jid: '20300101000000000000', envelope: `x.${job}.y`, expiry })
    expect(await call('wheel', 'key.reject_dict', { match: { minions_denied: ['m1'] }, include_denied: true })).toEqual(
      {
        minions: ['m1'],
      },
    )
    expect((await keys.get('m1'))?.denied).toEqual([])
    expect((await mailbox.fetch('m1', clock.now())).map(({ jid }) => jid)).toEqual(['20300101000000000000'])
    await mailbox.settle('m1', '20300101000000000000')
  })
})

describe('files', () => {
  it('lists environments, files and directories', async () => {
    expect(await call('runner', 'fileserver.envs')).toEqual(['base'])
    expect(await call('runner', 'fileserver.file_list')).toEqual(['app/bin.dat', 'app/init.sls', 'top.sls'])
    expect(await call('runner', 'fileserver.dir_list')).toEqual(['app'])
  })

  it('writes below the roots and nowhere else, whatever links say', async () => {
    const write = (path: string): Promise<Value> => call('wheel', 'file_roots.write', { data: 'mine', path })
    expect(await write('made/here.sls')).toBe('Wrote data to file made/here.sls')
    expect(await call('wheel', 'file_roots.read', { path: 'made/here.sls' })).toEqual([{ 'made/here.sls': 'mine' }])
    for (const path of ['out/file', 'loop/x', 'dangling/x', '../file', 'made/../../file', 'a\0b'])
      expect(await write(path), JSON.stringify(path)).toBe(`Invalid path: ${path}`)
    // A link in the file's own place is replaced; what it led to stays.
    expect(await write('passwd')).toBe('Wrote data to file passwd')
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret')
    expect(readdirSync(outside)).toEqual(['secret'])
  })

  it('reads texts below the roots and nothing beside them', async () => {
    for (const path of ['out/secret', 'out', 'loop', 'dangling'])
      expect(await call('wheel', 'file_roots.read', { path }), path).toEqual([])
    expect(await call('wheel', 'file_roots.find', { path: 'app/bin.dat' })).toEqual([{ 'app/bin.dat': 'bin' }])
    expect(await call('wheel', 'file_roots.read', { path: 'top.sls' })).toEqual([{ 'top.sls': 'base: {}\n' }])
    expect(await call('wheel', 'file_roots.read', { path: 'app/bin.dat' })).toEqual([])
    expect(await call('wheel', 'file_roots.read', { path: '../data/brine.lock' })).toEqual([])
    expect(await call('wheel', 'file_roots.list_roots')).toEqual({
      base: [
        {
          file_roots: {
            app: { 'bin.dat': 'f', 'init.sls': 'f' },
            dangling: {},
            loop: {},
            made: { 'here.sls': 'f' },
            out: {},
            passwd: 'f',
            'top.sls': 'f',
          },
        },
      ],
    })
  })
})

describe('manage', () => {
  it.each(['safe_accept', 'bootstrap', 'bootstrap_psexec', 'key_regen'])('says why there is no %s', async (name) => {
    expect(await call('runner', `manage.${name}`)).toMatch(new RegExp(`: manage.${name} .*brine`))
  })

  it('tells how versions stand, by Salt’s and then by Brine’s own', () => {
    const minions = [
      { id: 'same', salt: saltVersion, brine: '1.2.0' },
      { id: 'unsaid', salt: saltVersion, brine: undefined },
      { id: 'older', salt: saltVersion, brine: '1.1.9' },
      { id: 'newer', salt: saltVersion, brine: '1.10.0' },
      { id: 'old', salt: '3006.9', brine: '1.2.0' },
      { id: 'mute', salt: false as const, brine: undefined },
    ]
    expect(versionTable(minions, '1.2.0')).toEqual({
      Master: saltVersion,
      'Minion offline': { mute: false },
      'Minion requires update': { old: '3006.9', older: `${saltVersion} (Brine 1.1.9)` },
      'Up to date': { same: saltVersion, unsaid: saltVersion },
      'Minion newer than master': { newer: `${saltVersion} (Brine 1.10.0)` },
    })
  })

  it('deletes the keys of those who are down only where it is told to', async () => {
    const silent = await orchestrationStage(['up', 'gone'], {}, (id) => (id === 'up' ? { return: true } : undefined))
    try {
      const down = async (kwarg: Mapping) =>
        (await silent.master().startRun({ client: 'runner', fun: 'manage.down', arg: [], kwarg, user: 'root' }).outcome)
          .return
      // Only who was heard of is waited for.
      const first = { client: 'runner' as const, fun: 'salt.execute', arg: ['up', 'test.ping'], user: 'root' }
      await silent.master().startRun({ ...first, kwarg: { timeout: 30 } }).outcome
      expect(await down({ timeout: 30 })).toEqual(['gone'])
      expect((await silent.master().keys.lists()).minions).toEqual(['gone', 'up'])
      expect(await down({ removekeys: true, timeout: 30 })).toEqual(['gone'])
      expect((await silent.master().keys.lists()).minions).toEqual(['up'])
    } finally {
      await silent.close()
    }
  })
})

describe('jobs', () => {
  it('are listed newest last, without those that only ask after others', async () => {
    for (const fun of ['test.ping', 'saltutil.find_job', 'test.echo'])
      await call('runner', 'salt.execute', { tgt: 'm1', fun, arg: ['x'], metadata: { from: 'test' } })
    const listed = (await call('runner', 'jobs.list_jobs_filter', { count: 4 })) as Mapping[]
    const runs = ['runner.salt.execute', 'runner.salt.execute']
    expect(listed.map((job) => job.Function)).toEqual(['test.ping', ...runs, 'test.echo'])
    expect(listed[3]).toMatchObject({ Target: 'm1', JID: expect.stringMatching(/^\d{20}$/) })
    const every = (await call('runner', 'jobs.list_jobs_filter', { count: 5, filter_find_job: false })) as Mapping[]
    expect(every.map((job) => job.Function)).toContain('saltutil.find_job')
    expect(await call('runner', 'jobs.list_jobs', { ext_source: 'redis' })).toContain('There is no job cache redis')
    const found = (await call('runner', 'jobs.list_jobs', { search_metadata: { from: 'test' } })) as Mapping
    expect(Object.keys(found).length).toBe(3)
  })

  it('says which runners are under way', async () => {
    const running = stage.master().startRun({ client: 'runner', fun: 'test.sleep', arg: [1], kwarg: {}, user: 'root' })
    await running.started
    expect(await call('runner', 'jobs.master')).toEqual([
      { jid: running.jid, fun: 'runner.test.sleep', user: 'root', fun_args: [1] },
    ])
    await running.outcome
    expect(await call('runner', 'jobs.master')).toEqual([])
  })
})

describe('the configuration', () => {
  it('is shown without its secrets', async () => {
    const opts = { id: 'vm', sharedsecret: 's3cret', external_auth: { file: { db_password: 'x' } }, timeout: 5 }
    expect(withoutSecrets(opts)).toEqual({
      id: 'vm',
      sharedsecret: '***',
      external_auth: { file: { db_password: '***' } },
      timeout: 5,
    })
    expect(await call('wheel', 'config.values')).toEqual({ id: 'vm_master' })
    expect(await call('runner', 'config.get', { key: 'id' })).toBe('vm_master')
    expect(await call('runner', 'config.get', { key: 'nothing:here', default: 'x' })).toBe('x')
  })
})

describe('settings that are written', () => {
  const folder = (): string => join(outside, '..', 'etc', 'master.d')

  it('stand in master.d, one key at a time or a file at once', async () => {
    expect(await call('wheel', 'config.apply', { key: 'timeout', value: 20 })).toBe(null)
    expect(await call('wheel', 'config.apply', { key: 'nodegroups', value: { web: 'web*' } })).toBe(null)
    expect(readFileSync(join(folder(), 'applied.conf'), 'utf8')).toBe('nodegroups:\n  web: web*\ntimeout: 20\n')
    const settings = { file_name: 'gui', yaml_contents: { gather_job_timeout: 7 } }
    expect(await call('wheel', 'config.update_config', settings)).toBe('Wrote gui.conf')
    expect(readFileSync(join(folder(), 'gui.conf'), 'utf8')).toBe('gather_job_timeout: 7\n')
  })

  it.each([
    'external_auth',
    'auto_accept',
    'sharedsecret',
    'publisher_acl',
    'peer_run',
    'rest_cherrypy',
    'file_roots',
    'runner_dirs',
    'pki_dir',
    'include',
    'http_query_link_local',
    'ssl_key',
    'log_file',
  ])('%s is not among them', async (key) => {
    const before = readFileSync(join(folder(), 'applied.conf'), 'utf8')
    expect(await call('wheel', 'config.apply', { key, value: true })).toContain(`${key} says `)
    expect(await call('wheel', 'config.update_config', { file_name: 'x', yaml_contents: { [key]: 1 } })).toContain(key)
    expect(readFileSync(join(folder(), 'applied.conf'), 'utf8')).toBe(before)
    expect(readdirSync(folder()).sort()).toEqual(['applied.conf', 'gui.conf'])
  })

  it('nor is what the next start could not read, or a file elsewhere', async () => {
    expect(await call('wheel', 'config.apply', { key: 'timeout', value: 'soon' })).toContain('timeout')
    for (const file_name of ['../gui', '/etc/x', 'a/b', '.hidden', ''])
      expect(await call('wheel', 'config.update_config', { file_name, yaml_contents: {} })).toBe('Invalid path')
    expect(readFileSync(join(folder(), 'applied.conf'), 'utf8')).toContain('timeout: 20')
  })
})

describe('trying out', () => {
  it('echoes and fails on demand', async () => {
    expect(await call('runner', 'test.arg', { bar: 'baz' })).toEqual({ args: [], kwargs: { bar: 'baz' } })
    expect(await call('runner', 'error.error')).toEqual({})
    expect(await call('runner', 'error.error', { name: 'Exception', message: 'boom' })).toContain('boom')
    expect(await call('runner', 'pillar.show_pillar', { minion: 'm1' })).toEqual({})
    expect(await call('wheel', 'minions.connected')).toEqual(expect.any(Array))
  })
})
