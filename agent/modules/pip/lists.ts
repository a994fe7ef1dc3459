// What pip knows of: what is installed, what could be newer, which versions there are.
import { messageOf } from '../../../core/error.ts'
import { isMapping, type Mapping, parseJson, pythonStr, type Value } from '../../../core/value/index.ts'
import { comparePep440 } from '../../packages/pep440.ts'
import { normalName } from '../../packages/requirement.ts'
import { CommandExecutionError } from '../errors.ts'
import type { Call } from '../module.ts'
import { isAtLeast, outputOfPip, type Place, pipVersion, runPip } from './run.ts'

const QUIET = '--disable-pip-version-check'

/** Versions by names as pip writes them. @param prefix only names that begin so, in any case */
export async function listed(call: Call, place: Place, prefix?: string): Promise<Mapping> {
  if (!isAtLeast(await pipVersion(call, place), '9.0')) return frozen(call, place, prefix)
  const all = jsonOf(await outputOfPip(call, place, ['list', '--format=json', QUIET]))
  const pairs = all.map(({ name = '', version = '' }) => [pythonStr(name), version] as const)
  const begins = prefix?.toLowerCase() ?? ''
  return Object.fromEntries(pairs.filter(([name]) => name.toLowerCase().startsWith(begins)))
}

function jsonOf(text: string): Mapping[] {
  try {
    const value = parseJson(text)
    if (Array.isArray(value)) return value.filter(isMapping)
  } catch (error) {
    throw new CommandExecutionError(`Invalid JSON: ${messageOf(error)}`, error)
  }
  throw new CommandExecutionError('Invalid JSON')
}

/** The lines of `pip freeze`. */
export async function freeze(call: Call, place: Place): Promise<string[]> {
  const all = isAtLeast(await pipVersion(call, place), '8.0.3') ? ['--all'] : []
  const text = (await outputOfPip(call, place, ['freeze', ...all, QUIET])).trimEnd()
  return text === '' ? [] : text.split('\n')
}

/** {@link listed} from {@link freeze}, by names in their one spelling. */
export async function frozen(call: Call, place: Place, prefix = ''): Promise<Mapping> {
  const begins = normalName(prefix)
  const found: Mapping = {}
  if ('pip'.startsWith(begins)) found.pip = await pipVersion(call, place)
  for (const line of await freeze(call, place)) {
    const [name, version] = pinned(line)
    if (name === '' || version === undefined) continue
    if (normalName(name).startsWith(begins)) found[normalName(name)] = version
  }
  return found
}

function pinned(line: string): [name: string, version?: string | undefined] {
  if (/^-f|^#|^-e hg\+not trust/.test(line)) return ['']
  const text = line.replace(/^-e /, '')
  if (text !== line && text.includes('#egg=')) {
    const [version = '', name = ''] = text.split('#egg=')
    return [name, version]
  }
  const [name = '', version] = text.split(/===?/)
  return [name, version]
}

const older = /^(\S*)\s+\(.*\)\s+-\s+Latest:\s+(.*)/
const oldest = /^(\S*)\s+\(.*Latest:\s+(.*)\)/

/** The newest version and its kind of file of what is not the newest. */
export async function upgrades(call: Call, place: Place): Promise<Mapping> {
  const version = await pipVersion(call, place)
  const tellsJson = isAtLeast(version, '9.0')
  const text = await outputOfPip(call, place, ['list', '--outdated', QUIET, ...(tellsJson ? ['--format=json'] : [])])
  if (tellsJson) {
    return Object.fromEntries(
      jsonOf(text).map(({ name = '', latest_version: newest = '', latest_filetype: kind = '' }) => [
        pythonStr(name),
        `${pythonStr(newest)} [${pythonStr(kind)}]`,
      ]),
    )
  }
  const pattern = isAtLeast(version, '8.0.0') ? older : oldest
  const found = text.split('\n').map((line) => pattern.exec(line))
  return Object.fromEntries(found.flatMap((line) => (line === null ? [] : [[line[1] ?? '', line[2] ?? '']])))
}

/** Installs the newest version of all that {@link upgrades} tells. */
export async function upgradeAll(call: Call, place: Place): Promise<Mapping> {
  const before = await listed(call, place)
  let [isFine, comment] = [true, '']
  for (const name of Object.keys(await upgrades(call, place))) {
    const { retcode, stderr } = await runPip(call, place, ['install', '-U', QUIET, name])
    isFine &&= retcode === 0
    comment += stderr
  }
  const after = await listed(call, place)
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => before[name] !== after[name])
  const changes = changed.map((name) => [name, { old: before[name] ?? '', new: after[name] ?? '' }] as const)
  return { changes: Object.fromEntries(changes), result: isFine, comment }
}

/** Which versions of a project are asked for. */
export interface Available {
  readonly name: string
  /** Marks of pre-releases that are wanted too, of `a`, `b` and `rc`. */
  readonly marks: readonly string[]
  /** The options that say where to look. */
  readonly index: readonly string[]
}

/** All versions that can be installed, the newest last; null where there are none. */
export async function available(call: Call, place: Place, { name, marks, index }: Available): Promise<Value> {
  const version = await pipVersion(call, place)
  const tells = isAtLeast(version, '21.2')
  const legacy = isAtLeast(version, '20.3') ? ['--use-deprecated=legacy-resolver'] : []
  const words = tells ? ['index', 'versions', name] : [...legacy, 'install', `${name}==versions`]
  const { stdout } = await runPip(call, place, [QUIET, ...words, ...index], true)
  const line = tells
    ? /^\s*Available versions: (.*)/m
    : /^\s*(?:ERROR: )?Could not find a version.* \(from versions: (.*)\)/m
  const unwanted = ['a', 'b', 'rc'].filter((mark) => !marks.includes(mark))
  const found = (line.exec(stdout)?.[1] ?? '').split(', ').filter((one) => one !== '' && one !== 'none')
  const wanted = found.filter((one) => !unwanted.some((mark) => one.includes(mark)))
  return wanted.length === 0 ? null : wanted.sort((a, b) => comparePep440(a, b) ?? 0)
}
