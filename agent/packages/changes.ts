// Installing, removing and upgrading, and what that changed.
import { join } from 'node:path'
import { matchTag } from '../../core/event/tag-glob.ts'
import { isList, isMap, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { CommandExecutionError, InformedCommandError } from '../modules/errors.ts'
import type { Call } from '../modules/module.ts'
import { packageManagerOf } from './of-machine.ts'
import type { ChangeOptions, PackageAction, PackageTarget, Versions } from './package-manager.ts'
import { fulfils } from './versions.ts'
import { targetsOf } from './wanted.ts'

/** Versions as `pkg.list_pkgs` tells them: several of one package with commas between. */
export function joined(versions: Versions): Mapping {
  const names = Object.keys(versions).sort()
  return Object.fromEntries(names.map((name) => [name, (versions[name] ?? []).join(',')]))
}

/** `{name: {old, new}}` of what differs. */
function difference(before: Versions, after: Versions): Mapping {
  const [old, now] = [joined(before), joined(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
  const changed = names.filter((name) => old[name] !== now[name])
  return Object.fromEntries(changed.map((name) => [name, { old: old[name] ?? '', new: now[name] ?? '' }]))
}

/** `pkg.refresh_db` where `refresh` asks for it. */
export async function refreshIfAsked(args: Arguments, call: Call, usual: boolean): Promise<void> {
  const asked = args.keywords.refresh ?? args.value('refresh')
  if (!(asked === null ? usual : isTrue(asked))) return
  await call.salt('pkg.refresh_db', [], { cache_valid_time: args.keywords.cache_valid_time ?? 0 })
}

/** The file that says that nobody has fetched the lists in this run. `pkg.refresh_db` removes it. */
export function refreshMark({ agent }: Call): string {
  return join(pythonStr(agent.opts.cachedir ?? ''), 'pkg_refresh')
}

/** True as words of the command line can say it. */
export function isTrue(value: Value): boolean {
  return typeof value === 'string' ? ['true', '1'].includes(value.toLowerCase()) : pythonTruth(value)
}

/** `pkg.install`. Throws InformedCommandError with the package manager's words. */
export async function install(args: Arguments, call: Call): Promise<Mapping> {
  const manager = packageManagerOf(call)
  if (args.is('debconf'))
    throw new CommandExecutionError('debconf= is not available: answer with debconf-set-selections first.')
  const targets = await targetsOf(args, call, manager)
  if (targets.length === 0) return {}
  const { installed: before } = await manager.list(call)
  await refreshIfAsked(args, call, false)
  const chosen = await withVersions(targets, call, args.value('ignore_epoch') === true)
  const errors = [...chosen.errors]
  const again = args.is('reinstall')
  const groups: Record<'install' | 'downgrade' | 'reinstall', PackageTarget[]> = {
    install: [],
    downgrade: [],
    reinstall: [],
  }
  for (const target of chosen.targets)
    groups[actionFor(target, before[target.name] ?? [], again, manager.compare)].push(target)
  const options = optionsOf(args)
  const held = await manager.held(call)
  const letGo = chosen.targets.map(({ name }) => name).filter((name) => held.includes(name))
  for (const name of letGo) await manager.hold(call, name, false)
  for (const [action, group] of Object.entries(groups)) {
    if (group.length > 0) errors.push(...(await manager.change(call, action as PackageAction, group, options)))
  }
  for (const name of letGo) await manager.hold(call, name, true)
  const { installed: after } = await manager.list(call)
  const changes = difference(before, after)
  for (const { name } of groups.reinstall)
    changes[name] ??= { old: (before[name] ?? []).join(','), new: (after[name] ?? []).join(',') }
  if (errors.length > 0)
    throw new InformedCommandError('Problem encountered installing package(s)', { errors, changes })
  return changes
}

function actionFor(
  { version, file }: PackageTarget,
  before: readonly string[],
  again: boolean,
  compare: (a: string, b: string) => number,
): 'install' | 'downgrade' | 'reinstall' {
  if (before.length === 0) return 'install'
  if (version === undefined || file !== undefined) return again ? 'reinstall' : 'install'
  if (again && before.some((installed) => compare(version, installed) === 0)) return 'reinstall'
  return before.some((installed) => compare(version, installed) >= 0) ? 'install' : 'downgrade'
}

/** Puts the newest version that fulfils it in the place of a condition like `>=1.2` or `1.*`. */
async function withVersions(
  targets: readonly PackageTarget[],
  call: Call,
  ignoreEpoch: boolean,
): Promise<{ targets: PackageTarget[]; errors: string[] }> {
  const manager = packageManagerOf(call)
  const open = targets.filter(({ version = '' }) => /^[<>!]|\*|,/.test(version)).map(({ name }) => name)
  const available = open.length > 0 ? await manager.available(call, open) : {}
  const found: PackageTarget[] = []
  const errors: string[] = []
  for (const target of targets) {
    const { name, version } = target
    if (version === undefined || !open.includes(name)) {
      found.push(version === undefined ? target : { ...target, version: version.replace(/^=+\s*/, '') })
      continue
    }
    const candidates = available[name] ?? []
    const match = candidates.find((candidate) =>
      fulfils([candidate], version, { compare: manager.compare, ...(ignoreEpoch ? { ignoreEpoch } : {}) }),
    )
    if (match !== undefined) found.push({ ...target, version: match })
    else {
      const told = candidates.length > 0 ? candidates.join(', ') : 'None'
      errors.push(`No version matching '${name}${version}' could be found (available: ${told})`)
    }
  }
  return { targets: found, errors }
}

/** `pkg.remove` and `pkg.purge`. Throws InformedCommandError with the package manager's words. */
export async function uninstall(args: Arguments, call: Call, action: 'remove' | 'purge'): Promise<Mapping> {
  const manager = packageManagerOf(call)
  const names = (await targetsOf(args, call, manager)).map(({ name }) => name)
  const before = await manager.list(call)
  const matching = (versions: Versions): string[] =>
    Object.keys(versions).filter((name) => names.some((pattern) => matchTag(pattern, name)))
  const targets = [...matching(before.installed), ...(action === 'purge' ? matching(before.removed) : [])]
  if (targets.length === 0) return {}
  const options = optionsOf(args)
  const errors = [
    ...(await manager.change(
      call,
      action,
      targets.map((name) => ({ name })),
      options,
    )),
  ]
  const after = await manager.list(call)
  const installed = difference(before.installed, after.installed)
  const hasRemains = action === 'purge' && manager.name === 'apt'
  const changes = hasRemains ? { removed: difference(before.removed, after.removed), installed } : installed
  if (errors.length > 0) throw new InformedCommandError('Problem encountered removing package(s)', { errors, changes })
  return changes
}

/** `pkg.upgrade` and `pkg.autoremove`. */
export async function changeAll(args: Arguments, call: Call, action: 'upgrade' | 'autoremove'): Promise<Mapping> {
  const manager = packageManagerOf(call)
  const { installed: before } = await manager.list(call)
  const targets = args.is('pkgs') ? await targetsOf(args, call, manager) : []
  const errors = [...(await manager.change(call, action, targets, optionsOf(args)))]
  const changes = difference(before, (await manager.list(call)).installed)
  if (errors.length > 0) throw new InformedCommandError('Problem encountered upgrading packages', { changes, errors })
  return changes
}

function optionsOf(args: Arguments): ChangeOptions {
  const { keywords } = args
  const given = (key: string): Value => keywords[key] ?? args.value(key)
  const fromrepo = pythonStr(given('fromrepo') ?? keywords.repo ?? '')
  const recommends = keywords.install_recommends
  return {
    fromrepo: fromrepo === '' ? undefined : fromrepo,
    skipVerify: pythonTruth(given('skip_verify')),
    downloadOnly: pythonTruth(given('downloadonly')) || pythonTruth(keywords.download_only ?? false),
    ...(recommends === undefined ? {} : { recommends: pythonTruth(recommends) }),
    newConfiguration: pythonTruth(keywords.force_conf_new ?? false),
    onlyUpgrade: pythonTruth(keywords.only_upgrade ?? false),
    distUpgrade: pythonTruth(given('dist_upgrade')),
    allowDowngrades: pythonTruth(keywords.allow_downgrades ?? false),
    env: environmentOf(keywords.env ?? null),
    words: repositoryWords(keywords),
  }
}

function environmentOf(value: Value): Record<string, string> {
  const maps = isList(value) ? value : [value]
  const pairs = maps.flatMap((map) => (map !== null && isMap(map) ? Object.entries(map) : []))
  return Object.fromEntries(pairs.map(([key, item]) => [key, pythonStr(item)]))
}

/** `enablerepo`, `disablerepo`, `disableexcludes`, `setopt` as dnf's words. */
function repositoryWords(keywords: Mapping): string[] {
  return ['enablerepo', 'disablerepo', 'disableexcludes', 'setopt'].flatMap((key) => {
    const value = keywords[key] ?? null
    const items = isList(value) ? value : value === null || value === '' ? [] : pythonStr(value).split(',')
    return items.map((item) => `--${key}=${pythonStr(item)}`)
  })
}
