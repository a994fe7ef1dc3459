// Repositories of dnf: sections of `.repo` files.
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isList, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { exists } from '../../filesystem/paths.ts'
import { readTextIfThere } from '../../filesystem/read.ts'
import { writeWhole } from '../../filesystem/write.ts'
import { CommandExecutionError, SaltInvocationError } from '../../modules/errors.ts'
import type { Call } from '../../modules/module.ts'
import { runProgram } from '../../modules/program.ts'
import { isTrue } from '../changes.ts'
import { commentLines, type RepoFile, type RepoSection, repoFileIn, repoFileText } from './repo-file.ts'
import type { Repositories, RepositoryWords } from './repositories.ts'

/** Where the configuration is that may name other directories. */
const configurations = ['/etc/yum/yum.conf', '/etc/yum.conf', '/etc/dnf/dnf.conf', '/etc/tdnf/tdnf.conf']

/** Words that say something about the call, not about the repository. */
const aside = [
  'aptkey',
  'basedir',
  'clean_file',
  'consolidate',
  'file',
  'key_text',
  'key_url',
  'keyid',
  'keyserver',
  'refresh',
  'refresh_db',
  'saltenv',
  'strict_config',
]

const options = (words: RepositoryWords): Mapping =>
  Object.fromEntries(Object.entries(words).filter(([key]) => !key.startsWith('__') && !aside.includes(key)))

const split = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** Those of the call, of the option `pkg.repos_directory`, or of dnf's configuration. */
async function directoriesOf({ agent }: Call, words: RepositoryWords): Promise<string[]> {
  const given = words.basedir ?? agent.opts['pkg.repos_directory'] ?? null
  if (given !== null) return isList(given) ? given.map(pythonStr) : split(pythonStr(given))
  for (const path of configurations) {
    const text = await readTextIfThere(path)
    if (text === undefined) continue
    const told = repoFileIn(text).sections.get('main')?.options.get('reposdir')
    return told === undefined ? ['/etc/yum/repos.d', '/etc/yum.repos.d'] : split(told)
  }
  throw new CommandExecutionError(
    `No suitable yum config file found in: (${configurations.map((path) => `'${path}'`).join(', ')})`,
  )
}

const nameOf = (repo: string): string => {
  if (!repo.startsWith('copr:')) return repo
  const [owner = '', project = ''] = repo.slice('copr:'.length).split('/')
  return `copr:copr.fedorainfracloud.org:${owner}:${project}`
}

interface Found {
  readonly file: string
  readonly content: RepoFile
}

async function filesIn(directories: readonly string[]): Promise<Found[]> {
  const found: Found[] = []
  for (const directory of directories) {
    const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.repo')).sort()
    for (const name of names) {
      const file = join(directory, name)
      found.push({ file, content: repoFileIn(await readFile(file, 'utf8')) })
    }
  }
  return found
}

const told = ({ options, comments }: RepoSection): Mapping => ({
  ...Object.fromEntries(options),
  ...(comments.length > 0 ? { comments: [...comments] } : {}),
})

async function list(call: Call, words: RepositoryWords): Promise<Mapping> {
  const repos: Mapping = {}
  for (const { file, content } of await filesIn(await directoriesOf(call, words)))
    for (const [name, section] of content.sections) repos[name] = { ...told(section), file }
  return repos
}

async function find(call: Call, repo: string, words: RepositoryWords): Promise<Mapping> {
  const files = await filesIn(await directoriesOf(call, words))
  const section = files
    .findLast(({ content }) => content.sections.has(nameOf(repo)))
    ?.content.sections.get(nameOf(repo))
  return section === undefined ? {} : told(section)
}

/** The file a new repository comes into. */
async function newFile(call: Call, repo: string, directories: readonly string[], words: Mapping): Promise<Found> {
  const places = await Promise.all(directories.map(exists))
  const directory = directories[places.indexOf(true)]
  const none = 'The repo does not exist and needs to be created, but'
  if (directory === undefined)
    throw new SaltInvocationError(
      `${none} none of the following basedir directories exist: [${directories.map((one) => `'${one}'`).join(', ')}]`,
    )
  if (repo.startsWith('copr:')) {
    const result = await runProgram(call, ['dnf', 'copr', 'enable', repo.slice('copr:'.length), '-y'])
    const made = (await filesIn(directories)).find(({ content }) => content.sections.has(nameOf(repo)))
    if (made !== undefined && result.retcode === 0) return made
    throw new CommandExecutionError(
      `Unable to add COPR '${repo.slice('copr:'.length)}'. 'dnf' exited with status ${result.retcode}: '${result.stderr}' `,
    )
  }
  if (!('name' in words)) throw new SaltInvocationError(`${none} a name was not given`)
  if (!('baseurl' in words) && !('mirrorlist' in words))
    throw new SaltInvocationError(`${none} either a baseurl or a mirrorlist needs to be given`)
  const content = { header: '', sections: new Map([[repo, { options: new Map<string, string>(), comments: [] }]]) }
  return { file: join(directory, `${repo}.repo`), content }
}

/** `enabled: false` and the number 0 are values; None and the empty text remove an option. */
const isGone = (value: Value): boolean => value === null || value === '' || (isList(value) && value.length === 0)

async function modify(call: Call, repo: string, words: RepositoryWords): Promise<Mapping> {
  const given = options(words)
  if ('mirrorlist' in given && 'baseurl' in given)
    throw new SaltInvocationError("Only one of 'mirrorlist' and 'baseurl' can be specified")
  const gone = Object.keys(given).filter((key) => isGone(given[key] ?? null))
  const kept = Object.fromEntries(Object.entries(given).filter(([key]) => !gone.includes(key)))
  if ('mirrorlist' in kept) gone.push('baseurl')
  else if ('baseurl' in kept) gone.push('mirrorlist')
  if (gone.includes('name')) throw new SaltInvocationError('The repo name cannot be deleted')
  const directories = await directoriesOf(call, words)
  const name = nameOf(repo)
  const files = await filesIn(directories)
  const found =
    files.findLast(({ content }) => content.sections.has(name)) ?? (await newFile(call, repo, directories, kept))
  const section = found.content.sections.get(name)
  if (section === undefined) throw new CommandExecutionError(`The repo ${name} is not in ${found.file}`)
  const has = (key: string): boolean => key in kept || section.options.has(key)
  if (gone.includes('baseurl') && !has('mirrorlist'))
    throw new SaltInvocationError('Cannot delete baseurl without specifying mirrorlist')
  if (gone.includes('mirrorlist') && !has('baseurl'))
    throw new SaltInvocationError('Cannot delete mirrorlist without specifying baseurl')
  for (const key of gone) section.options.delete(key)
  if (gone.includes('comments')) section.comments.length = 0
  for (const [key, value] of Object.entries(kept)) {
    if (key === 'comments')
      section.comments.splice(0, Infinity, ...(isList(value) ? value.map(pythonStr) : [pythonStr(value)]))
    else section.options.set(key, typeof value === 'boolean' ? (value ? '1' : '0') : pythonStr(value))
  }
  await writeWhole(found.file, repoFileText(found.content), { mode: '0644' })
  const all = [...found.content.sections].map(([key, { options: own }]): [string, Value] => [
    key,
    { ...Object.fromEntries(own), ...(key === name ? withoutComments(kept) : {}) },
  ])
  return { [found.file]: Object.fromEntries(all) }
}

const withoutComments = ({ comments: _, ...rest }: Mapping): Mapping => rest

async function remove(call: Call, repo: string, words: RepositoryWords): Promise<string> {
  const directories = await directoriesOf(call, words)
  const name = nameOf(repo)
  const found = (await filesIn(directories)).findLast(({ content }) => content.sections.has(name))
  if (found === undefined)
    return `Error: the ${name} repo does not exist in [${directories.map((one) => `'${one}'`).join(', ')}]`
  found.content.sections.delete(name)
  if (found.content.sections.size === 0) {
    await rm(found.file)
    return `File ${found.file} containing repo ${name} has been removed`
  }
  await writeWhole(found.file, repoFileText(found.content))
  return `Repo ${name} has been removed from ${found.file}`
}

const comments = (value: Value): string => commentLines(isList(value) ? value.map(pythonStr) : [pythonStr(value)])

/** Repositories of dnf. */
export const dnfRepositories: Repositories = {
  list,
  get: find,
  modify,
  remove,
  wanted: (_, __, words) => options(words),
  agrees(key, wanted, found) {
    const [value = null, known] = [wanted[key], found[key]]
    if (known === undefined) return key === 'enabled' && isTrue(value) ? true : undefined
    if (key === 'comments') return comments(value) === comments(known)
    return typeof value === 'boolean' ? isTrue(value) === isTrue(known) : undefined
  },
  plainName: (repo) => repo,
  means: () => true,
}
