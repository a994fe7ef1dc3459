// `pip.installed`: packages that are not there, or not as they should be, are installed at once.
import { messageOf } from '../../../core/error.ts'
import { entries, isMap, isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError, CommandNotFoundError } from '../../modules/errors.ts'
import { isAtLeast } from '../../modules/pip/run.ts'
import { comparePep440, fulfils, type Specifier } from '../../packages/pep440.ts'
import { normalName, requirementOf } from '../../packages/requirement.ts'
import { fine, would, wrong } from '../outcome.ts'
import type { StateCall, StateReturn } from '../state-module.ts'

/** A package that is asked for. */
interface Wanted {
  /** As it was written. */
  readonly text: string
  /** The project's name; undefined for a link of which it is not known. */
  readonly project: string | undefined
  readonly specifiers: readonly Specifier[]
}

/** Arguments that `pip.install` takes as the state does. */
const passed = [
  ...['requirements', 'use_wheel', 'no_use_wheel', 'no_binary', 'log', 'proxy', 'timeout', 'editable', 'find_links'],
  ...['index_url', 'extra_index_url', 'no_index', 'mirrors', 'build', 'target', 'download', 'download_cache', 'source'],
  ...['upgrade', 'force_reinstall', 'ignore_installed', 'exists_action', 'no_deps', 'no_install', 'no_download'],
  ...['install_options', 'global_options', 'user', 'cwd', 'pre_releases', 'cert', 'allow_all_external'],
  ...['allow_external', 'allow_unverified', 'process_dependency_links', 'env_vars', 'trusted_host', 'no_cache_dir'],
  ...['cache_dir', 'extra_args'],
]

/** The state's run: its arguments, and the pip that is meant. */
class Run {
  readonly args: Arguments
  readonly call: StateCall
  readonly binEnv: Value

  constructor(args: Arguments, call: StateCall) {
    this.args = args
    this.call = call
    this.binEnv = args.is('bin_env') ? args.value('bin_env') : args.value('pip_bin')
  }

  #pip(fun: string, args: readonly Value[], kwargs: Mapping): Promise<Value> {
    return this.call.salt(`pip.${fun}`, args, { bin_env: this.binEnv, ...kwargs })
  }

  version(): Promise<Value> {
    return this.#pip('version', [], {})
  }

  /** Versions of what is installed, by names in their one spelling. */
  async installed(): Promise<ReadonlyMap<string, string>> {
    const told = await this.#pip('list', [], this.args.given(['user', 'cwd', 'env_vars']))
    const pairs = isMapping(told) ? Object.entries(told) : []
    return new Map(pairs.map(([name, version]) => [normalName(name), pythonStr(version)]))
  }

  /** What could be installed, the newest last; pre-releases where the specifiers name such. */
  async versions({ project = '', specifiers }: Wanted): Promise<string[]> {
    const named = (mark: string): boolean => specifiers.some(([, version]) => version.includes(mark))
    const told = await this.#pip('list_all_versions', [project], {
      include_alpha: named('a'),
      include_beta: named('b'),
      include_rc: named('rc'),
      ...this.args.given(['user', 'cwd', 'index_url', 'extra_index_url']),
    })
    return Array.isArray(told) ? told.map(pythonStr) : []
  }

  async install(packages: readonly string[]): Promise<Mapping> {
    const told = await this.#pip('install', [], {
      ...(packages.length === 0 ? {} : { pkgs: [...packages] }),
      ...this.args.given(passed),
      saltenv: this.call.env,
      disable_version_check: true,
    })
    return isMapping(told) ? told : {}
  }
}

/** `pip.installed`. */
export async function installed(args: Arguments, call: StateCall): Promise<StateReturn> {
  const given = args.is('pkgs') ? args.value('pkgs') : [args.value('name')]
  if (!Array.isArray(given)) return wrong(args.text('name'), 'pkgs argument must be formatted as a list')
  const texts = given.map(textOf)
  const name = texts.join(';')
  const run = new Run(args, call)
  try {
    const refused = unsupported(args, pythonStr(await run.version()))
    if (refused !== undefined) return wrong(name, refused)
  } catch (error) {
    if (!(error instanceof CommandNotFoundError || error instanceof CommandExecutionError)) throw error
    return wrong(name, `Error installing '${args.text('name')}': ${messageOf(error)}`)
  }
  const isNamed = !args.is('requirements') && !args.is('editable')
  const read = isNamed ? wantedOf(texts) : []
  if (typeof read === 'string') return wrong(name, read)
  const user = args.textIfAny('user')
  if (user !== undefined && !hasAny(await call.salt('user.info', [user])))
    return wrong(name, `User ${user} does not exist`)
  return isNamed ? packages(name, read, run) : files(name, run)
}

const hasAny = (info: Value): boolean => isMapping(info) && Object.keys(info).length > 0

/** A package as text; a map of one name and its versions is one as well. */
function textOf(value: Value): string {
  if (!isMap(value)) return pythonStr(value)
  return entries(value)
    .map(([name, versions]) => (versions === null ? pythonStr(name) : `${pythonStr(name)} ${pythonStr(versions)}`))
    .join(' ')
}

/** What this pip cannot do, in Salt's words. */
function unsupported(args: Arguments, version: string): string | undefined {
  const detected = `The version of pip detected was ${version}.`
  for (const option of ['use_wheel', 'no_use_wheel']) {
    if (!args.is(option) || (isAtLeast(version, '1.4') && !isAtLeast(version, '9.0.4'))) continue
    return `The '${option}' option is only supported in pip between 1.4 and 9.0.3. ${detected}`
  }
  if (!args.is('no_binary') || isAtLeast(version, '7.0.0')) return undefined
  return `The 'no_binary' option is only supported in pip 7.0.0 and newer. ${detected}`
}

function wantedOf(texts: readonly string[]): Wanted[] | string {
  const read = texts.map((text) => ({ text, requirement: requirementOf(text) }))
  const refused = read.flatMap(({ requirement }) => (requirement.kind === 'refused' ? [requirement.why] : []))
  if (refused.length > 0) return refused.join('\n')
  return read.map(({ text, requirement }) =>
    requirement.kind === 'project'
      ? { text, project: requirement.name.replace(/[^A-Za-z0-9.]+/g, '-'), specifiers: requirement.specifiers }
      : { text, project: undefined, specifiers: [] },
  )
}

async function packages(name: string, wanted: readonly Wanted[], run: Run): Promise<StateReturn> {
  const now = await run.installed()
  const [missing, present]: [Wanted[], string[]] = [[], []]
  for (const one of wanted) {
    const comment = await presence(one, now, run)
    if (comment !== undefined) present.push(comment)
    else if (run.call.test) return foreseen(name, one, wanted)
    else missing.push(one)
  }
  if (missing.length === 0) {
    const end = `All specified packages are already installed${run.args.is('upgrade') ? ' and up-to-date' : ''}`
    return fine(name, [...present, end].join('\n'))
  }
  const told = await run.install(missing.map(({ text }) => text))
  const texts = missing.map(({ text }) => text.replaceAll(',', ';')).join(', ')
  if (told.retcode !== 0)
    return wrong(name, [...present, `Failed to install packages: ${texts}. ${errorOf(told)}`].join('\n'))
  return concluded(name, { missing, present, told }, run)
}

/** What test mode says of one that is missing, the first of them. */
function foreseen(name: string, { text }: Wanted, wanted: readonly Wanted[]): StateReturn {
  return wanted.length > 1
    ? would(name, ['Python package(s) set to be installed:', ...wanted.map((one) => one.text)].join('\n'))
    : would(name, `Python package ${text} is set to be installed`)
}

/** The words for a package that need not be installed; undefined for one that has to be. */
async function presence(wanted: Wanted, now: ReadonlyMap<string, string>, run: Run): Promise<string | undefined> {
  const { text, project, specifiers } = wanted
  const version = project === undefined ? undefined : now.get(normalName(project))
  if (version === undefined || run.args.is('ignore_installed') || run.args.is('force_reinstall')) return undefined
  const already = `Python package ${text} was already installed`
  if (!run.args.is('upgrade')) return fulfils(version, specifiers) ? already : undefined
  const newest = (await run.versions(wanted)).findLast((one) => fulfils(one, specifiers))
  if (newest === undefined) {
    return `Python package ${project} was already installed and\nthe available upgrade doesn't fulfills the version requirements`
  }
  return comparePep440(version, newest) === 0 ? already : undefined
}

function errorOf(told: Mapping): string {
  if (told.stdout === undefined) return `Error: ${pythonStr(told.comment ?? '')}`
  return `Error: ${pythonStr(told.stdout)} ${pythonStr(told.stderr ?? '')}`
}

interface Installed {
  readonly missing: readonly Wanted[]
  readonly present: readonly string[]
  readonly told: Mapping
}

/** Looks what is there now: pip may have found that there was nothing to do. */
async function concluded(name: string, { missing, present, told }: Installed, run: Run): Promise<StateReturn> {
  const now = await run.installed()
  const satisfied = new Set(
    [...pythonStr(told.stdout ?? '').matchAll(/^Requirement already (?:satisfied|up-to-date): ([^\s=!<>~@]+)/gm)].map(
      ([, project = '']) => normalName(project),
    ),
  )
  const [changes, unseen]: [Mapping, string[]] = [{}, []]
  for (const { text, project } of missing) {
    const version = project === undefined ? undefined : now.get(normalName(project))
    if (project === undefined) changes[`${text.replaceAll(',', ';')}==???`] = 'Installed'
    else if (version === undefined) {
      unseen.push(
        `There was no error installing package '${text}' although it does not show when calling 'pip.freeze'.`,
      )
    } else if (!satisfied.has(normalName(project))) changes[`${project}==${version}`] = 'Installed'
  }
  const end = unseen.length === 0 ? ['All packages were successfully installed'] : unseen
  return fine(name, [...present, ...end].join('\n'), changes)
}

/** Lines with which pip says that it need not do anything. */
const idle = [
  ...['Requirement already satisfied', 'Requirement already up-to-date', 'Requirement not upgraded', 'Collecting'],
  ...['Cloning', 'Cleaning up...', 'Looking in indexes'],
]

/** Files of requirements and editable projects: what they need only pip finds out. */
async function files(name: string, run: Run): Promise<StateReturn> {
  const requirements = run.args.is('requirements') ? run.args.text('requirements') : undefined
  const editable = run.args.is('editable') ? run.args.text('editable') : undefined
  const said = (ofFile: (file: string) => string, ofProject: (project: string) => string): string[] => [
    ...(requirements === undefined ? [] : [ofFile(requirements)]),
    ...(editable === undefined ? [] : [ofProject(editable)]),
  ]
  if (run.call.test) {
    const lines = said(
      (file) => `Requirements file '${file}' will be processed.`,
      (project) => `Package will be installed in editable mode (i.e. setuptools "develop mode") from ${project}.`,
    )
    return would(name, lines.join(' '))
  }
  const told = await run.install([])
  if (told.retcode !== 0) {
    const lines = said(
      (file) => `Unable to process requirements file "${file}"`,
      (project) => `Unable to install from VCS checkout ${project}.`,
    )
    return wrong(name, [...lines, errorOf(told)].join(' '))
  }
  const lines = pythonStr(told.stdout ?? '').split('\n')
  const isChanged = lines.some((line) => !idle.some((words) => line.trim().startsWith(words)))
  const comments = said(
    (file) =>
      isChanged ? `Successfully processed requirements file ${file}.` : 'Requirements were already installed.',
    (project) => `Package successfully installed from VCS checkout ${project}.`,
  )
  return fine(name, comments.join(' '), {
    ...(requirements !== undefined && isChanged ? { requirements: true } : {}),
    ...(editable === undefined ? {} : { editable: true }),
  })
}
