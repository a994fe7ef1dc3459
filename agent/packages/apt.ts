// Packages by apt and dpkg.
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import type { CommandResult } from '../modules/cmd-run.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import type { Call } from '../modules/module.ts'
import { outputOf, runProgram } from '../modules/program.ts'
import type { ChangeOptions, PackageAction, PackageLists, PackageManager, PackageTarget } from './package-manager.ts'
import { compareDebian } from './versions.ts'

const quiet = {
  APT_LISTBUGS_FRONTEND: 'none',
  APT_LISTCHANGES_FRONTEND: 'none',
  DEBIAN_FRONTEND: 'noninteractive',
  UCF_FORCE_CONFFOLD: '1',
}

/** Runs a program of apt's; where another one holds the lock, again and again for some minutes. */
async function runApt(call: Call, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  let result: CommandResult = await runProgram(call, argv, { env: { ...env, ...quiet } })
  for (let attempt = 1; attempt <= 8 && /Could not get lock|Unable to acquire/.test(result.stderr); attempt++) {
    call.agent.outside.log.warn(`Waiting for the lock of dpkg (${attempt} of 8): ${result.stderr}`)
    await sleep(2 ** attempt * 1000, undefined, { signal: call.signal })
    result = await runProgram(call, argv, { env: { ...env, ...quiet } })
  }
  return result
}

function archOf(call: Call): string {
  return pythonStr(call.agent.grains.all().osarch ?? '')
}

async function list(call: Call): Promise<PackageLists> {
  const fields = ['Status', 'Package', 'Version', 'Architecture'].map((field) => `\${${field}}`)
  const format = `${fields.join(' ')}\\n`
  const output = await outputOf(call, ['dpkg-query', '--showformat', format, '-W'])
  const arch = archOf(call)
  const lists = { installed: {}, removed: {}, purgeDesired: {} } as Record<keyof PackageLists, Record<string, string[]>>
  for (const line of output.split('\n')) {
    const [want = '', , status = '', bare, version, packageArch] = line.split(/\s+/)
    if (bare === undefined || version === undefined || packageArch === undefined) continue
    const name = packageArch === 'all' || arch !== 'amd64' || packageArch === arch ? bare : `${bare}:${packageArch}`
    const kind = listOf(want, status)
    if (kind !== undefined) lists[kind][name] = [...(lists[kind][name] ?? []), version].sort()
  }
  return lists
}

function listOf(want: string, status: string): keyof PackageLists | undefined {
  if ((want === 'install' || want === 'hold') && status.includes('installed')) return 'installed'
  if (want === 'deinstall') return 'removed'
  return want === 'purge' && status === 'installed' ? 'purgeDesired' : undefined
}

async function refresh(call: Call, { failhard, validFor }: { failhard: boolean; validFor: number }): Promise<Mapping> {
  if (validFor > 0 && (await isFresh(validFor))) return {}
  const result = await runApt(call, ['apt-get', '-q', 'update'])
  if (result.retcode !== 0) throw new CommandExecutionError(result.stderr)
  const told: Mapping = {}
  const failed: string[] = []
  for (const line of result.stdout.split('\n')) {
    const [word = '', ...rest] = line.trim().split(/\s+/)
    const ident = rest.join(' ')
    if (word.includes('Get')) told[ident.replace(/ \[.+B\]$/, '')] = true
    else if (word.includes('Ign')) told[ident] = false
    else if (word.includes('Hit')) told[ident] = null
    else if (word.includes('Err')) {
      told[ident] = false
      failed.push(ident)
    }
  }
  if (failhard && failed.length > 0) throw new CommandExecutionError(`Error getting repos: ${failed.join(', ')}`)
  return told
}

async function isFresh(seconds: number): Promise<boolean> {
  try {
    return (await stat('/var/lib/apt/lists')).mtimeMs + seconds * 1000 > Date.now()
  } catch {
    // Without lists there is nothing fresh.
    return false
  }
}

async function candidates(call: Call, names: readonly string[], { fromrepo }: { fromrepo?: string | undefined }) {
  const release = fromrepo === undefined ? [] : ['-o', `APT::Default-Release=${fromrepo}`]
  const output = await outputOf(call, ['apt-cache', '-q', 'policy', ...names, ...release])
  const found: Record<string, string> = {}
  let current = ''
  for (const line of output.split('\n')) {
    if (/^\S.*:$/.test(line)) current = line.slice(0, -1)
    const [, version] = /^\s+Candidate: (\S+)/.exec(line) ?? []
    if (version === undefined || version === '(none)') continue
    const bare = current.slice(0, current.lastIndexOf(':'))
    for (const name of names) if (name === current || (current.includes(':') && name === bare)) found[name] = version
  }
  return found
}

async function available(call: Call, names: readonly string[]): Promise<Record<string, string[]>> {
  const output = await outputOf(call, names.length > 0 ? ['apt-cache', 'show', ...names] : ['apt-cache', 'dump'])
  const found: Record<string, string[]> = {}
  let current: string | undefined
  for (const line of output.split('\n')) {
    const [, name] = /^Package: (.+)/.exec(line) ?? []
    if (name !== undefined) current = name
    const [, version] = /^\s*Version:\s+(.+)/.exec(line) ?? []
    if (version !== undefined && current !== undefined) found[current] = [...(found[current] ?? []), version]
  }
  return found
}

async function upgrades(call: Call, options: ChangeOptions): Promise<Record<string, string>> {
  const release = options.fromrepo === undefined ? [] : ['-o', `APT::Default-Release=${options.fromrepo}`]
  const verb = options.distUpgrade === false ? 'upgrade' : 'dist-upgrade'
  const result = await runApt(call, ['apt-get', '--just-print', verb, ...release])
  if (result.retcode !== 0) {
    const words = [result.stderr, result.stdout].find((text) => text !== '')
    throw new CommandExecutionError(`Failed to get upgrades${words === undefined ? '' : `: ${words}`}`)
  }
  const lines = result.stdout.matchAll(/^Conf (\S+) \((\S+)/gm)
  return Object.fromEntries([...lines].map(([, name = '', version = '']) => [name, version]))
}

/** The command line of a change. */
function aptWords(action: PackageAction, targets: readonly PackageTarget[], options: ChangeOptions): string[] {
  const names = targets.map(
    ({ name, version, file }) => file ?? (version === undefined || action === 'remove' ? name : `${name}=${version}`),
  )
  if (action === 'remove' || action === 'purge') return ['apt-get', '-q', '-y', action, ...targets.map((it) => it.name)]
  if (action === 'autoremove') return ['apt-get', '-q', '-y', 'autoremove']
  const keep = options.newConfiguration === true ? ['--force-confnew'] : ['--force-confold', '--force-confdef']
  const isFiles = targets.some(({ file }) => file !== undefined)
  return [
    'apt-get',
    '-q',
    '-y',
    ...keep.flatMap((option) => ['-o', `DPkg::Options::=${option}`]),
    ...(options.recommends === undefined
      ? []
      : [options.recommends ? '--install-recommends' : '--no-install-recommends']),
    ...(options.onlyUpgrade === true ? ['--only-upgrade'] : []),
    ...(options.skipVerify === true ? ['--allow-unauthenticated'] : []),
    ...(options.downloadOnly === true ? ['--download-only'] : []),
    ...(options.fromrepo === undefined || isFiles || action === 'upgrade' ? [] : ['-t', options.fromrepo]),
    ...(action === 'downgrade' || options.allowDowngrades === true ? ['--allow-downgrades'] : []),
    ...(options.words ?? []),
    action === 'upgrade' ? (options.distUpgrade === true ? 'dist-upgrade' : 'upgrade') : 'install',
    ...(action === 'reinstall' && !isFiles ? ['--reinstall'] : []),
    ...names,
  ]
}

/** What dpkg-query calls it, and what `pkg.info_installed` calls it. */
const infoFields = {
  Package: 'name',
  Version: 'version',
  Architecture: 'arch',
  Section: 'group',
  Maintainer: 'packager',
  Homepage: 'url',
  Origin: 'vendor',
  'Installed-Size': 'size',
  'source:Package': 'source',
  Description: 'description',
} as const

async function info(call: Call, names: readonly string[]): Promise<Record<string, Record<string, string>>> {
  const format = `${['db:Status-Abbrev', ...Object.keys(infoFields)].map((field) => `\${${field}}`).join('\\x1f')}\\x1e`
  const shown = format.replaceAll('\\x1f', '\u001f').replaceAll('\\x1e', '\u001e')
  const output = await outputOf(call, ['dpkg-query', '--showformat', shown, '-W', ...names], { raw: true })
  const told: Record<string, Record<string, string>> = {}
  for (const entry of output.split('\u001e')) {
    const [status = '', ...values] = entry.split('\u001f')
    if (status[1] !== 'i') continue
    const fields = Object.values(infoFields).map((key, index) => [key, values[index] ?? ''] as const)
    const record = Object.fromEntries(fields.filter(([, value]) => value !== ''))
    if (record.name !== undefined) told[record.name] = record
  }
  return told
}

/** Debian's, and of those that come from it. */
export const apt: PackageManager = {
  name: 'apt',
  compare: compareDebian,
  normalize(call, name) {
    const at = name.lastIndexOf(':')
    return at >= 0 && [archOf(call), 'all', 'any'].includes(name.slice(at + 1)) ? name.slice(0, at) : name
  },
  list,
  refresh,
  candidates,
  available,
  upgrades,
  async change(call, action, targets, options) {
    const { retcode, stdout, stderr } = await runApt(call, aptWords(action, targets, options), options.env)
    return retcode === 0 ? [] : [stderr === '' ? stdout : stderr]
  },
  async unneeded(call) {
    const output = await outputOf(call, ['apt-get', '-s', 'autoremove'])
    return [...output.matchAll(/^Remv (\S+)/gm)].map(([, name = '']) => name).sort()
  },
  async held(call) {
    const lines = (await outputOf(call, ['dpkg', '--get-selections'])).split('\n').map((line) => line.split(/\s+/))
    return lines.flatMap(([name = '', word]) => (word === 'hold' ? [name] : []))
  },
  async hold(call, name, held) {
    const stdin = `${name} ${held ? 'hold' : 'install'}\n`
    const result = await runProgram(call, ['dpkg', '--set-selections'], { stdin })
    if (result.retcode !== 0) throw new CommandExecutionError(result.stderr)
  },
  async owner(call, path) {
    const result = await runProgram(call, ['dpkg', '-S', path])
    return result.retcode === 0 ? result.stdout.split(':')[0] : undefined
  },
  info,
  async files(call, name) {
    const result = await runProgram(call, ['dpkg', '-L', name])
    return result.retcode === 0 ? result.stdout.split('\n').filter((line) => line.startsWith('/')) : []
  },
}
