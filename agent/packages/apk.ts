// Packages by Alpine's apk.
import { CommandExecutionError, InformedCommandError } from '../modules/errors.ts'
import type { Call } from '../modules/module.ts'
import { outputOf, runProgram } from '../modules/program.ts'
import type { PackageAction, PackageManager, PackageTarget } from './package-manager.ts'
import { compareApk } from './versions.ts'

/** `name-1.2-r0` in its two parts; undefined for another line. */
function parted(line: string): [string, string] | undefined {
  const [, name, version] = /^(\S+)-(\d[^-\s]*-r\d+)/.exec(line) ?? []
  return name === undefined || version === undefined ? undefined : [name, version]
}

function collected(output: string): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const line of output.split('\n')) {
    const pair = parted(line)
    if (pair !== undefined) found[pair[0]] = [...(found[pair[0]] ?? []), pair[1]]
  }
  return found
}

async function search(call: Call, names: readonly string[]): Promise<Record<string, string[]>> {
  const output = await outputOf(call, ['apk', 'search', ...(names.length > 0 ? ['-e', '-a', ...names] : [])])
  const found = collected(output)
  for (const versions of Object.values(found)) versions.sort((a, b) => compareApk(b, a))
  return found
}

function apkWords(action: PackageAction, targets: readonly PackageTarget[], skipVerify: boolean): string[] {
  const names = targets.map(({ name, version, file }) => file ?? (version === undefined ? name : `${name}=${version}`))
  const trust = skipVerify ? ['--allow-untrusted'] : []
  switch (action) {
    case 'remove':
      return ['del', ...names]
    case 'purge':
      return ['del', '--purge', ...names]
    case 'upgrade':
      return names.length > 0 ? ['add', '-u', ...names] : ['upgrade']
    case 'reinstall':
      return ['fix', '--reinstall', ...names]
    case 'autoremove':
      throw new CommandExecutionError('apk removes what nothing needs by itself.')
    case 'install':
    case 'downgrade':
      return ['add', ...trust, '-u', ...names]
  }
}

/** Alpine's. */
export const apk: PackageManager = {
  name: 'apk',
  compare: compareApk,
  normalize: (_, name) => name,
  async list(call) {
    return { installed: collected(await outputOf(call, ['apk', 'info', '-v'])), removed: {}, purgeDesired: {} }
  },
  async refresh(call) {
    const result = await runProgram(call, ['apk', 'update'])
    if (result.retcode === 0) return true
    const errors = [result.stderr === '' ? result.stdout : result.stderr]
    throw new InformedCommandError('Problem encountered refreshing the package lists', { errors, changes: {} })
  },
  async candidates(call, names) {
    const found = await search(call, names)
    return Object.fromEntries(names.flatMap((name) => (found[name]?.[0] === undefined ? [] : [[name, found[name][0]]])))
  },
  available: search,
  async upgrades(call) {
    const result = await runProgram(call, ['apk', 'upgrade', '-s'])
    if (result.retcode !== 0) throw new CommandExecutionError(`${result.stderr}${result.stdout}`)
    const lines = result.stdout.matchAll(/Upgrading (\S+) \(\S+ -> (\S+)\)/g)
    return Object.fromEntries([...lines].map(([, name = '', version = '']) => [name, version]))
  },
  async change(call, action, targets, options) {
    const words = apkWords(action, targets, options.skipVerify === true)
    const { retcode, stdout, stderr } = await runProgram(call, ['apk', ...words])
    return retcode === 0 ? [] : [stderr === '' ? stdout : stderr]
  },
  unneeded: () => Promise.resolve([]),
  held: () => Promise.resolve([]),
  hold: () => {
    throw new CommandExecutionError('apk holds no packages: name a version in pkg.installed instead.')
  },
  async owner(call, path) {
    const { retcode, stdout } = await runProgram(call, ['apk', 'info', '-W', path])
    return retcode === 0 && stdout.includes('owned by ') ? stdout.split('owned by ')[1]?.trim() : undefined
  },
  async info(call, names) {
    const { installed } = await this.list(call)
    const wanted = names.length > 0 ? names : Object.keys(installed)
    return Object.fromEntries(
      wanted.flatMap((name) => {
        const [version] = installed[name] ?? []
        return version === undefined ? [] : [[name, { name, version }]]
      }),
    )
  },
  async files(call, name) {
    const lines = (await outputOf(call, ['apk', 'info', '-L', name])).split('\n')
    return lines.filter((line) => line !== '' && !line.endsWith('contains:')).map((line) => `/${line}`)
  },
}
