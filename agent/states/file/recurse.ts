// `file.recurse`: a directory of the master's, file by file.
import { posix } from 'node:path'
import { messageOf } from '../../../core/error.ts'
import type { Mapping, Value } from '../../../core/value/index.ts'
import { saltPath } from '../../files/index.ts'
import { makeWithOwner } from '../../filesystem/directories.ts'
import { normalMode } from '../../filesystem/mode.ts'
import { remove } from '../../filesystem/move.ts'
import { directoryName, exists, isDirectory, joinPath } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { chooseSource } from '../../modules/file/sources.ts'
import { boundArguments } from '../bound-arguments.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { chosenBy, keptByRequisites, removeUnkept } from './clean.ts'
import { ensureDirectory } from './directory.ts'
import { managed } from './managed.ts'
import { begun, failed, nameOf, notAbsolute, ownerOf, textsOf, wrongOwner } from './outcome.ts'

/** What a run over many paths has come to. */
class Tally {
  result: boolean | null = true
  readonly changes: Mapping = {}
  readonly comments = new Map<string, string[]>()

  add(path: string, { result, comment, changes }: Managed): void {
    if (result === false || this.result === true) this.result = result
    if (result !== true && comment !== '') this.say(path, [comment])
    if (Object.keys(changes).length > 0) this.changes[path] = changes
  }

  say(path: string, words: readonly string[]): void {
    this.comments.set(path, [...(this.comments.get(path) ?? []), ...words])
  }

  get comment(): string {
    return [...this.comments]
      .map(([path, words]) => `\n#### ${path} ####\n${words.join('\n')}`)
      .join('\n')
      .trim()
  }
}

interface Source {
  readonly path: string
  readonly env: string
}

interface Tree {
  readonly name: string
  readonly source: Source
  readonly user: Value
  readonly dirMode: Value
  readonly clean: boolean
}

async function sourceOf(args: Arguments, call: StateCall): Promise<Source | string> {
  const sources = textsOf(args.value('source')).map((source) => source.replace(/\/+$/, ''))
  const foreign = sources.find((source) => !source.startsWith('salt://'))
  if (foreign !== undefined) return `Invalid source '${foreign}' (must be a salt:// URI)`
  try {
    const chosen = await chooseSource(sources, '', call.env, call)
    const { path, saltenv } = saltPath(chosen?.source ?? '', call.env)
    const files = await call.agent.files.list(saltenv)
    if (files.some((file) => file.path.startsWith(`${path}/`)) || path === '') return { path, env: saltenv }
    return `The directory '${path}' does not exist on the salt fileserver in saltenv '${saltenv}'`
  } catch (error) {
    return `Recurse failed: ${messageOf(error)}`
  }
}

/** What the master's list of files does not have. */
const unavailable = [
  ['include_empty', 'the master tells of files alone. Make empty directories by file.directory.'],
  ['keep_symlinks', 'the master gives files in the place of links. Make links by file.symlink.'],
] as const

async function recurse(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name)
  if ('mode' in args.keywords) {
    return failed(ret, "'mode' is not allowed in 'file.recurse'. Please use 'file_mode' and 'dir_mode'.")
  }
  const refused = unavailable.find(([argument]) => args.is(argument))
  if (refused !== undefined) return failed(ret, `${refused[0]} is not available: ${refused[1]}`)
  const user = ownerOf(args)
  const wrong = await wrongOwner(user, args.value('group'), call)
  if (wrong !== undefined) return failed(ret, wrong)
  if (!name.startsWith('/')) return failed(ret, notAbsolute(name))
  const source = await sourceOf(args, call)
  if (typeof source === 'string') return failed(ret, source)
  const dirMode = normalMode(args.value('dir_mode')) ?? null
  const tree: Tree = { name, source, user, dirMode, clean: args.is('clean') }
  if (!(await isDirectory(name))) {
    if (await exists(name)) return failed(ret, `The path ${name} exists and is not a directory`)
    if (!call.test) await makeWithOwner(name, { user, group: args.value('group'), mode: dirMode })
  }
  const tally = new Tally()
  const kept = await filled(tree, tally, args, call)
  if (tree.clean) {
    const required = await keptByRequisites(name, args.value('require'), call)
    const removed = await removeUnkept(name, [...kept, ...required], args.value('exclude_pat'), call.test)
    if (removed.length > 0 && call.test) {
      if (tally.result === true) tally.result = null
      tally.say('removed', removed)
    } else if (removed.length > 0) tally.changes.removed = removed
  }
  const isChanged = Object.keys(tally.changes).length > 0
  const comment = tally.comment || `Recursively updated ${name}`
  const fine = !isChanged && tally.result === true
  return {
    name,
    changes: tally.changes,
    result: tally.result,
    comment: fine ? `The directory ${name} is in the correct state` : comment,
  }
}

/** Manages every directory, then every file; answers their paths. */
async function filled(tree: Tree, tally: Tally, args: Arguments, call: StateCall): Promise<string[]> {
  const { name, source } = tree
  const below = source.path === '' ? '' : `${source.path}/`
  const deepest = args.value('maxdepth') === null ? Number.POSITIVE_INFINITY : args.integer('maxdepth')
  const files = (await call.agent.files.list(source.env))
    .filter(({ path }) => path.startsWith(below))
    .map(({ path }) => path.slice(below.length))
    .filter((relative) => relative.split('/').length - 1 <= deepest)
    .filter((relative) => chosenBy(relative, args.value('include_pat'), args.value('exclude_pat')))
  const directories = new Set(files.map((relative) => directoryName(joinPath(name, relative))))
  for (const path of [...directories].sort()) await manageFolder(path, tree, tally, args, call)
  for (const relative of files) {
    const env = source.env === call.env ? '' : `?saltenv=${source.env}`
    await manageOne(joinPath(name, relative), `salt://${below}${relative}${env}`, tree, tally, args, call)
  }
  return [...directories, ...files.map((relative) => joinPath(name, relative))]
}

async function manageFolder(path: string, tree: Tree, tally: Tally, args: Arguments, call: StateCall): Promise<void> {
  if (posix.basename(path) === '..') return
  if (tree.clean && (await exists(path)) && !(await isDirectory(path))) {
    if (call.test) return tally.add(path, { ...begun(tree.name, null), comment: `Replacing ${path} with a directory` })
    await remove(path)
    tally.add(path, { ...begun(tree.name), changes: { diff: 'Replaced file with a directory' } })
  }
  const wanted = {
    name: path,
    user: tree.user,
    group: args.value('group'),
    dirMode: tree.dirMode,
    fileMode: tree.dirMode,
    recurse: [],
    maxDepth: undefined,
    makedirs: true,
    clean: false,
    require: null,
    exclude: null,
    follow: false,
    childrenOnly: false,
  }
  tally.add(path, await ensureDirectory(begun(path), wanted, call))
}

async function manageOne(
  path: string,
  source: string,
  tree: Tree,
  tally: Tally,
  args: Arguments,
  call: StateCall,
): Promise<void> {
  if (tree.clean && args.is('replace') && (await isDirectory(path))) {
    if (call.test)
      return tally.add(path, { ...begun(tree.name, null), comment: `Replacing directory ${path} with a file` })
    await remove(path)
    tally.add(path, { ...begun(tree.name), changes: { diff: 'Replaced directory with a new file' } })
  }
  const rest = Object.fromEntries(
    Object.entries(args.cleanKeywords).filter(([key]) => !['mode', 'makedirs'].includes(key)),
  )
  const given: Mapping = {
    ...rest,
    name: path,
    source,
    user: tree.user,
    group: args.value('group'),
    mode: args.value('file_mode'),
    makedirs: true,
    ...args.given(['keep_source', 'template', 'context', 'defaults', 'backup', 'replace']),
  }
  tally.add(path, (await managed.run(boundArguments(managed, given), call)) as Managed)
}

/** `file.recurse`. */
export const recurseState = defineState(
  "name, source, keep_source=True, clean=False, require=None, user=None, group=None, dir_mode=None, file_mode=None, sym_mode=None, template=None, context=None, replace=True, defaults=None, include_empty=False, backup='', include_pat=None, exclude_pat=None, maxdepth=None, keep_symlinks=False, force_symlinks=False, win_owner=None, win_perms=None, win_deny_perms=None, win_inheritance=True, **kwargs",
  `A directory of the master's is on the minion, with all that is in it.

source
    \`\`salt://…\`\`; of a list the first that is there.
user, group, dir_mode, file_mode
    Whose it is and who may do what; \`\`file_mode: keep\`\` takes each file's.
clean
    Remove what is not there on the master.
template, context, defaults, replace, backup
    As of \`\`file.managed\`\`, for each file.
include_pat, exclude_pat, maxdepth
    Which files: shell patterns, with \`\`E@\`\` in front expressions; how deep.
include_empty, keep_symlinks
    Refused: the master tells neither of empty directories nor of links.${slsExample(`
/opt/code/flask:
  file.recurse:
    - source: salt://code/flask
    - include_pat: E@(.*\\.py)|(.*\\.html)`)}`,
  recurse,
)
