// What is asked of Salt's runners and wheel functions and of ours alike, over the same files and keys; in this order, since
// one call sees what an earlier one did.
import type { Mapping, Value } from '../../core/value/index.ts'

/** A call: client, function, positional arguments, keywords. */
export type MasterVariant = readonly ['runner' | 'wheel', string, (readonly Value[])?, Mapping?]

/** The files of `file_roots` in `base`. */
export const rootFiles: Readonly<Record<string, string>> = {
  'top.sls': "base:\n  '*': [app]\n",
  'app/init.sls': 'x:\n  test.nop: []\n',
  'app/deep/note.txt': 'deep\n',
  'app/bin.dat': 'a\0b',
}

/** An empty directory, a link to a file, and one that leads out, below them; what it leads to stands beside the roots. */
export const rootExtras = {
  directory: 'app/empty',
  links: { 'app/link.sls': 'init.sls', outside: '../elsewhere' },
} as const

/** What must not be read. */
export const elsewhere = { 'secret.txt': 'secret\n' } as const

/** The files of `pillar_roots` in `base`. */
export const pillarFiles: Readonly<Record<string, string>> = {
  'top.sls': "base:\n  '*': [common]\n  'db*': [db]\n",
  'common.sls': 'site: lab\n',
  'db.sls': 'db: {port: 5432}\n',
}

const pem = (...lines: readonly string[]): string =>
  ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\n')

const first = pem(
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDXbOpBfKXs4FvJs3fmhMlzoABh',
  'EvgTHr52H01G5AoeG9VczpPQx8Kh2Qh4Mkgq8Z03rCcQ8eWGBqsqdNgSW7fvqcZH',
  'f2fFxH3wjq9n84N2Bnh6rjd0dqAZzDUCCDNbr8hb/ZlguG7nJkTFatbVaEXIoH9J',
  'grnBWVXaa26x5qJt5wIDAQAB',
)
const second = pem(
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDaBJSF7w0E3/EDiOyZQemUIiz/',
  'Mn+79n3q0G2QLZLIjrCj1Pa/XkAR8xTUwJMJKXMWYWLDpM9kASpc7+FD+/MX0o//',
  'REpge0SuZ2FoRysbi7HL7VGV/8eZZ6iy7m3vbNIZeJsjnexzhgGrSvHk2cL1zHQ6',
  'Hdp8AFStAw23tAGL6wIDAQAB',
)

/** Keys beside those of the two minions, by the list they stand in. */
export const keyFiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  minions_pre: { p1: first, p2: second, p3: first },
  minions_rejected: { r1: second },
  minions_denied: { p2: first },
}

const dicts: readonly MasterVariant[] = [
  ['wheel', 'key.name_match', ['*']],
  ['wheel', 'key.name_match', ['p1,r1']],
  ['wheel', 'key.name_match', [['p2', 'db*']]],
  ['wheel', 'key.name_match', ['nobody']],
  ['wheel', 'key.list', ['acc']],
  ['wheel', 'key.list', ['pre']],
  ['wheel', 'key.list', ['unaccepted']],
  ['wheel', 'key.list', ['rejected']],
  ['wheel', 'key.list', ['denied']],
  ['wheel', 'key.list', ['all']],
  ['wheel', 'key.list', ['nothing']],
  ['wheel', 'key.list_all'],
  ['wheel', 'key.print', ['p1']],
  ['wheel', 'key.print', ['p*']],
  ['wheel', 'key.print', ['nobody']],
  ['wheel', 'key.key_str', ['p1']],
  ['wheel', 'key.finger', ['p1']],
  ['wheel', 'key.finger', ['p*'], { hash_type: 'md5' }],
  ['wheel', 'key.finger', ['p1'], { hash_type: 'sha512' }],
  ['wheel', 'key.finger', ['nobody']],
  ['wheel', 'key.accept_dict', [{ minions_pre: ['p1', 'nobody'] }]],
  ['wheel', 'key.accept_dict', [{ minions_pre: ['r1'] }]],
  ['wheel', 'key.accept_dict', ['p3']],
  ['wheel', 'key.accept_dict', [{ minions_rejected: ['r1'] }]],
  ['wheel', 'key.accept_dict', [{ minions_rejected: ['r1'] }], { include_rejected: true }],
  ['wheel', 'key.list_all'],
  ['wheel', 'key.reject_dict', [{ minions: ['p1'] }]],
  ['wheel', 'key.reject_dict', [{ minions: ['p1'] }], { include_accepted: true }],
  ['wheel', 'key.reject_dict', [{ minions_pre: ['p3'] }]],
  ['wheel', 'key.delete_dict', [{ minions: ['p3'] }]],
  ['wheel', 'key.delete_dict', [{ minions_rejected: ['p3', 'nobody'] }]],
  ['wheel', 'key.delete_dict', [{ minions_denied: ['p2'] }]],
  ['wheel', 'key.list_all'],
  ['wheel', 'key.accept', ['nobody']],
  ['wheel', 'key.reject', ['nobody']],
  ['wheel', 'key.delete', ['nobody']],
  ['wheel', 'key.accept', ['p1'], { include_rejected: true }],
  ['wheel', 'key.accept', ['p*']],
  ['wheel', 'key.reject', ['p2'], { include_accepted: true }],
  ['wheel', 'key.delete', ['p*']],
  ['wheel', 'key.delete', ['r1']],
  ['wheel', 'key.list_all'],
  ['wheel', 'key.accept', []],
  ['wheel', 'key.gen', [], { keysize: 'x' }],
  ['wheel', 'key.nothing'],
]

const roots = (name: 'file_roots' | 'pillar_roots', text: string): readonly MasterVariant[] => [
  ['wheel', `${name}.find`, ['top.sls']],
  ['wheel', `${name}.find`, ['nothing.sls']],
  ['wheel', `${name}.find`, ['top.sls'], { saltenv: 'gone' }],
  ['wheel', `${name}.find`, ['../elsewhere/secret.txt']],
  ['wheel', `${name}.read`, [text]],
  ['wheel', `${name}.read`, ['../elsewhere/secret.txt']],
  ['wheel', `${name}.list_env`, []],
  ['wheel', `${name}.list_env`, ['gone']],
  ['wheel', `${name}.list_roots`],
  ['wheel', `${name}.write`, ['x: 1\n', 'new/made.sls']],
  ['wheel', `${name}.read`, ['new/made.sls']],
  ['wheel', `${name}.write`, ['x: 2\n', 'new/made.sls']],
  ['wheel', `${name}.read`, ['new/made.sls']],
  ['wheel', `${name}.write`, ['x', 'y.sls'], { saltenv: 'gone' }],
  ['wheel', `${name}.write`, ['x', 'y.sls'], { index: 3 }],
  ['wheel', `${name}.write`, ['x', '/etc/y.sls']],
  ['wheel', `${name}.write`, ['x', '../y.sls']],
  ['wheel', `${name}.write`, ['x', 'a/../../y.sls']],
]

const caches: readonly MasterVariant[] = [
  ['runner', 'cache.list', ['mycache']],
  ['runner', 'cache.fetch', ['mycache', 'a']],
  ['runner', 'cache.store', ['mycache', 'a', 'The time has come']],
  ['runner', 'cache.store', ['mycache/deep', 'b', { n: [1, null, true] }]],
  ['runner', 'cache.list', ['mycache']],
  ['runner', 'cache.list', ['mycache/deep']],
  ['runner', 'cache.fetch', ['mycache', 'a']],
  ['runner', 'cache.fetch', ['mycache/deep', 'b']],
  ['runner', 'cache.fetch', ['mycache', 'nothing']],
  ['runner', 'cache.flush', ['mycache', 'nothing']],
  ['runner', 'cache.flush', ['mycache', 'a']],
  ['runner', 'cache.list', ['mycache']],
  ['runner', 'cache.flush', ['mycache']],
  ['runner', 'cache.flush', ['mycache']],
  ['runner', 'cache.list', ['mycache']],
  ['runner', 'cache.clear_pillar'],
  ['runner', 'cache.clear_all'],
  ['runner', 'cache.clear_grains', ['nobody']],
  ['runner', 'cache.clear_mine', ['nobody']],
  ['runner', 'cache.clear_mine_func', ['nobody'], { clear_mine_func_flag: 'test.ping' }],
  ['runner', 'cache.clear_git_lock', ['nothing']],
  ['runner', 'cache.clear_git_lock', ['gitfs']],
  ['runner', 'cache.clear_git_lock', ['gitfs'], { nothing: 1 }],
  ['runner', 'cache.cloud', ['*']],
  ['runner', 'cache.grains', ['nobody']],
  ['runner', 'cache.grains', []],
  ['runner', 'cache.pillar', ['nobody']],
  ['runner', 'cache.mine', ['nobody']],
]

const looks = ['joined', 'allowed', 'alived', 'reaped', 'present']
const manage: readonly MasterVariant[] = [
  ['runner', 'manage.up'],
  ['runner', 'manage.down'],
  ['runner', 'manage.status'],
  ['runner', 'manage.status', [], { tgt: 'db1' }],
  ['runner', 'manage.status', [], { tgt: 'nobody' }],
  ['runner', 'manage.up', ['web*']],
  ['runner', 'manage.list_state'],
  ['runner', 'manage.list_not_state'],
  ...looks.flatMap((name): MasterVariant[] => [
    ['runner', `manage.${name}`],
    ['runner', `manage.not_${name}`],
  ]),
  ['runner', 'manage.present', [], { subset: ['db1', 'nobody'] }],
  ['runner', 'manage.not_present', [], { subset: ['db1'] }],
  ['runner', 'manage.nothing'],
]

const fileserver: readonly MasterVariant[] = [
  ['runner', 'fileserver.clear_file_list_cache', [], { saltenv: 'gone' }],
  ['runner', 'fileserver.envs'],
  ['runner', 'fileserver.envs', [], { backend: 'roots' }],
  ['runner', 'fileserver.envs', [], { backend: 'git' }],
  ['runner', 'fileserver.file_list'],
  ['runner', 'fileserver.file_list', ['gone']],
  ['runner', 'fileserver.file_list', [], { backend: 'roots' }],
  ['runner', 'fileserver.file_list', [], { backend: '-roots' }],
  ['runner', 'fileserver.dir_list'],
  ['runner', 'fileserver.empty_dir_list'],
  ['runner', 'fileserver.symlink_list'],
  ['runner', 'fileserver.symlink_list', ['gone']],
  ['runner', 'fileserver.update'],
  ['runner', 'fileserver.update', [], { backend: 'git' }],
  ['runner', 'fileserver.clear_cache'],
  ['runner', 'fileserver.clear_lock'],
  ['runner', 'fileserver.lock'],
]

const none = '20200101000000000000'
const jobs: readonly MasterVariant[] = [
  ['runner', 'jobs.lookup_jid', [none]],
  ['runner', 'jobs.lookup_jid', [none], { missing: true }],
  ['runner', 'jobs.list_job', [none]],
  ['runner', 'jobs.print_job', [none]],
  ['runner', 'jobs.exit_success', [none]],
  ['runner', 'jobs.list_job', ['not-a-jid']],
  ['runner', 'jobs.last_run', [], { function: 'nothing.at_all' }],
  ['runner', 'jobs.last_run', [], { metadata: 'text' }],
  ['runner', 'jobs.list_jobs', [], { search_function: 'nothing.*' }],
  ['runner', 'jobs.list_jobs', [], { search_function: 'nothing.*', outputter: 'json' }],
  ['runner', 'jobs.list_jobs', [], { start_time: 'nonsense' }],
  ['runner', 'jobs.list_jobs', [], { start_time: '2035, Mar 16 19:00' }],
  ['runner', 'jobs.list_jobs', [], { end_time: '1999-01-01' }],
  ['runner', 'jobs.active'],
  ['runner', 'jobs.master'],
  ['runner', 'jobs.lookup_jid', []],
]

const others: readonly MasterVariant[] = [
  ['runner', 'salt.cmd', ['test.ping']],
  ['runner', 'salt.cmd', ['test.arg', 1, 'b'], { a: 1, __pub: 2 }],
  ['runner', 'salt.cmd', ['nothing.at_all']],
  ['runner', 'salt.cmd', ['cmd.run', 'echo hello']],
  ['runner', 'salt.cmd', ['pillar.items']],
  ['runner', 'salt.cmd', []],
  ['runner', 'salt.execute', ['*', 'test.ping']],
  ['runner', 'salt.execute', ['db1', 'test.echo'], { arg: ['hi'] }],
  ['runner', 'salt.execute', ['db1', 'test.arg'], { arg: [1], kwarg: { a: 2 } }],
  ['runner', 'salt.execute', ['web-asg-1,db1', 'test.ping'], { tgt_type: 'list' }],
  ['runner', 'salt.execute', ['nobody', 'test.ping']],
  ['runner', 'pillar.show_top', ['db1']],
  ['runner', 'pillar.show_top', ['web-asg-1']],
  ['runner', 'pillar.show_pillar', ['db1']],
  ['runner', 'pillar.show_pillar', ['nobody']],
  ['runner', 'pillar.show_pillar', ['db1'], { pillarenv: 'gone' }],
  ['runner', 'pillar.clear_pillar_cache', ['db1']],
  ['runner', 'pillar.show_pillar_cache', ['db1']],
  ['runner', 'test.arg', ['a', 1], { b: 2, __c: 3 }],
  ['runner', 'test.raw_arg', ['a', 1], { b: 2 }],
  ['runner', 'test.metasyntactic'],
  ['runner', 'test.metasyntactic', ['uk']],
  ['runner', 'test.metasyntactic', ['xx']],
  ['runner', 'test.stdout_print'],
  ['runner', 'test.sleep', [0]],
  ['runner', 'config.get', ['nothing']],
  ['runner', 'config.get', ['nothing'], { default: 'x' }],
  ['runner', 'config.get', ['timeout']],
  ['runner', 'error.error'],
  ['runner', 'error.error', [], { name: 'KeyError', message: 'gone' }],
  ['runner', 'event.send', ['my/tag', { a: 1 }]],
  ['runner', 'event.send', ['my/tag']],
  ['runner', 'event.send', []],
  ['runner', 'mine.get', ['*', 'network.nothing']],
  ['runner', 'match.compound_matches', ['db*', 'db1']],
  ['runner', 'match.compound_matches', ['web* or E@d.1', 'db1']],
  ['runner', 'match.compound_matches', ['not db*', 'db1']],
  ['runner', 'http.query', ['http://127.0.0.1:1/']],
  ['runner', 'http.query', ['http://127.0.0.1:1/'], { status: true }],
  ['runner', 'http.query', ['http://127.0.0.1:1/'], { test: true }],
  ['runner', 'http.query', []],
  ['runner', 'nothing.at_all'],
  ['runner', 'nothing'],
  ['wheel', 'minions.connected'],
  ['wheel', 'error.error'],
]

/** All of them. */
export const masterVariants: readonly MasterVariant[] = [
  ...others,
  ...manage,
  ...fileserver,
  ...jobs,
  ...caches,
  ...roots('file_roots', 'app/init.sls'),
  ['wheel', 'file_roots.find', ['app/bin.dat']],
  ['wheel', 'file_roots.read', ['app/bin.dat']],
  ['wheel', 'file_roots.read', ['outside/secret.txt']],
  ['wheel', 'file_roots.write', ['x', 'outside/y.sls']],
  ...roots('pillar_roots', 'db.sls'),
  ...dicts,
]
