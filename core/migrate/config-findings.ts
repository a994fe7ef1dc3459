// A Salt master's configuration, key by key.

import type { ConfigKey, ConfigKeys } from '../config/key.ts'
import { parseMasterConfig } from '../config/master.ts'
import { masterKeys } from '../config/master-keys.ts'
import { type ConfigFile, mergeFiles, type Written } from '../config/merge.ts'
import { minionKeys } from '../config/minion-keys.ts'
import type { ConfigProblem } from '../config/problem.ts'
import { saltOnlyKeys } from '../config/salt-only-keys.ts'
import { entries, isList, isMap, pythonStr, type Value } from '../value/index.ts'
import type { Finding } from './finding.ts'

/** Keys of Salt's whose absence is felt, and what to do instead. The first pattern that matches counts. */
const felt: readonly (readonly [RegExp, string])[] = [
  [/^(gitfs|hgfs|svnfs|minionfs|s3fs)_/, 'Check the repository out into a folder of file_roots, from cron or a hook.'],
  [/^git_pillar_/, 'Check the repository out into a folder of pillar_roots, from cron or a hook.'],
  [/^winrepo_/, 'There is no minion for Windows.'],
  [/^(engines|event_listen_queue|thorium)/, 'Write a reactor, or a program over the library (docs/library.md).'],
  [/^(master_tops|external_nodes|tops_dirs)/, 'Write the top file; its Jinja may ask grains and pillar.'],
  [
    /^(decrypt_pillar|gpg_|pass_)/,
    'Keep secrets in SSM or Secrets Manager (ext_pillar on AWS), or in files that the master alone reads.',
  ],
  [/^(syndic_|order_masters|cluster_)/, 'One master reaches all minions over HTTPS; there is no master of masters.'],
  [
    /^(ext_job_cache|master_job_cache|event_return|runner_returns|returner_dirs)/,
    'Jobs and events are kept by the master; minions send returns elsewhere by `return` (docs/returners.md).',
  ],
  [/^(proxy|add_proxymodule)/, 'There are no proxy minions.'],
  [/^(roster|ssh_|enable_ssh)/, 'There is no salt-ssh: put the minion on the machine.'],
  [/^(client_acl|publisher_acl_blacklist)/, 'Say in external_auth who may call what.'],
  [/^(rest_tornado|rest_wsgi)/, 'The REST API is that of rest_cherrypy.'],
  [
    /^(extension_modules|module_dirs|states_dirs|grains_dirs|utils_dirs|render_dirs|wheel_dirs|outputter_dirs)$/,
    'Code of your own is JavaScript: _modules, _states, _grains, _beacons, _runners in file_roots.',
  ],
  [/^(renderer_|sdb$|range_server|snapper|lock_saltenv|id_function|optimization_order)/, 'There is none.'],
]

/** Values that are what Salt does anyway, or what Brine does: nothing is missed. */
const usual: Readonly<Record<string, readonly string[]>> = {
  master_job_cache: ['local_cache'],
  fileserver_backend: ['roots'],
  renderer: ['jinja|yaml', 'yaml_jinja'],
  enable_ssh_minions: ['False'],
  lock_saltenv: ['False'],
  optimization_order: ['[0, 1, 2]'],
}

/** External authentication that Brine has. */
const backends = ['sharedsecret', 'file', 'oidc']

/** A finding for every key that is written in the files. */
export function configFindings(files: readonly ConfigFile[]): Finding[] {
  const written = mergeFiles(files, [])
  const { problems } = parseMasterConfig(files)
  const wrong = problems.filter(({ severity }) => severity === 'error')
  const unread = wrong.filter(({ message }) => !startsWithKey(message, written))
  return [
    ...unread.map(({ message, ...place }) => ({
      verdict: 'differs' as const,
      ...placeOf(place),
      subject: 'file',
      message,
    })),
    ...[...written].map(([key, given]) => findingOf(key, given, wrong)),
    ...backendFindings(written.get('external_auth')),
  ]
}

function startsWithKey(message: string, written: ReadonlyMap<string, Written>): boolean {
  return [...written.keys()].some((key) => message.startsWith(key))
}

function placeOf({ file, line }: { readonly file: string; readonly line?: number | undefined }): {
  file: string
  line?: number
} {
  return line === undefined ? { file } : { file, line }
}

function findingOf(key: string, given: Written, wrong: readonly ConfigProblem[]): Finding {
  const base = { ...placeOf(given), subject: key }
  const own = wrong.filter(({ message, file }) => message.startsWith(key) && file === given.file)
  if (own.length > 0) return { ...base, verdict: 'differs', message: own.map(({ message }) => message).join(' ') }
  if (key === 'ext_pillar' && !isForAws(given.value))
    return {
      ...base,
      verdict: 'missing',
      message: 'Only ssm and secretsmanager, on AWS. Write what it gives into pillar_roots.',
    }
  if (Object.hasOwn(masterKeys, key)) return { ...base, ...ofKnown(key, given.value) }
  const why = saltOnlyKeys.get(key)
  if (why !== undefined) return { ...base, ...withoutEffect(key, given.value, why) }
  if (Object.hasOwn(minionKeys, key))
    return { ...base, verdict: 'differs', message: 'It is a key of minions: write it into theirs.' }
  if (key.includes('.') || key.startsWith('_')) return { ...base, verdict: 'works', message: '' }
  return { ...base, verdict: 'differs', message: 'Neither Salt nor Brine has this key; config.get reads it.' }
}

/** Keys that templates see and that do nothing, whose lack is felt where they are set to something. */
const feltKeys = /^(?:publisher_acl|peer|peer_run|job_cache)$/

function ofKnown(key: string, value: Value): Pick<Finding, 'verdict' | 'message'> {
  const known: ConfigKey | undefined = (masterKeys as ConfigKeys)[key]
  if (known?.unused === undefined) return { verdict: 'works', message: '' }
  return { verdict: feltKeys.test(key) && value !== known.value ? 'missing' : 'unneeded', message: known.unused }
}

function withoutEffect(key: string, value: Value, why: string): Pick<Finding, 'verdict' | 'message'> {
  if (isUsual(key, value)) return { verdict: 'unneeded', message: why }
  if (key === 'fileserver_backend') return { verdict: 'missing', message: `${why} Of ${pythonStr(value)} only roots.` }
  if (key === 'renderer')
    return { verdict: 'missing', message: 'SLS files are jinja|yaml, or yaml, json, jinja|json by their first line.' }
  const instead = felt.find(([pattern]) => pattern.test(key))?.[1]
  return instead === undefined ? { verdict: 'unneeded', message: why } : { verdict: 'missing', message: instead }
}

function isUsual(key: string, value: Value): boolean {
  const known = usual[key]
  if (known === undefined) return false
  return (isList(value) && key === 'fileserver_backend' ? value : [value]).every((one) =>
    known.includes(pythonStr(one)),
  )
}

function isForAws(value: Value): boolean {
  return (
    isList(value) &&
    value.every((one) => isMap(one) && entries(one).some(([name]) => name === 'ssm' || name === 'secretsmanager'))
  )
}

function backendFindings(given: Written | undefined): Finding[] {
  if (given === undefined || !isMap(given.value)) return []
  return entries(given.value)
    .map(([name]) => pythonStr(name))
    .filter((name) => !backends.includes(name))
    .map((name) => ({
      verdict: 'missing' as const,
      ...placeOf(given),
      subject: `external_auth: ${name}`,
      message: `There are ${backends.join(', ')}; oidc takes tokens of an identity provider (docs/api.md).`,
    }))
}
