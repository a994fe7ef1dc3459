// pkg.downloaded: packages whose files are on the machine, installed or not.
import { isList, isMap, isMapping, type Mapping, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError, InformedCommandError } from '../../modules/errors.ts'
import { packageManagerOf } from '../../packages/of-machine.ts'
import { fulfils } from '../../packages/versions.ts'
import { type Wanted, wantedOf } from '../../packages/wanted.ts'
import { fine, would, wrong } from '../outcome.ts'
import type { StateCall, StateReturn } from '../state-module.ts'
import { shown } from './install-plan.ts'

/** The versions that are there, by name. */
async function versionsThere(call: StateCall): Promise<Map<string, string[]>> {
  const told = await call.salt('pkg.list_downloaded', [])
  const pairs = told !== null && isMap(told) ? Object.entries(told) : []
  return new Map(pairs.map(([name, versions]) => [name, isMapping(versions) ? Object.keys(versions) : []]))
}

/** `pkg.downloaded`. */
export async function downloaded(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const manager = packageManagerOf(call)
  if (manager.name === 'apk') return wrong(name, 'The pkg.downloaded state is not available on this platform')
  const pkgs = args.value('pkgs')
  if (isList(pkgs) && pkgs.length === 0) return fine(name, 'No packages to download provided')
  const asked: Value = args.is('pkgs') ? pkgs : [args.is('version') ? { [name]: args.value('version') } : name]
  const wanted = wantedOf(asked, (one) => manager.normalize(call, one))
  const ignoreEpoch = args.value('ignore_epoch') === null ? undefined : args.is('ignore_epoch')
  const isThere = (all: ReadonlyMap<string, readonly string[]>, one: string, version: string | undefined): boolean => {
    const versions = all.get(one) ?? []
    if (versions.length === 0 || version === undefined) return versions.length > 0
    return fulfils(versions, version, { compare: manager.compare, ignoreEpoch })
  }
  const before = await versionsThere(call)
  const targets: Wanted = new Map([...wanted].filter(([one, version]) => !isThere(before, one, version)))
  if (targets.size === 0) {
    const versions = [...wanted.values()].some((version) => version !== undefined)
    return fine(
      name,
      `All specified packages${versions ? ' (matching specified versions)' : ''} are already downloaded`,
    )
  }
  const names = [...targets.keys()]
  if (call.test) return would(name, `The following packages would be downloaded: ${names.join(', ')}`)
  const { downloadonly: _, ...keywords } = args.cleanKeywords
  let changes: Mapping
  try {
    const options = { ...args.given(['fromrepo', 'ignore_epoch']), downloadonly: true, saltenv: call.env }
    const told = await call.salt('pkg.install', [], { ...keywords, ...options, name, pkgs: asked })
    changes = told !== null && isMapping(told) ? { ...told } : {}
  } catch (error) {
    if (error instanceof InformedCommandError) return wrong(name, error.withoutChanges, error.changes)
    if (!(error instanceof CommandExecutionError)) throw error
    return wrong(name, `An error was encountered while downloading package(s): ${error.message}`)
  }
  const after = await versionsThere(call)
  const failed = [...targets].filter(([one, version]) => !isThere(after, one, version)).map(([one]) => one)
  if (failed.length > 0) {
    const list = failed.map((one) => shown(one, targets)).join(', ')
    return wrong(name, `The following packages failed to download: ${list}`, changes)
  }
  return fine(name, Object.keys(changes).length > 0 ? '' : `Packages downloaded: ${names.join(', ')}`, changes)
}

/** `pkg.group_installed`: apt and apk know no groups. */
export function groupInstalled(args: Arguments, call: StateCall): StateReturn {
  const name = args.text('name')
  return packageManagerOf(call).name === 'dnf'
    ? wrong(
        name,
        `pkg.group_installed is not available: run "dnf group install '${name}'" by cmd.run, or name the packages in pkg.installed.`,
      )
    : wrong(name, 'pkg.group_install not available for this platform')
}
