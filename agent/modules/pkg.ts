// Packages: installed, removed, asked about, with whatever package manager this machine has.
import { rm } from 'node:fs/promises'
import { matchTag } from '../../core/event/tag-glob.ts'
import { isList, isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { changeAll, install, isTrue, joined, refreshIfAsked, refreshMark, uninstall } from '../packages/changes.ts'
import { downloadedPackages } from '../packages/downloaded.ts'
import { packageManagerOf } from '../packages/of-machine.ts'
import type { PackageLists, Versions } from '../packages/package-manager.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError, SaltInvocationError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { bookFunctions } from './pkg-books.ts'
import { repositoryFunctions } from './pkg-repositories.ts'

const namesOf = (args: Arguments): string[] => args.positional.map(pythonStr)

/** One name's value alone, several by name. */
const oneOrAll = (found: Mapping): Value => {
  const [only, ...more] = Object.values(found)
  return only !== undefined && more.length === 0 ? only : found
}

async function latest(args: Arguments, call: Call): Promise<Value> {
  const names = namesOf(args)
  if (names.length === 0) return ''
  if ('repo' in args.keywords) throw new SaltInvocationError("The 'repo' argument is invalid, use 'fromrepo' instead")
  await refreshIfAsked(args, call, true)
  const manager = packageManagerOf(call)
  const { installed } = await manager.list(call)
  const fromrepo = args.keywords.fromrepo ?? null
  const found = await manager.candidates(call, names, { fromrepo: fromrepo === null ? undefined : pythonStr(fromrepo) })
  const showInstalled = isTrue(args.keywords.show_installed ?? false)
  const told: Mapping = {}
  for (const name of names) {
    const candidate = found[name] ?? ''
    const isCurrent = (installed[name] ?? []).some((version) => manager.compare(version, candidate) >= 0)
    told[name] = candidate !== '' && isCurrent && !showInstalled ? '' : candidate
  }
  return names.length === 1 ? (told[names[0] ?? ''] ?? '') : told
}

async function version(args: Arguments, call: Call): Promise<Value> {
  const { installed } = await packageManagerOf(call).list(call)
  const asList = isTrue(args.keywords.versions_as_list ?? false)
  const told: Mapping = {}
  const shown = (name: string): Value => (asList ? [...(installed[name] ?? [])] : (installed[name] ?? []).join(','))
  const names = namesOf(args)
  for (const name of names) {
    if (!name.includes('*')) told[name] = shown(name)
    else for (const match of Object.keys(installed).filter((other) => matchTag(name, other))) told[match] = shown(match)
  }
  return names.some((name) => name.includes('*')) ? told : oneOrAll(told)
}

async function list(args: Arguments, call: Call): Promise<Value> {
  const lists: PackageLists = await packageManagerOf(call).list(call)
  const wanted: Versions = args.is('removed')
    ? lists.removed
    : args.is('purge_desired')
      ? lists.purgeDesired
      : { ...lists.purgeDesired, ...lists.installed }
  if (!isTrue(args.value('versions_as_list'))) return joined(wanted)
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, [...(wanted[name] ?? [])]]))
}

function hold(held: boolean): (args: Arguments, call: Call) => Promise<Mapping> {
  return async (args, call) => {
    const { name, pkgs, sources } = args.given(['name', 'pkgs', 'sources'])
    if (![name, pkgs, sources].some((value) => value !== undefined && value !== ''))
      throw new SaltInvocationError('One of name, pkgs, or sources must be specified.')
    if (pkgs !== undefined && sources !== undefined)
      throw new SaltInvocationError('Only one of pkgs or sources can be specified.')
    const manager = packageManagerOf(call)
    const already = await manager.held(call)
    const told: Mapping = {}
    for (const target of heldNames(pkgs ?? sources ?? [name ?? ''])) {
      told[target] = await holdOne(call, target, held, already.includes(target))
    }
    return told
  }
}

function heldNames(value: Value): string[] {
  if (value !== null && isMap(value)) return Object.keys(value)
  const items = isList(value) ? value : pythonStr(value).split(',')
  return items.map((item) => (item !== null && isMap(item) ? (Object.keys(item)[0] ?? '') : pythonStr(item)))
}

async function holdOne(call: Call, name: string, held: boolean, isHeld: boolean): Promise<Mapping> {
  const already = held ? 'is already set to be held.' : 'is already set not to be held.'
  if (held === isHeld) return { name, changes: {}, result: true, comment: `Package ${name} ${already}` }
  if (call.agent.opts.test === true) {
    const would = held ? 'is set to be held.' : 'is set not to be held.'
    return { name, changes: {}, result: null, comment: `Package ${name} ${would}` }
  }
  await packageManagerOf(call).hold(call, name, held)
  const changes = held ? { old: 'install', new: 'hold' } : { old: 'hold', new: 'install' }
  const comment = held ? `Package ${name} is now being held.` : `Package ${name} is no longer being held.`
  return { name, changes, result: true, comment }
}

async function owner(args: Arguments, call: Call): Promise<Value> {
  const found: Mapping = {}
  for (const path of namesOf(args)) found[path] = (await packageManagerOf(call).owner(call, path)) ?? ''
  return namesOf(args).length === 0 ? '' : oneOrAll(found)
}

async function info(args: Arguments, call: Call): Promise<Value> {
  const names = namesOf(args)
  const told = await packageManagerOf(call).info(call, names)
  const missing = names.find((name) => told[name] === undefined && !name.includes('*'))
  if (missing !== undefined && isTrue(args.keywords.failhard ?? true))
    throw new CommandExecutionError(`No packages found matching ${missing}`)
  return Object.fromEntries(Object.entries(told).map(([name, fields]) => [name, { ...fields }]))
}

const targetOptions = `

name
    The package; several with commas between.
pkgs
    A list of packages; \`\`{name: version}\`\` for a version.`

const installDoc = `Install packages. Returns what changed, \`\`{name: {old, new}}\`\`.${targetOptions}
sources
    A list of \`\`{name: path or URL}\`\` of package files.
version
    The version to install of the package \`\`name\`\`; also \`\`>=1.2\`\` or \`\`1.*\`\`.
refresh
    Fetch the package lists first.
fromrepo
    The repository or release to take it from.
skip_verify, reinstall, downloadonly, install_recommends, only_upgrade, force_conf_new, env
    As the package manager knows them.${examples("brine '*' pkg.install hello", `brine '*' pkg.install pkgs='["foo", {"bar": "1.2.3-0ubuntu0"}]'`, `brine '*' pkg.install sources='[{"foo": "salt://foo.deb"}]'`)}`

/** Salt's `pkg` module. */
export const pkg: ExecutionModule = {
  name: 'pkg',
  file: 'pkg',
  functions: {
    ...repositoryFunctions,
    ...bookFunctions,
    install: define(
      'name=None, refresh=False, fromrepo=None, skip_verify=False, debconf=None, pkgs=None, sources=None, reinstall=False, downloadonly=False, ignore_epoch=False, normalize=True, **kwargs',
      installDoc,
      install,
    ),
    remove: define(
      'name=None, pkgs=None, **kwargs',
      `Remove packages. Returns what changed.${targetOptions}${examples("brine '*' pkg.remove hello", `brine '*' pkg.remove pkgs='["foo", "bar"]'`)}`,
      (args, call) => uninstall(args, call, 'remove'),
    ),
    purge: define(
      'name=None, pkgs=None, **kwargs',
      `Remove packages with their configuration. Returns what changed.${targetOptions}${examples("brine '*' pkg.purge hello", `brine '*' pkg.purge pkgs='["foo", "bar"]'`)}`,
      (args, call) => uninstall(args, call, 'purge'),
    ),
    autoremove: define(
      'list_only=False',
      `Remove what was installed for others and is not needed any more. Returns what changed.

list_only
    Only list it.${examples("brine '*' pkg.autoremove", "brine '*' pkg.autoremove list_only=True")}`,
      async (args, call) =>
        isTrue(args.value('list_only'))
          ? [...(await packageManagerOf(call).unneeded(call))]
          : changeAll(args, call, 'autoremove'),
    ),
    upgrade: define(
      'refresh=True, dist_upgrade=False, **kwargs',
      `Upgrade all packages. Returns what changed.

refresh
    Fetch the package lists first.
dist_upgrade
    Also install and remove what upgrades need.${examples("brine '*' pkg.upgrade", "brine '*' pkg.upgrade dist_upgrade=True")}`,
      async (args, call) => {
        await refreshIfAsked(args, call, true)
        return changeAll(args, call, 'upgrade')
      },
    ),
    refresh_db: define(
      'cache_valid_time=0, failhard=False, **kwargs',
      `Fetch the package lists. Returns the repositories: True, fetched; None, had not changed; False, failed.

cache_valid_time
    Seconds for which lists fetched before will do.
failhard
    Fail where one repository fails.${examples("brine '*' pkg.refresh_db")}`,
      async (args, call) => {
        await rm(refreshMark(call), { force: true })
        return packageManagerOf(call).refresh(call, {
          failhard: isTrue(args.value('failhard')),
          validFor: args.numberIfAny('cache_valid_time') ?? 0,
        })
      },
    ),
    latest_version: define(
      '*names, **kwargs',
      `Return the newest version to be had of packages, the empty text where the installed one is it.

refresh
    Fetch the package lists first. Default: True
fromrepo
    The repository or release to look in.
show_installed
    The version also where it is installed.${examples("brine '*' pkg.latest_version hello", "brine '*' pkg.latest_version foo bar refresh=False")}`,
      latest,
    ),
    available_version: define(
      '*names, **kwargs',
      `The same as pkg.latest_version.${examples("brine '*' pkg.available_version hello")}`,
      latest,
    ),
    upgrade_available: define(
      'name, **kwargs',
      `Return whether a newer version of a package can be had.${examples("brine '*' pkg.upgrade_available hello")}`,
      async (args, call) => (await call.salt('pkg.latest_version', [args.value('name')], args.cleanKeywords)) !== '',
    ),
    version: define(
      '*names, **kwargs',
      `Return the installed version of packages, the empty text of one that is not installed.${examples("brine '*' pkg.version hello", "brine '*' pkg.version foo bar", "brine '*' pkg.version 'python*'")}`,
      version,
      { readOnly: true },
    ),
    list_pkgs: define(
      'versions_as_list=False, removed=False, purge_desired=False, **kwargs',
      `List the installed packages with their versions.

versions_as_list
    Versions as a list instead of a text.
removed
    Those that are removed with files of theirs left.
purge_desired
    Those to be purged once nothing needs them.${examples("brine '*' pkg.list_pkgs", "brine '*' pkg.list_pkgs versions_as_list=True")}`,
      list,
      { readOnly: true },
    ),
    list_downloaded: define(
      'root=None, **kwargs',
      `Return the package files that were fetched and kept, by name and version.

root
    Where the system is, unless it is this one.${examples("brine '*' pkg.list_downloaded")}`,
      (args, call) => {
        const { name } = packageManagerOf(call)
        if (name === 'apk') throw new CommandExecutionError('apk tells nothing of the files it fetched.')
        return downloadedPackages(call, name, args.textIfAny('root'))
      },
      { readOnly: true },
    ),
    list_upgrades: define(
      'refresh=True, dist_upgrade=True, **kwargs',
      `List the packages of which a newer version can be had, with that version.${examples("brine '*' pkg.list_upgrades", "brine '*' pkg.list_upgrades refresh=False")}`,
      async (args, call) => {
        await refreshIfAsked(args, call, true)
        const fromrepo = args.keywords.fromrepo
        const found = await packageManagerOf(call).upgrades(call, {
          distUpgrade: args.is('dist_upgrade'),
          fromrepo: fromrepo === undefined ? undefined : pythonStr(fromrepo),
        })
        return { ...found }
      },
    ),
    list_repo_pkgs: define(
      '*args, **kwargs',
      `List all versions to be had of packages, the newest first.${examples("brine '*' pkg.list_repo_pkgs", "brine '*' pkg.list_repo_pkgs foo bar")}`,
      async (args, call) => {
        const found = await packageManagerOf(call).available(call, namesOf(args))
        return Object.fromEntries(Object.entries(found).map(([name, versions]) => [name, [...versions]]))
      },
      { readOnly: true },
    ),
    hold: define(
      'name=None, pkgs=None, sources=None, **kwargs',
      `Hold packages at their version.${targetOptions}${examples("brine '*' pkg.hold hello", `brine '*' pkg.hold pkgs='["foo", "bar"]'`)}`,
      hold(true),
    ),
    unhold: define(
      'name=None, pkgs=None, sources=None, **kwargs',
      `Hold packages no longer.${targetOptions}${examples("brine '*' pkg.unhold hello", `brine '*' pkg.unhold pkgs='["foo", "bar"]'`)}`,
      hold(false),
    ),
    list_holds: define(
      '**kwargs',
      `List the packages that are held at their version.${examples("brine '*' pkg.list_holds")}`,
      async (_, call) => [...(await packageManagerOf(call).held(call))],
      { readOnly: true },
    ),
    owner: define(
      '*paths, **kwargs',
      `Return the package a file belongs to, the empty text where it is nobody's.${examples("brine '*' pkg.owner /usr/bin/apachectl", "brine '*' pkg.owner /usr/bin/apachectl /usr/bin/basename")}`,
      owner,
      { readOnly: true },
    ),
    info_installed: define(
      '*names, **kwargs',
      `Return what is known of installed packages: version, arch, group, packager, url, description, …${examples("brine '*' pkg.info_installed hello", "brine '*' pkg.info_installed nosuch failhard=False")}`,
      info,
      { readOnly: true },
    ),
    file_list: define(
      '*packages, **kwargs',
      `List the files of installed packages.${examples("brine '*' pkg.file_list hello")}`,
      async (args, call) => {
        const files: string[] = []
        const errors: string[] = []
        for (const name of namesOf(args)) {
          const found = await packageManagerOf(call).files(call, name)
          if (found.length === 0) errors.push(`Package ${name} is not installed`)
          files.push(...found)
        }
        return { errors, files: [...new Set(files)].sort() }
      },
      { readOnly: true },
    ),
    version_cmp: define(
      'pkg1, pkg2, ignore_epoch=False, **kwargs',
      `Compare two versions: -1, 0 or 1.${examples("brine '*' pkg.version_cmp '0.2.4-0ubuntu1' '0.2.4.1-0ubuntu1'")}`,
      (args, call) => {
        const bare = (text: string): string => (args.is('ignore_epoch') ? text.slice(text.indexOf(':') + 1) : text)
        return Math.sign(packageManagerOf(call).compare(bare(args.text('pkg1')), bare(args.text('pkg2'))))
      },
      { readOnly: true },
    ),
    normalize_name: define(
      'name',
      `Return a package's name without the architecture, where that is this machine's.${examples("brine '*' pkg.normalize_name zsh:amd64")}`,
      (args, call) => packageManagerOf(call).normalize(call, args.text('name')),
      { readOnly: true },
    ),
  },
}
