// The options of `pip install` and `pip uninstall`, from the arguments of the functions.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { isMapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { directoryName, exists, isDirectory } from '../../filesystem/paths.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError, PythonError } from '../errors.ts'
import type { Call } from '../module.ts'
import { isAtLeast } from './run.ts'

/** Items of a list, or of a text between commas. */
export function itemsOf(value: Value): string[] {
  if (value === null || value === '' || value === false) return []
  if (Array.isArray(value)) return value.map(pythonStr)
  return pythonStr(value)
    .split(',')
    .map((item) => item.trim())
}

/** Throws where it is no URL that pip could fetch from. */
export function checkedUrl(url: string): string {
  if (/^(?:https?|ftp|file):\/\/./i.test(url)) return url
  throw new CommandExecutionError(`'${url}' is not a valid URL`)
}

async function logOptions(path: string | undefined): Promise<string[]> {
  if (path === undefined) return []
  const parent = directoryName(path)
  const isWritable = (at: string) =>
    access(at, constants.W_OK).then(
      () => true,
      () => false,
    )
  const refuse = (words: string): never => {
    throw new PythonError('OSError', words)
  }
  if (await isDirectory(path)) refuse(`'${path}' is a directory. Use --log path_to_file`)
  if (await exists(path)) return (await isWritable(path)) ? ['--log', path] : refuse(`'${path}' is not writeable`)
  const trying = `Trying to create '${path}' but parent directory '${parent}'`
  if (!(await exists(parent))) refuse(`${trying} does not exist.`)
  if (!(await isWritable(parent))) refuse(`${trying} is not writeable.`)
  return ['--log', path]
}

/** The proxy that is given, or else the minion's own; none for False. */
function proxyOptions(args: Arguments, { agent: { opts } }: Call): string[] {
  if (args.is('proxy')) return ['--proxy', args.text('proxy')]
  const own = (name: string): string => (opts[name] === undefined || opts[name] === null ? '' : pythonStr(opts[name]))
  const [host, port, user, password] = ['host', 'port', 'username', 'password'].map((name) => own(`proxy_${name}`))
  if (args.value('proxy') === false || !host || !port || port === '0') return []
  return ['--proxy', `http://${user && password ? `${user}:${password}@` : ''}${host}:${port}`]
}

function timeoutOptions(args: Arguments): string[] {
  if (!args.is('timeout')) return []
  const timeout = args.text('timeout')
  if (!/^\s*\d+\s*$/.test(timeout))
    throw new PythonError('ValueError', `'${timeout}' is not a valid timeout, must be an integer`)
  return ['--timeout', timeout]
}

/** The options that both commands have: log, proxy, timeout. */
export async function sharedOptions(args: Arguments, call: Call): Promise<string[]> {
  return [...(await logOptions(args.textIfAny('log'))), ...proxyOptions(args, call), ...timeoutOptions(args)]
}

/** Further words, as `extra_args` gives them: texts, or maps of an option and its value. */
export function extraOptions(args: Arguments): string[] {
  const extra = args.value('extra_args')
  if (!Array.isArray(extra)) return itemsOf(extra)
  return extra.flatMap((one) => {
    if (!isMapping(one)) return [pythonStr(one)]
    return Object.entries(one).flatMap(([option, value]) => {
      if (Array.isArray(value) || isMapping(value)) throw new PythonError('TypeError', `Too many levels in: ${option}`)
      return [option, pythonStr(value)]
    })
  })
}

async function sourceOptions(args: Arguments, version: string | null): Promise<string[]> {
  const words: string[] = []
  for (const link of itemsOf(args.value('find_links'))) {
    if (!/^(?:https?|ftp|file):\/\/./i.test(link) && !(await exists(link)))
      throw new CommandExecutionError(`'${link}' is not a valid URL or path`)
    words.push('--find-links', link)
  }
  if (args.is('no_index') && (args.is('index_url') || args.is('extra_index_url'))) {
    throw new CommandExecutionError("'no_index' and ('index_url' or 'extra_index_url') are mutually exclusive.")
  }
  words.push(...indexOptions(args), ...flag(args, 'no_index'))
  const mirrors = itemsOf(args.value('mirrors'))
  if (mirrors.length === 0) return words
  if (isAtLeast(version, '7.0.0')) {
    throw new CommandExecutionError(
      'pip >= 7.0.0 does not support mirror argument: use index_url and/or extra_index_url instead',
    )
  }
  const wrong = mirrors.find((mirror) => !mirror.startsWith('http://'))
  if (wrong !== undefined) throw new CommandExecutionError(`'${wrong}' is not a valid URL`)
  return [...words, '--use-mirrors', ...mirrors.flatMap((mirror) => ['--mirrors', mirror])]
}

/** Where packages are looked for. */
export function indexOptions(args: Arguments): string[] {
  return ['index_url', 'extra_index_url'].flatMap((name) =>
    args.is(name) ? [optionOf(name), checkedUrl(args.text(name))] : [],
  )
}

const optionOf = (name: string): string => `--${name.replaceAll('_', '-')}`
const flag = (args: Arguments, name: string): string[] => (args.is(name) ? [optionOf(name)] : [])
const valued = (args: Arguments, name: string): string[] => (args.is(name) ? [optionOf(name), args.text(name)] : [])
const each = (args: Arguments, name: string, option = optionOf(name)): string[] =>
  itemsOf(args.value(name)).flatMap((item) => [option, item])

/** What old versions of pip alone know is left out for others, with a word in the log. */
function wheelOptions(args: Arguments, call: Call, version: string | null): string[] {
  const words: string[] = []
  const isOld = isAtLeast(version, '1.4') && !isAtLeast(version, '9.0.4')
  for (const name of ['use_wheel', 'no_use_wheel']) {
    if (!args.is(name)) continue
    if (isOld) words.push(optionOf(name))
    else ignored(call, optionOf(name), 'between 1.4 and 9.0.3', version)
  }
  if (!args.is('no_binary')) return words
  if (isAtLeast(version, '7.0.0')) return [...words, '--no-binary', itemsOf(args.value('no_binary')).join(',')]
  ignored(call, '--no-binary', '7.0.0 and newer', version)
  return words
}

function ignored({ agent }: Call, option: string, versions: string, version: string | null): void {
  agent.outside.log.error(
    `The ${option} option is only supported in pip ${versions}. The version of pip detected is ${version}. This option will be ignored.`,
  )
}

/** Options before what is to be installed, in Salt's order. */
export async function installOptions(args: Arguments, call: Call, version: string | null): Promise<string[]> {
  const action = args.textIfAny('exists_action')
  if (action !== undefined && !/^[siwb]$/i.test(action)) {
    throw new CommandExecutionError(
      `The exists_action pip option only supports the values s, i, w, and b. '${action}' is not valid.`,
    )
  }
  const cache = args.textIfAny('download_cache') ?? args.textIfAny('cache_dir')
  return [
    ...wheelOptions(args, call, version),
    ...(await sharedOptions(args, call)),
    ...(await sourceOptions(args, version)),
    ...(args.is('disable_version_check') ? ['--disable-pip-version-check'] : []),
    ...['build', 'target', 'download'].flatMap((name) => valued(args, name)),
    ...(cache === undefined ? [] : [isAtLeast(version, '6.0') ? '--cache-dir' : '--download-cache', cache]),
    ...valued(args, 'source'),
    ...['upgrade', 'force_reinstall', 'ignore_installed'].flatMap((name) => flag(args, name)),
    ...(action === undefined ? [] : ['--exists-action', action]),
    ...['no_deps', 'no_install', 'no_download', 'no_cache_dir'].flatMap((name) => flag(args, name)),
    ...(args.is('pre_releases') && isAtLeast(version, '1.4') ? ['--pre'] : []),
    ...valued(args, 'cert'),
    ...each(args, 'global_options', '--global-option'),
    ...each(args, 'install_options', '--install-option'),
  ]
}

/** Options after what is to be installed. */
export function laterOptions(args: Arguments): string[] {
  return [
    ...editables(args),
    ...flag(args, 'allow_all_external'),
    ...each(args, 'allow_external'),
    ...each(args, 'allow_unverified'),
    ...flag(args, 'process_dependency_links'),
    ...valued(args, 'trusted_host'),
    ...extraOptions(args),
  ]
}

function editables(args: Arguments): string[] {
  return itemsOf(args.value('editable')).flatMap((entry) => {
    const isLocal = entry === '.' || /^(?:file:\/\/|\/)/.test(entry)
    if (!isLocal && !/#(?:.*?&)?egg=[^&]+/.test(entry))
      throw new CommandExecutionError('You must specify an egg for this editable')
    return ['--editable', entry]
  })
}
