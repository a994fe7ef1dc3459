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
  ['runner', 'nothing.at_all'],
  ['runner', 'nothing'],
  ['wheel', 'minions.connected'],
]

/** All of them. */
export const masterVariants: readonly MasterVariant[] = [...others, ...manage, ...fileserver, ...jobs]
