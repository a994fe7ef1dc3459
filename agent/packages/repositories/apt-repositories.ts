// Repositories of apt: lines of `.list` files and paragraphs of `.sources` files.
import { basename, dirname } from 'node:path'
import { isList, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { which } from '../../modules/cmd-run.ts'
import { CommandExecutionError, PythonError, SaltInvocationError } from '../../modules/errors.ts'
import type { Call } from '../../modules/module.ts'
import { runProgram } from '../../modules/program.ts'
import { apt } from '../apt.ts'
import { isTrue } from '../changes.ts'
import { addKey, byAptKey, repositoryKeys } from './apt-keys.ts'
import { AptSources, aptDirectory } from './apt-sources.ts'
import type { Repositories, RepositoryWords } from './repositories.ts'
import { wordOf } from './repositories.ts'
import { lineOf, type Source, sourceIn } from './source-line.ts'

const told = (source: Source): Mapping => ({
  file: source.file,
  comps: [...source.comps],
  disabled: source.disabled,
  dist: source.dist,
  type: source.type,
  uri: source.uri,
  line: source.line,
  architectures: [...source.architectures],
  signedby: source.signedby,
})

const bare = (uri: string): string => uri.replace(/\/+$/, '')

const isSamePlace = (one: Source, other: Source): boolean =>
  one.type === other.type && bare(one.uri) === bare(other.uri) && one.dist === other.dist

const listed = (value: Value): string[] =>
  (isList(value) ? value.map(pythonStr) : pythonStr(value).split(',')).map((one) => one.trim())

const sharesComps = (one: Source, other: Source): boolean => one.comps.some((comp) => other.comps.includes(comp))

/** A personal archive's place on Launchpad, on the systems that know such names. */
function expanded(call: Call, repo: string): string {
  const { os, oscodename } = call.agent.grains.all()
  if (!repo.startsWith('ppa:') || !['Ubuntu', 'Mint', 'neon'].includes(pythonStr(os ?? ''))) return repo
  return `deb http://ppa.launchpad.net/${repo.slice('ppa:'.length)}/ubuntu ${pythonStr(oscodename ?? '')} main`
}

async function list(call: Call): Promise<Mapping> {
  const repos: Record<string, Value[]> = {}
  for (const source of (await AptSources.read(call)).all())
    repos[source.uri] = [...(repos[source.uri] ?? []), told(source)]
  return repos
}

async function find(call: Call, repo: string): Promise<Mapping> {
  const wanted = sourceIn(expanded(call, repo), '')
  if (wanted === undefined) return {}
  const found = (await AptSources.read(call))
    .all()
    .find((one) => isSamePlace(one, wanted) && (wanted.comps.length === 0 || sharesComps(one, wanted)))
  return found === undefined ? {} : told(found)
}

async function addArchive(call: Call, repo: string, words: RepositoryWords): Promise<Mapping> {
  const os = pythonStr(call.agent.grains.all().os ?? '')
  if (!['Ubuntu', 'Mint', 'neon'].includes(os))
    throw new CommandExecutionError(`cannot parse "ppa:" style repo definitions: ${repo}`)
  const known = await find(call, repo)
  if (Object.keys(known).length > 0) return { [repo]: known }
  if ((await which('apt-add-repository')) === undefined)
    throw new CommandExecutionError(
      `Unable to add PPA '${repo.slice('ppa:'.length)}': apt-add-repository is not there (package software-properties-common)`,
    )
  const result = await runProgram(call, ['apt-add-repository', '-y', repo])
  if (result.retcode !== 0)
    throw new CommandExecutionError(
      `Unable to add PPA '${repo.slice('ppa:'.length)}'. 'apt-add-repository -y ${repo}' exited with status ${result.retcode}: '${result.stderr}' `,
    )
  if (isRefreshed(words)) await refresh(call)
  return { [repo]: { ...result } }
}

const isRefreshed = (words: RepositoryWords): boolean => isTrue(words.refresh_db ?? words.refresh ?? true)
const refresh = (call: Call): Promise<Value> => apt.refresh(call, { failhard: false, validFor: 0 })

/** Sees to the key that a repository is signed by. */
async function bringKey(call: Call, wanted: Source, words: RepositoryWords, aptkey: boolean): Promise<void> {
  const keydir = wanted.signedby === '' ? undefined : dirname(wanted.signedby)
  const keyfile = wanted.signedby === '' ? undefined : basename(wanted.signedby)
  if ('keyid' in words) return bringById(call, words, { aptkey, keydir, keyfile })
  const [url, text] = [wordOf(words, 'key_url'), wordOf(words, 'key_text')]
  if (url !== undefined) {
    const path = await call.salt('cp.cache_file', [url, wordOf(words, 'saltenv') ?? 'base'])
    if (typeof path !== 'string' || path === '') throw new CommandExecutionError(`Error: file not found: ${url}`)
    if (!aptkey) {
      if (await addKey(call, { path, aptkey: false, keydir, keyfile })) return
      throw new CommandExecutionError(`Error: Could not add key: ${path}`)
    }
    const result = await runProgram(call, ['apt-key', 'add', path])
    if (!result.stdout.toUpperCase().startsWith('OK'))
      throw new CommandExecutionError(`Error: failed to add key from ${url}`)
  } else if (text !== undefined) {
    const result = await runProgram(call, ['apt-key', 'add', '-'], { stdin: text })
    if (!result.stdout.toUpperCase().startsWith('OK'))
      throw new CommandExecutionError(`Error: failed to add key:\n${text}`)
  }
}

interface KeyPlace {
  readonly aptkey: boolean
  readonly keydir: string | undefined
  readonly keyfile: string | undefined
}

async function bringById(call: Call, words: RepositoryWords, place: KeyPlace): Promise<void> {
  const [keyid = null, keyserver] = [words.keyid, wordOf(words, 'keyserver')]
  if (keyid === null || keyid === '' || keyserver === undefined)
    throw new PythonError('NameError', 'both keyserver and keyid options required.')
  for (const one of isList(keyid) ? keyid : [keyid]) {
    // YAML reads an id of digits as a number.
    const key = typeof one === 'number' ? `0x${one.toString(16)}` : pythonStr(one)
    if (!place.aptkey) {
      const known = await repositoryKeys(call, place)
      if (known !== false && key in known) continue
      if (await addKey(call, { ...place, keyid: key, keyserver })) continue
      throw new CommandExecutionError(`Error: Could not add key: ${key}`)
    }
    const known = await runProgram(call, ['apt-key', 'export', key])
    if (known.stdout.startsWith('-----BEGIN PGP')) continue
    const words = ['--batch', '--keyserver', keyserver, '--logger-fd', '1', '--recv-keys', key]
    const result = await runProgram(call, ['apt-key', 'adv', ...words])
    if (result.retcode !== 0) throw new CommandExecutionError(`Error: key retrieval failed: ${result.stdout}`)
  }
}

/** A source as a repository's line and the words beside it want it; what neither says is `old`'s. */
function wantedSource(call: Call, line: Source, words: RepositoryWords, old?: Source): Source {
  const comps = words.comps === undefined || words.comps === null ? line.comps : listed(words.comps)
  const disabled = words.disabled ?? (words.enabled === undefined ? null : !isTrue(words.enabled))
  const comments = words.comments ?? null
  const source: Source = {
    ...line,
    comps,
    architectures: words.architectures === undefined ? line.architectures : listed(words.architectures),
    disabled: disabled === null ? (old ?? line).disabled : isTrue(disabled),
    dist: wordOf(words, 'dist') ?? line.dist,
    file: wordOf(words, 'file') ?? old?.file ?? `${aptDirectory(call)}/sources.list`,
    comment: comments === null ? (old ?? line).comment : joined(comments),
  }
  return { ...source, line: lineOf({ ...source, comment: '' }) }
}

const joined = (comments: Value): string =>
  (isList(comments) ? comments.map(pythonStr).join(' ') : pythonStr(comments)).trim()

async function modify(call: Call, repo: string, words: RepositoryWords): Promise<Mapping> {
  if (repo.startsWith('ppa:')) return addArchive(call, repo, words)
  const line = sourceIn(repo, '')
  if (line === undefined)
    throw new SaltInvocationError(
      `Name ${repo} is not valid. This must be the complete repo entry as seen in the sources file`,
    )
  const aptkey = await byAptKey(words.aptkey !== false)
  if (!aptkey && line.signedby === '')
    throw new SaltInvocationError("missing 'signedby' option when apt-key is missing")
  await bringKey(call, line, words, aptkey)
  const sources = await AptSources.read(call)
  const wide: Source = {
    ...line,
    comps: [...line.comps, ...(words.comps === undefined ? [] : listed(words.comps ?? []))],
  }
  const architectures = words.architectures === undefined ? line.architectures : listed(words.architectures)
  const old = sources.all().find((one) => {
    const isNamed = one.dist === wordOf(words, 'dist') && one.type === wordOf(words, 'type')
    if (!isNamed && !isSamePlace(one, line)) return false
    return sharesComps(one, wide) || one.comps.length === 0 || one.architectures.join() !== architectures.join()
  })
  const source = wantedSource(call, line, words, old)
  sources.put(old, source)
  await sources.save()
  if (isRefreshed(words)) await refresh(call)
  const { dist: _, ...rest } = told(source)
  return { [repo]: { ...rest, line: `${repo}\n` } }
}

async function remove(call: Call, repo: string): Promise<string> {
  const wanted = sourceIn(expanded(call, repo), '')
  const sources = await AptSources.read(call)
  const touched = new Set<string>()
  if (wanted !== undefined) {
    const isMeant = (one: Source): boolean =>
      isSamePlace(one, wanted) && one.architectures.join() === wanted.architectures.join()
    for (const one of sources.all().filter(isMeant)) {
      if (!sharesComps(one, wanted) && one.comps.length + wanted.comps.length > 0) continue
      const comps = one.comps.filter((comp) => !wanted.comps.includes(comp))
      sources.put(one, comps.length === 0 ? undefined : { ...one, comps })
      touched.add(one.file)
    }
  }
  if (touched.size === 0) throw new CommandExecutionError(`Repo ${repo} doesn't exist in the sources.list(s)`)
  const words = [...touched].map((file) =>
    sources.isEmpty(file) && file !== sources.main
      ? `File ${file} containing repo '${repo}' has been removed.`
      : `Repo '${repo}' has been removed from ${file}.\n`,
  )
  await sources.save()
  await refresh(call)
  return words.join('')
}

function wanted(call: Call, repo: string, words: RepositoryWords): Mapping {
  const line = sourceIn(expanded(call, repo), '')
  return line === undefined ? {} : told(wantedSource(call, line, { ...words, comments: null }))
}

/** The order of what stands behind the release says nothing. */
function inOrder(line: string): string {
  const words = line.split(/\s+/).filter((word) => word !== '')
  return [...words.slice(0, 3), ...words.slice(3).sort()].join(' ')
}

function agrees(key: string, wanted: Mapping, found: Mapping, words: RepositoryWords): boolean | undefined {
  const list = (value: Value | undefined): string =>
    value === undefined || !isList(value) ? '' : value.map(pythonStr).sort().join(' ')
  if (key === 'comps' || (key === 'architectures' && list(wanted[key]) !== ''))
    return list(wanted[key]) === list(found[key])
  if (key !== 'line') return undefined
  if (wanted.disabled === true) return true
  const line = pythonStr(found.line ?? '')
  const mark = line.indexOf('#')
  if (inOrder(pythonStr(wanted.line ?? '')) !== inOrder(mark < 0 ? line : line.slice(0, mark))) return false
  const comments = words.comments ?? null
  return comments === null || (mark < 0 ? '' : line.slice(mark + 1).trim()) === joined(comments)
}

/** Repositories of apt. */
export const aptRepositories: Repositories = {
  list,
  get: find,
  modify,
  remove,
  wanted,
  agrees,
  plainName: (repo) =>
    repo
      .split(/\s+/)
      .map((word) => (/^(https?|ftp):\/\//.test(word) ? bare(word) : word))
      .join(' '),
  means(repo, found) {
    const architectures = found.architectures ?? null
    const told = isList(architectures) ? architectures.map(pythonStr) : []
    return (sourceIn(repo, '')?.architectures ?? []).toSorted().join() === told.sort().join()
  },
}
