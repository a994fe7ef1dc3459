// Packages by dnf (or yum, where there is no dnf) and rpm.
import { pythonStr } from '../../core/value/index.ts'
import { which } from '../modules/cmd-run.ts'
import { CommandExecutionError, SaltInvocationError } from '../modules/errors.ts'
import type { Call } from '../modules/module.ts'
import { outputOf, type ProgramOptions, runProgram } from '../modules/program.ts'
import type { ChangeOptions, PackageAction, PackageManager, PackageTarget, Versions } from './package-manager.ts'
import { compareRpm } from './versions.ts'

async function program(): Promise<'dnf' | 'yum'> {
  return (await which('dnf')) === undefined ? 'yum' : 'dnf'
}

async function runDnf(call: Call, words: readonly string[], options: ProgramOptions = {}) {
  return runProgram(call, [await program(), ...words], options)
}

const arches = /\.(noarch|i[3-6]86|x86_64|aarch64|ppc64(?:le)?|s390x?|armv\w+)$/

/** A name as lists have it: with its architecture where that is another than this machine's. */
function named(call: Call, name: string, arch: string): string {
  return [pythonStr(call.agent.grains.all().osarch ?? ''), 'noarch', '(none)'].includes(arch) ? name : `${name}.${arch}`
}

async function list(call: Call) {
  const format = '%{NAME}_|-%{EPOCH}_|-%{VERSION}_|-%{RELEASE}_|-%{ARCH}\\n'
  const output = await outputOf(call, ['rpm', '-qa', '--nodigest', '--nosignature', '--queryformat', format])
  const installed: Record<string, string[]> = {}
  for (const line of output.split('\n')) {
    const [bare, epoch, version, release, arch] = line.split('_|-')
    if (bare === undefined || version === undefined || arch === undefined) continue
    const name = named(call, bare, arch)
    const before = epoch === '(none)' || epoch === '0' || epoch === undefined ? '' : `${epoch}:`
    const whole = `${before}${version}${release === undefined || release === '' ? '' : `-${release}`}`
    installed[name] = [...(installed[name] ?? []), whole].sort()
  }
  return { installed, removed: {}, purgeDesired: {} }
}

/** The lines `name.arch version repository`, which may be broken where a column is long. */
function listed(call: Call, output: string): [string, string][] {
  const words = output.split('\n').flatMap((line) => {
    const columns = line.trim().split(/\s+/)
    return columns.length === 3 || line.startsWith(' ') || columns.length === 1 ? columns : []
  })
  const found: [string, string][] = []
  for (let at = 0; at + 2 < words.length + 1; at += 1) {
    const [name = '', version = '', repository] = words.slice(at, at + 3)
    const [arch] = arches.exec(name) ?? []
    if (arch === undefined || repository === undefined || !/\d/.test(version)) continue
    found.push([named(call, name.slice(0, -arch.length), arch.slice(1)), version.replace(/^0:/, '')])
    at += 2
  }
  return found
}

async function available(call: Call, names: readonly string[], fromrepo?: string): Promise<Record<string, string[]>> {
  const repo = fromrepo === undefined ? [] : ['--disablerepo=*', `--enablerepo=${fromrepo}`]
  const { stdout } = await runDnf(call, ['--quiet', ...repo, 'list', '--showduplicates', 'available', ...names])
  const found: Record<string, string[]> = {}
  for (const [name, version] of listed(call, stdout)) found[name] = [...(found[name] ?? []), version]
  for (const versions of Object.values(found)) versions.sort((a, b) => compareRpm(b, a))
  return found
}

async function candidates(call: Call, names: readonly string[], { fromrepo }: { fromrepo?: string | undefined }) {
  const versions: Versions = await available(call, names, fromrepo)
  const { installed } = await list(call)
  return Object.fromEntries(
    names.flatMap((name) => {
      // What is installed and current is not listed as available.
      const [newest] = [...(versions[name] ?? []), ...(installed[name] ?? [])].sort((a, b) => compareRpm(b, a))
      return newest === undefined ? [] : [[name, newest]]
    }),
  )
}

function dnfWords(
  name: 'dnf' | 'yum',
  action: PackageAction,
  targets: readonly PackageTarget[],
  options: ChangeOptions,
): string[] {
  const repo = options.fromrepo === undefined ? [] : ['--disablerepo=*', `--enablerepo=${options.fromrepo}`]
  const more = [
    ...repo,
    ...(options.words ?? []),
    ...(options.skipVerify === true ? ['--nogpgcheck'] : []),
    ...(options.downloadOnly === true ? ['--downloadonly'] : []),
    ...(options.recommends === undefined
      ? []
      : [`--setopt=install_weak_deps=${options.recommends ? 'True' : 'False'}`]),
  ]
  const verb = action === 'purge' ? 'remove' : action
  const best = name === 'dnf' && action === 'install' ? ['--best', '--allowerasing'] : []
  const words = targets.map((target) => {
    if (target.file !== undefined) return target.file
    if (target.version === undefined) return target.name
    const [arch = ''] = arches.exec(target.name) ?? []
    const bare = target.name.slice(0, target.name.length - arch.length)
    return `${bare}-${target.version.replace(/^\d+:/, '')}${arch}`
  })
  return ['-y', ...best, ...more, verb, ...words]
}

/** RedHat's, and of those that come from it. */
export const dnf: PackageManager = {
  name: 'dnf',
  compare: compareRpm,
  normalize(call, name) {
    const [arch] = arches.exec(name) ?? []
    return arch === undefined ? name : named(call, name.slice(0, -arch.length), arch.slice(1))
  },
  list,
  async refresh(call) {
    await runDnf(call, ['--quiet', '--assumeyes', 'clean', 'expire-cache'])
    const { retcode } = await runDnf(call, ['--quiet', '--assumeyes', 'check-update'])
    return retcode === 100 ? true : retcode === 0 ? null : false
  },
  candidates,
  available: (call, names) => available(call, names),
  async upgrades(call, options) {
    const repo = options.fromrepo === undefined ? [] : ['--disablerepo=*', `--enablerepo=${options.fromrepo}`]
    const kind = (await program()) === 'dnf' ? '--upgrades' : 'updates'
    const { stdout } = await runDnf(call, ['--quiet', ...repo, 'list', kind])
    return Object.fromEntries(listed(call, stdout))
  },
  async change(call, action, targets, options) {
    const words = dnfWords(await program(), action, targets, options)
    const { retcode, stdout } = await runDnf(call, words, {
      merge: true,
      ...(options.env === undefined ? {} : { env: options.env }),
    })
    return retcode === 0 ? [] : [stdout]
  },
  async unneeded(call) {
    const output = await outputOf(call, [await program(), '--quiet', 'repoquery', '--unneeded', '--qf', '%{name}\n'])
    return output.split('\n').filter((name) => name !== '')
  },
  async held(call) {
    const result = await runDnf(call, ['--quiet', 'versionlock', 'list'])
    if (result.retcode !== 0) return []
    const lines = result.stdout.split('\n').map((line) => line.trim())
    return lines.flatMap((line) => /^(.+)-(?:\d+:)[^-]+-[^-]+\*?$/.exec(line)?.[1] ?? [])
  },
  async hold(call, name, held) {
    const result = await runDnf(call, ['-q', 'versionlock', held ? 'add' : 'delete', held ? name : `${name}-*`], {
      merge: true,
    })
    if (/No such command|Unknown argument/i.test(result.stdout))
      throw new SaltInvocationError('Packages cannot be held, the versionlock plugin is not installed.')
    if (result.retcode !== 0) throw new CommandExecutionError(result.stdout)
  },
  async owner(call, path) {
    const result = await runProgram(call, ['rpm', '-qf', '--queryformat', '%{NAME}', path])
    return result.retcode === 0 && !result.stdout.includes('not owned') ? result.stdout : undefined
  },
  async info(call, names) {
    const fields = {
      name: 'NAME',
      version: 'VERSION',
      release: 'RELEASE',
      arch: 'ARCH',
      group: 'GROUP',
      packager: 'PACKAGER',
      url: 'URL',
      vendor: 'VENDOR',
      size: 'SIZE',
      source: 'SOURCERPM',
      license: 'LICENSE',
      summary: 'SUMMARY',
      description: 'DESCRIPTION',
    }
    const format = `${Object.values(fields)
      .map((field) => `%{${field}}`)
      .join('\u001f')}\u001e`
    const words = names.length > 0 ? ['-q', ...names] : ['-qa']
    const output = await outputOf(call, ['rpm', ...words, '--queryformat', format], { raw: true })
    const told: Record<string, Record<string, string>> = {}
    for (const entry of output.split('\u001e')) {
      const values = entry.split('\u001f')
      if (values.length !== Object.keys(fields).length) continue
      const record = Object.fromEntries(Object.keys(fields).map((key, index) => [key, values[index] ?? '']))
      if (record.name !== undefined) told[record.name] = record
    }
    return told
  },
  async files(call, name) {
    const result = await runProgram(call, ['rpm', '-ql', name])
    return result.retcode === 0 ? result.stdout.split('\n').filter((line) => line.startsWith('/')) : []
  },
}
