// Package files that a package manager has fetched and kept, by name and version.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mapping } from '../../core/value/index.ts'
import { isErrno } from '../filesystem/os-error.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import type { Call } from '../modules/module.ts'
import { runProgram } from '../modules/program.ts'

/** Where each package manager keeps its files, and what tells the name and the version of one. */
const places = {
  apt: { directory: '/var/cache/apt', ending: '.deb', about: aboutDeb },
  dnf: { directory: '/var/cache/dnf', ending: '.rpm', about: aboutRpm },
} as const

/** The package managers whose files can be told. */
export type KeepsFiles = keyof typeof places

interface PackageFile {
  readonly name: string
  readonly version: string
}

/** A package for another architecture than the machine's is named with it. */
async function aboutDeb(call: Call, path: string): Promise<PackageFile> {
  const { retcode, stdout, stderr } = await runProgram(call, ['dpkg', '-I', path])
  if (retcode !== 0)
    throw new CommandExecutionError(`Unable to get info for ${path}${stderr === '' ? '' : `: ${stderr}`}`)
  const field = (key: string): string => new RegExp(`^\\s*${key}\\s*:\\s*(\\S+)`, 'm').exec(stdout)?.[1] ?? ''
  const { osarch } = call.agent.grains.all()
  const arch = field('Architecture')
  const isForeign = osarch === 'amd64' && arch !== 'all' && arch !== osarch
  return { name: field('Package') + (isForeign ? `:${arch}` : ''), version: field('Version') }
}

async function aboutRpm(call: Call, path: string): Promise<PackageFile | undefined> {
  const format = '--queryformat=%{NAME}\\t%|EPOCH?{%{EPOCH}:}:{}|%{VERSION}-%{RELEASE}'
  const { stdout, retcode } = await runProgram(call, ['rpm', '-qp', format, path])
  const [name, version] = stdout.split('\t')
  return retcode !== 0 || name === undefined || version === undefined ? undefined : { name, version }
}

/** Each file by its package's name and version. An rpm that cannot be read is left out, a deb is an error, as in Salt. */
export async function downloadedPackages(call: Call, manager: KeepsFiles, root = ''): Promise<Mapping> {
  const { directory, ending, about } = places[manager]
  const found: Record<string, Mapping> = {}
  for (const path of await filesIn(join(root, directory), ending)) {
    const file = await about(call, path)
    if (file === undefined) continue
    const { name, version } = file
    const { ctimeMs, size } = await stat(path)
    const seconds = Math.floor(ctimeMs / 1000)
    const one = {
      path,
      size,
      creation_date_time_t: seconds,
      creation_date_time: new Date(seconds * 1000).toISOString().slice(0, 19),
    }
    found[name] = { ...found[name], [version]: one }
  }
  return found
}

async function filesIn(directory: string, ending: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true })
    return entries
      .filter((name) => name.endsWith(ending))
      .sort()
      .map((name) => join(directory, name))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}
