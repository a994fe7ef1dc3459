// Package files that a package manager has fetched and kept, by name and version.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mapping } from '../../core/value/index.ts'
import { isErrno } from '../filesystem/os-error.ts'
import type { Call } from '../modules/module.ts'
import { runProgram } from '../modules/program.ts'

/** Where each package manager keeps its files, and what tells the name and the version of one. */
const places = {
  apt: { directory: '/var/cache/apt', ending: '.deb', ask: ['dpkg-deb', '--show'] },
  dnf: {
    directory: '/var/cache/dnf',
    ending: '.rpm',
    ask: ['rpm', '-qp', '--queryformat=%{NAME}\\t%|EPOCH?{%{EPOCH}:}:{}|%{VERSION}-%{RELEASE}'],
  },
} as const

/** The package managers whose files can be told. */
export type KeepsFiles = keyof typeof places

/** Each file by its package's name and version. A file that cannot be read is left out. */
export async function downloadedPackages(call: Call, manager: KeepsFiles, root = ''): Promise<Mapping> {
  const { directory, ending, ask } = places[manager]
  const found: Record<string, Mapping> = {}
  for (const path of await filesIn(join(root, directory), ending)) {
    const { stdout, retcode } = await runProgram(call, [...ask, path])
    const [name, version] = stdout.split('\t')
    if (retcode !== 0 || name === undefined || version === undefined) continue
    const about = await stat(path)
    const seconds = Math.floor(about.ctimeMs / 1000)
    const one = {
      path,
      size: about.size,
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
    return entries.filter((name) => name.endsWith(ending)).map((name) => join(directory, name))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}
