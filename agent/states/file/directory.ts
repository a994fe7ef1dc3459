// `file.directory`: a directory with this owner and mode, and on request everything in it.
import { rename } from 'node:fs/promises'
import { isInteger, type Mapping, pythonEquals, pythonStr, pythonTruth, type Value } from '../../../core/value/index.ts'
import { makeDirectory, makeParents } from '../../filesystem/directories.ts'
import { normalMode } from '../../filesystem/mode.ts'
import { remove } from '../../filesystem/move.ts'
import { groupNumber, userNumber } from '../../filesystem/owners.ts'
import {
  directoryName,
  isDirectory,
  isLink,
  isRegularFile,
  joinPath,
  lexists,
  type WalkStep,
  walk,
} from '../../filesystem/paths.ts'
import { checkPermissions, withPermissions } from '../../filesystem/permissions.ts'
import { fileStats } from '../../filesystem/stats.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { chosenBy, keptByRequisites, removeUnkept } from './clean.ts'
import { begun, ended, failed, nameOf, notAbsolute, ownerOf, wrongOwner } from './outcome.ts'

/** What is wanted of a directory and what is in it. */
export interface WantedDirectory {
  readonly name: string
  readonly user: Value
  readonly group: Value
  readonly dirMode: Value
  readonly fileMode: Value
  readonly recurse: Value
  readonly maxDepth: number | undefined
  readonly makedirs: boolean
  readonly clean: boolean
  readonly require: Value
  readonly exclude: Value
  readonly follow: boolean
  readonly childrenOnly: boolean
}

const kinds = ['user', 'group', 'mode', 'ignore_files', 'ignore_dirs', 'silent']

/** The words of `recurse`, or what is wrong with them. */
function recursion(recurse: Value): ReadonlySet<string> | string {
  if (!pythonTruth(recurse)) return new Set()
  if (!Array.isArray(recurse)) return '"recurse" must be formed as a list of strings'
  const words = new Set(recurse.map(pythonStr))
  if ([...words].some((word) => !kinds.includes(word))) {
    return `Types for "recurse" limited to ${kinds.map((kind) => `"${kind}"`).join(', ')}.`
  }
  if (words.has('ignore_files') && words.has('ignore_dirs')) {
    return 'Must not specify "recurse" options "ignore_files" and "ignore_dirs" at the same time.'
  }
  return words
}

async function bringAbout(args: Arguments, call: StateCall): Promise<Managed> {
  const given = await nameOf(args)
  const ret = begun(given)
  if (given === '') return failed(ret, 'Must provide name to file.directory')
  const name = given !== '/' && given.endsWith('/') ? given.slice(0, -1) : given
  if (args.value('max_depth') !== null && args.is('clean'))
    return failed(ret, 'Cannot specify both max_depth and clean')
  const dirMode = args.is('dir_mode') ? args.value('dir_mode') : (args.keywords.mode ?? null)
  const fileMode = args.is('file_mode') ? args.value('file_mode') : dirMode
  const user = ownerOf(args)
  const group = args.value('group')
  const wrong = await wrongOwner(user, group, call)
  if (wrong !== undefined) return failed(ret, wrong)
  if (!name.startsWith('/')) return failed(ret, notAbsolute(name))
  const cleared = await inTheWay(ret, name, args, call)
  if (cleared.done) return cleared.ret
  const wanted: WantedDirectory = {
    name,
    user,
    group,
    dirMode: normalMode(dirMode) ?? null,
    fileMode: normalMode(fileMode) ?? null,
    recurse: args.value('recurse'),
    maxDepth: args.value('max_depth') === null ? undefined : args.integer('max_depth'),
    makedirs: args.is('makedirs'),
    clean: args.is('clean'),
    require: args.value('require'),
    exclude: args.value('exclude_pat'),
    follow: args.is('follow_symlinks'),
    childrenOnly: args.is('children_only'),
  }
  return ensureDirectory(cleared.ret, wanted, call)
}

/** A file or a link where the directory has to be: moved away, removed, or an error. */
async function inTheWay(
  ret: Managed,
  name: string,
  args: Arguments,
  call: StateCall,
): Promise<{ done: boolean; ret: Managed }> {
  const { test } = call
  const force = args.is('force')
  const isFile = await isRegularFile(name)
  const link = await isLink(name)
  if (!isFile && !(link && (force || !args.is('allow_symlink')))) return { done: false, ret }
  const backup = args.textIfAny('backupname')
  const changes: Mapping = {}
  if (backup !== undefined) {
    if (await lexists(backup)) {
      if (!force) return { done: true, ret: failed(ret, `File exists where the backup target ${backup} should go`) }
      if (test) changes.forced = `Existing file at backup path ${backup} would be removed`
      else await remove(backup)
    }
    if (!test) {
      await rename(name, backup)
      return { done: false, ret: { ...ret, changes } }
    }
    changes.backup = `${name} would be renamed to ${backup}`
    changes[name] = { directory: 'new' }
    return {
      done: true,
      ret: ended(ret, null, `${name} would be backed up and replaced with a new directory`, changes),
    }
  }
  if (!force) {
    return { done: true, ret: failed(ret, `Specified location ${name} exists and is a ${isFile ? 'file' : 'symlink'}`) }
  }
  const what = isFile ? 'File' : 'Symlink'
  changes.forced = `${what} ${test ? 'would be' : 'was'} forcibly replaced`
  if (!test) await remove(name)
  return { done: false, ret: { ...ret, changes } }
}

/** Makes it so; in test mode says what would change. */
export async function ensureDirectory(ret: Managed, wanted: WantedDirectory, call: StateCall): Promise<Managed> {
  const { name, user, group, dirMode } = wanted
  const expected = await expectedChanges(wanted, call)
  const before: Managed = { ...ret, changes: { ...ret.changes, ...expected.changes } }
  if (call.test || Object.keys(before.changes).length === 0) return ended(before, expected.result, expected.comment)
  if (!(await isDirectory(name))) {
    if (!(await isDirectory(directoryName(name)))) {
      if (!wanted.makedirs) return failed(before, `No directory to create ${name} in`)
      await makeParents(name, { user, group, mode: dirMode })
    }
    await makeDirectory(name, { user, group, mode: dirMode })
    if (!(await isDirectory(name))) return failed(before, `Failed to create directory ${name}`)
    return { ...before, changes: { ...before.changes, [name]: { directory: 'new' } } }
  }
  let after = before
  if (!wanted.childrenOnly) {
    const done = await checkPermissions(name, { user, group, mode: dirMode, follow: wanted.follow, test: false })
    after = withPermissions(after, done)
  }
  const errors: string[] = []
  after = await recursed(after, wanted, errors)
  if (wanted.clean) {
    const kept = await keptByRequisites(name, wanted.require, call)
    const removed = await removeUnkept(name, kept, wanted.exclude, false)
    if (removed.length > 0) {
      after = ended(after, after.result, `Files cleaned from directory ${name}`, { ...after.changes, removed })
    }
  }
  return told(after, wanted, errors)
}

function told(ret: Managed, { name, childrenOnly }: WantedDirectory, errors: readonly string[]): Managed {
  const isChanged = Object.keys(ret.changes).length > 0
  let { comment } = ret
  if (comment === '')
    comment = childrenOnly ? `Directory ${name}/* updated` : isChanged ? `Directory ${name} updated` : ''
  if (!isChanged && ret.result !== false) {
    comment = [`Directory ${name} is in the correct state`, ...(comment === '' ? [] : [comment])].join('\n')
  }
  if (errors.length === 0) return { ...ret, comment }
  const list = errors.map((error) => `\n- ${error}`).join('')
  return failed(ret, `${comment}\n\nThe following errors were encountered:\n${list}`)
}

/** Owners and modes of everything below, as `recurse` says. */
async function recursed(given: Managed, wanted: WantedDirectory, errors: string[]): Promise<Managed> {
  const words = recursion(wanted.recurse)
  if (typeof words === 'string') return failed(given, words)
  if (words.size === 0) return given
  let ret = given
  const owners: { user: Value; group: Value } = { user: null, group: null }
  const named = { user: 'ownership', group: 'group ownership' } as const
  for (const what of ['user', 'group'] as const) {
    if (!words.has(what)) continue
    const value = wanted[what]
    owners[what] = value
    if (!pythonTruth(value) && !isInteger(value)) {
      ret = failed(ret, `${what} not specified, but configured as a target for recursive ownership management`)
    } else if ((await (what === 'user' ? userNumber : groupNumber)(value)) === '') {
      const tail = what === 'user' ? ' (user does not exist)' : ''
      ret = failed(ret, `Failed to enforce ${named[what]} for ${what} ${pythonStr(value)}${tail}`)
    }
  }
  if (words.has('silent')) ret = { ...ret, changes: { recursion: 'Changes silenced' } }
  for (const { root, dirs, files } of await walk(wanted.name, wanted.maxDepth)) {
    const groups = [
      [words.has('ignore_files') ? [] : files, wanted.fileMode],
      [words.has('ignore_dirs') ? [] : dirs, wanted.dirMode],
    ] as const
    for (const [names, mode] of groups) {
      for (const name of names) {
        try {
          const done = await checkPermissions(joinPath(root, name), {
            ...owners,
            mode: words.has('mode') ? mode : null,
            follow: wanted.follow,
            test: false,
          })
          ret = withPermissions(ret, done)
        } catch (error) {
          if (!(error instanceof CommandExecutionError)) throw error
          if (!error.message.startsWith('Path not found')) errors.push(error.message)
        }
      }
    }
  }
  return ret
}

interface Expected {
  readonly result: boolean | null
  readonly comment: string
  readonly changes: Mapping
}

/** Salt's `_check_directory`: what would change, by path. */
async function expectedChanges(wanted: WantedDirectory, call: StateCall): Promise<Expected> {
  const { name } = wanted
  const words = recursion(wanted.recurse)
  if (typeof words === 'string') return { result: false, comment: words, changes: {} }
  const steps: readonly WalkStep[] = words.size > 0 || wanted.clean ? await walk(name, wanted.maxDepth) : []
  const changes: Record<string, Mapping> = {}
  const note = async (path: string, mode: Value, own: { user: Value; group: Value }): Promise<void> => {
    const change = await differences(path, own, mode, wanted.follow)
    if (Object.keys(change).length > 0) changes[path] = change
  }
  // As in Salt, what `recurse` leaves out is not looked at on the directory itself either.
  const own = {
    user: words.size === 0 || words.has('user') ? wanted.user : null,
    group: words.size === 0 || words.has('group') ? wanted.group : null,
  }
  const modes = words.size === 0 || words.has('mode')
  if (words.size > 0) {
    for (const { root, dirs, files } of steps) {
      if (!words.has('ignore_files'))
        for (const each of files) await note(joinPath(root, each), modes ? wanted.fileMode : null, own)
      if (!words.has('ignore_dirs'))
        for (const each of dirs) await note(joinPath(root, each), modes ? wanted.dirMode : null, own)
    }
  }
  if (!wanted.childrenOnly) await note(name, modes ? wanted.dirMode : null, own)
  if (wanted.clean) {
    const kept = new Set(await keptByRequisites(name, wanted.require, call))
    for (const { root, dirs, files } of steps) {
      for (const each of [...files, ...dirs]) {
        const path = joinPath(root, each)
        if (!kept.has(path) && chosenBy(path.slice(name.length + 1), undefined, wanted.exclude))
          changes[path] = { removed: 'Removed due to clean' }
      }
    }
  }
  if (!(await isDirectory(name))) changes[name] = { directory: 'new' }
  const lines = Object.entries(changes).flatMap(([path, change]) =>
    Object.entries(change).map(([key, value]) => `${path}: ${key} - ${pythonStr(value)}\n`),
  )
  if (lines.length === 0) return { result: true, comment: `The directory ${name} is in the correct state`, changes }
  return { result: null, comment: `The following files will be changed:\n${lines.join('')}`, changes }
}

async function differences(
  path: string,
  own: { user: Value; group: Value },
  mode: Value,
  follow: boolean,
): Promise<Mapping> {
  if (!(await lexists(path))) return { directory: 'new' }
  const now = await fileStats(path, undefined, follow)
  const change: Mapping = {}
  if (own.user !== null && !pythonEquals(own.user, now.user) && !pythonEquals(own.user, now.uid)) change.user = own.user
  if (own.group !== null && !pythonEquals(own.group, now.group) && !pythonEquals(own.group, now.gid))
    change.group = own.group
  const wanted = normalMode(mode)
  if (wanted !== undefined && wanted !== now.mode && (follow || now.type !== 'link')) change.mode = wanted
  return change
}

/** `file.directory`. */
export const directory = defineState(
  'name, user=None, group=None, recurse=None, max_depth=None, dir_mode=None, file_mode=None, makedirs=False, clean=False, require=None, exclude_pat=None, follow_symlinks=False, force=False, backupname=None, allow_symlink=True, children_only=False, win_owner=None, win_perms=None, win_deny_perms=None, win_inheritance=True, win_perms_reset=False, **kwargs',
  `A directory with this owner and mode.

user, group, dir_mode (or mode), file_mode
    Whose it is and who may do what.
recurse
    What holds for all that is in it: \`\`user\`\`, \`\`group\`\`, \`\`mode\`\`, but with \`\`ignore_files\`\` or \`\`ignore_dirs\`\`; \`\`silent\`\` tells no changes.
max_depth
    How deep.
makedirs
    Make the directories above it.
clean, exclude_pat
    Remove what no state of its \`\`require\`\` makes, but what the pattern (with \`\`E@\`\` an expression) matches.
force, backupname
    Take the place of a file or a link, which is removed or moved there.
children_only
    Leave the directory itself as it is.${slsExample(`
/srv/stuff/substuf:
  file.directory:
    - user: fred
    - group: users
    - mode: '0755'
    - makedirs: True
    - recurse:
      - user
      - group`)}`,
  bringAbout,
)
