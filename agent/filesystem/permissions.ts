// Brings owner, group and mode of a file about, and tells what changed: Salt's `file.check_perms`.
import { chmod } from 'node:fs/promises'
import { isInteger, type Mapping, pythonEquals, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import { type Attributes, changeAttributes } from './attributes.ts'
import { modeNumber, normalMode } from './mode.ts'
import { isErrno } from './os-error.ts'
import { changeOwner } from './owners.ts'
import { exists, isDirectory, isLink } from './paths.ts'
import { type FileStats, fileStats } from './stats.ts'

/** What is wanted of a file; None leaves a part as it is. */
export interface Wanted {
  readonly user?: Value
  readonly group?: Value
  readonly mode?: Value
  /** chattr's letters. */
  readonly attrs?: Value
  /** A link's target is meant and not the link. @default false */
  readonly follow?: boolean
  /** Nothing may be changed. */
  readonly test: boolean
  /** How chattr and lsattr are run; without it `attrs` are left alone. */
  readonly attributes?: Attributes
}

/** What came of it. `permissions` has `luser`, `lgroup`, `lmode`, and `cuser`, `cgroup`, `cmode` of what was changed. */
export interface Permissions {
  readonly result: boolean | null
  readonly comments: string[]
  readonly changes: Mapping
  readonly permissions: Mapping
}

/** Throws CommandExecutionError where nothing is there. */
export async function checkPermissions(name: string, wanted: Wanted): Promise<Permissions> {
  const { user = null, group = null, follow = false, test } = wanted
  const mode = normalMode(wanted.mode ?? null)
  const now = await fileStats(name, undefined, follow)
  const link = (await isLink(name)) && !follow
  const permissions: Mapping = {
    luser: isInteger(user) ? now.uid : now.user,
    lgroup: isInteger(group) ? now.gid : now.group,
    lmode: now.mode,
  }
  const state = { result: true as boolean, comments: [] as string[], changes: {} as Mapping }
  if (isOther(user, now.user, now.uid)) permissions.cuser = user
  if (isOther(group, now.group, now.gid)) permissions.cgroup = group
  if (!test && ('cuser' in permissions || 'cgroup' in permissions)) {
    await own(name, { user: user ?? now.user, group: group ?? now.group, link, mode: now.mode }, state)
  }
  if (mode !== undefined && !test && !link && mode !== now.mode) {
    permissions.cmode = mode
    await setMode(name, mode)
  }
  const then = await fileStats(name, undefined, follow)
  const fields: Field[] = [
    { name: 'user', wanted: user, differs: isOther(user, then.user, then.uid), tried: 'cuser' in permissions },
    { name: 'group', wanted: group, differs: isOther(group, then.group, then.gid), tried: 'cgroup' in permissions },
  ]
  if (mode !== undefined && !link)
    fields.push({ name: 'mode', wanted: mode, differs: mode !== then.mode, tried: 'cmode' in permissions })
  for (const field of fields) judge(field, state, test)
  const { attrs = null, attributes } = wanted
  if (attrs !== null && attributes !== undefined && !link && !(await isDirectory(name))) {
    const changed = await changeAttributes(name, pythonStr(attrs), test, attributes)
    if (changed.problem !== undefined) {
      state.result = false
      state.comments.push(changed.problem)
    }
    if (changed.changes !== undefined) state.changes.attrs = changed.changes
  }
  const result = test && Object.keys(state.changes).length > 0 ? null : state.result
  return { ...state, result, permissions }
}

interface State {
  result: boolean
  readonly comments: string[]
  readonly changes: Mapping
}

/** A user or group other than what is there, neither by name nor by number. */
function isOther(wanted: Value, name: Value, id: number): boolean {
  return pythonTruth(wanted) && !pythonEquals(wanted, name) && !pythonEquals(wanted, id)
}

interface Owner {
  readonly user: Value
  readonly group: Value
  readonly link: boolean
  readonly mode: string
}

async function own(name: string, { user, group, link, mode }: Owner, state: State): Promise<void> {
  try {
    const problem = await changeOwner(name, user, group, !link)
    if (problem !== undefined) {
      state.result = false
      state.comments.push(problem)
    } else if (!link) await setMode(name, mode)
  } catch (error) {
    // What could not be changed is told below, by what is there then.
    if (!isErrno(error, 'EPERM', 'EACCES', 'EROFS', 'ENOENT', 'EINVAL')) throw error
    state.result = false
  }
}

interface Field {
  readonly name: 'user' | 'group' | 'mode'
  readonly wanted: Value
  /** What is there now is something else. */
  readonly differs: boolean
  /** It was set before this look. */
  readonly tried: boolean
}

function judge({ name, wanted, differs, tried }: Field, state: State, test: boolean): void {
  if (differs && test) state.changes[name] = wanted
  else if (differs) {
    state.result = false
    state.comments.push(`Failed to change ${name} to ${pythonStr(wanted)}`)
  } else if (tried) state.changes[name] = wanted
}

/** Salt's `file.set_mode`: the mode that is there then, or what is wrong with the one given. */
export async function setMode(path: string, mode: Value): Promise<string> {
  const text = pythonStr(mode).replace(/^[0oO]+/, '') || '0'
  if (!(await exists(path))) throw new CommandExecutionError(`${path}: File not found`)
  const number = modeNumber(text)
  if (number === undefined) return `Invalid Mode ${text}`
  try {
    await chmod(path, number)
  } catch (error) {
    if (!isErrno(error, 'EPERM', 'EACCES', 'EROFS')) throw error
    return `Invalid Mode ${text}`
  }
  return (await fileStats(path)).mode
}

/** A state's return with what came of the permissions: the comment leads, sentences are joined with `; `. */
export function withPermissions<
  Return extends { result: boolean | null; comment: string | string[]; changes: Mapping },
>(ret: Return, done: Permissions): Return {
  const before = typeof ret.comment === 'string' ? ret.comment : ret.comment.join('\n')
  const comment = [...(before === '' ? [] : [before]), ...done.comments].join('; ')
  const changes = { ...ret.changes, ...done.changes }
  return { ...ret, comment, changes, result: done.result === true ? ret.result : done.result }
}

export type { FileStats }
