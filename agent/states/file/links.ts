// `file.symlink` and `file.hardlink`: another name for something.
import { readlink, rm } from 'node:fs/promises'
import { messageOf } from '../../../core/error.ts'
import { type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { makeParents } from '../../filesystem/directories.ts'
import { normalMode } from '../../filesystem/mode.ts'
import { makeHardLink, makeLink, movePath, remove, renamePath } from '../../filesystem/move.ts'
import { changeOwner, groupNumber, userNumber } from '../../filesystem/owners.ts'
import {
  baseName,
  directoryName,
  exists,
  isDirectory,
  isLink,
  isRegularFile,
  joinPath,
  lexists,
  lstatOf,
  normalPath,
} from '../../filesystem/paths.ts'
import { fileStats } from '../../filesystem/stats.ts'
import type { Arguments } from '../../modules/arguments.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { begun, ended, failed, groupFor, minionUser, nameOf, notAbsolute, ownerOf } from './outcome.ts'

interface Link {
  readonly name: string
  readonly target: string
  readonly user: Value
  readonly group: Value
}

async function preflight({ name, target, user, group }: Link, hard: boolean): Promise<string | undefined> {
  const wrong: string[] = []
  if ((await userNumber(user)) === '') wrong.push(`User ${pythonStr(user)} does not exist`)
  if ((await groupNumber(group)) === '') wrong.push(`Group ${pythonStr(group)} does not exist`)
  if (!name.startsWith('/')) wrong.push(notAbsolute(name))
  if (hard && !target.startsWith('/')) wrong.push(`Specified target ${target} is not an absolute path`)
  return wrong.length === 0 ? undefined : `${wrong.join('. ')}${wrong.length > 1 ? '.' : ''}`
}

async function ownersOf(path: string): Promise<readonly [user: Value, group: Value]> {
  const { user, group } = await fileStats(path, undefined, false)
  return [user, group]
}

const isOwned = async ({ name, user, group }: Link): Promise<boolean> => {
  const [cur, curGroup] = await ownersOf(name)
  return cur === user && curGroup === group
}

async function owned(link: Link): Promise<boolean> {
  if (await isOwned(link)) return true
  try {
    await changeOwner(link.name, link.user, link.group, false)
  } catch {
    return false
  }
  return isOwned(link)
}

/** What would be done, for test mode. */
async function expected(
  link: Link,
  force: boolean,
  follow: boolean,
): Promise<{ result: boolean | null; comment: string; changes: Mapping }> {
  const { name, target, user, group } = link
  if (await isLink(name)) {
    if ((await readlink(name)) !== target) {
      return {
        result: null,
        comment: `Link ${name} target is set to be changed to ${target}`,
        changes: { change: name },
      }
    }
    const comment = `The symlink ${name} is present`
    if (await isOwned(link)) return { result: true, comment, changes: {} }
    const [cur, curGroup] = await ownersOf(name)
    const now = `${pythonStr(cur)}:${pythonStr(curGroup)}`
    const wanted = `${pythonStr(user)}:${pythonStr(group)}`
    return {
      result: null,
      comment: `${comment}, but the ownership of the symlink would be changed from ${now} to ${wanted}`,
      changes: { ownership: now },
    }
  }
  if (!(await (follow ? exists : lexists)(name))) {
    return { result: null, comment: `Symlink ${name} to ${target} is set for creation`, changes: { new: name } }
  }
  if (force) {
    const comment = `The file or directory ${name} is set for removal to make way for a new symlink targeting ${target}`
    return { result: null, comment, changes: {} }
  }
  const comment = `File or directory exists where the symlink ${name} should be. Did you mean to use force?`
  return { result: false, comment, changes: {} }
}

async function linked(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name)
  if (name === '') return failed(ret, 'Must provide name to file.symlink')
  const follow = args.value('follow_symlinks') !== false
  const force = args.is('force')
  const inherited = args.is('inherit_user_and_group') && (await isLink(name)) ? await ownersOf(name) : undefined
  const user = ownerOf(args) ?? inherited?.[0] ?? (await minionUser(call))
  const group = await groupFor(user, args.value('group') ?? inherited?.[1] ?? null)
  const link: Link = { name, target: args.text('target'), user, group }
  const wrong = await preflight(link, false)
  if (wrong !== undefined) return failed(ret, wrong)
  const plan = await expected(link, force, follow)
  const above = directoryName(name)
  if (!(await isDirectory(above))) {
    const missing = `Directory ${above} for symlink is not present`
    const makes = args.is('makedirs')
    if (call.test) {
      return ended(ret, plan.result, `${plan.comment}\n${makes ? `${above} will be created` : missing}`, plan.changes)
    }
    if (!makes) return failed(ret, missing)
    await makeParents(name, { user, group, mode: normalMode(args.value('mode')) ?? null })
  }
  if (call.test) return ended(ret, plan.result, plan.comment, plan.changes)
  if (await isLink(name)) {
    if (normalPath(await readlink(name)) === normalPath(link.target)) return present(ret, link)
    // A link is replaced in one step.
    return replaced(ret, link, { force: true, atomic: true, follow })
  }
  if (await (follow ? exists : lexists)(name)) {
    const stays = await movedAway(ret, link, args)
    if (stays !== undefined) return stays
  }
  return replaced(ret, link, { force, atomic: args.is('atomic'), follow })
}

async function present(ret: Managed, link: Link): Promise<Managed> {
  const { name, user, group } = link
  const owner = `${pythonStr(user)}:${pythonStr(group)}`
  if (await isOwned(link)) return ended(ret, true, `Symlink ${name} is present and owned by ${owner}`)
  if (await owned(link)) return ended(ret, true, `Set ownership of symlink ${name} to ${owner}`, { ownership: owner })
  return failed(ret, `Failed to set ownership of symlink ${name} to ${owner}`)
}

/** Moves what is in the way to `backupname`; an answer where it stays. */
async function movedAway(ret: Managed, { name, target }: Link, args: Arguments): Promise<Managed | undefined> {
  const given = args.textIfAny('backupname')
  const force = args.is('force')
  if (given === undefined) {
    if (force || args.is('atomic')) return undefined
    const what = (await isRegularFile(name)) ? 'File' : (await isDirectory(name)) ? 'Directory' : 'File system entry'
    return failed(ret, `${what} exists where the symlink ${name} should be`)
  }
  if (!given.startsWith('/') && given !== baseName(given)) {
    return failed(ret, `Backupname must be an absolute path or a file name: ${given}`)
  }
  const backup = given.startsWith('/') ? given : joinPath(directoryName(normalPath(name)), given)
  if (await lexists(backup)) {
    if (!force) {
      return failed(ret, `Symlink & backup dest exists and Force not set. ${name} -> ${target} - backup: ${backup}`)
    }
    await remove(backup)
  }
  try {
    if (args.is('disallow_copy_and_unlink')) await renamePath(name, backup)
    else await movePath(name, backup)
    return undefined
  } catch (error) {
    return failed({ ...ret, changes: {} }, `Unable to rename ${name} to backup ${backup} -> : ${messageOf(error)}`)
  }
}

async function replaced(
  ret: Managed,
  link: Link,
  options: { force: boolean; atomic: boolean; follow: boolean },
): Promise<Managed> {
  const { name, target, user, group } = link
  try {
    await makeLink(target, name, options)
  } catch (error) {
    return failed(ret, `Unable to create new symlink ${name} -> ${target}: ${messageOf(error)}`)
  }
  const done = ended(ret, true, `Created new symlink ${name} -> ${target}`, { ...ret.changes, new: name })
  if (await owned(link)) return done
  return failed(done, `${done.comment}, but was unable to set ownership to ${pythonStr(user)}:${pythonStr(group)}`)
}

const isSame = async (a: string, b: string): Promise<boolean> => {
  const [one, other] = [await lstatOf(a), await lstatOf(b)]
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}

async function expectedHard(
  { name, target }: Link,
  force: boolean,
): Promise<{ result: boolean | null; comment: string; changes: Mapping }> {
  const say = (result: boolean | null, comment: string, changes: Mapping = {}) => ({ result, comment, changes })
  if (!(await exists(target))) return say(false, `Target ${target} for hard link does not exist`)
  if (await isDirectory(target)) return say(false, `Unable to hard link from directory ${target}`)
  if (await isDirectory(name)) return say(false, `Unable to hard link to directory ${name}`)
  if (!(await exists(name))) return say(null, `Hard link ${name} to ${target} is set for creation`, { new: name })
  if (((await lstatOf(name))?.nlink ?? 0) > 1) {
    if (await isSame(name, target)) return say(true, `The hard link ${name} is presently targetting ${target}`)
    return say(null, `Link ${name} target is set to be changed to ${target}`, { change: name })
  }
  if (force) {
    return say(
      null,
      `The file or directory ${name} is set for removal to make way for a new hard link targeting ${target}`,
    )
  }
  return say(false, `File or directory exists where the hard link ${name} should be. Did you mean to use force?`)
}

async function hardLinked(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name)
  if (name === '') return failed(ret, 'Must provide name to file.hardlink')
  const user = ownerOf(args) ?? (await minionUser(call))
  const group = await groupFor(user, args.value('group'))
  const link: Link = { name, target: args.text('target'), user, group }
  const wrong = await preflight(link, true)
  if (wrong !== undefined) return failed(ret, wrong)
  const force = args.is('force')
  const { target } = link
  if (call.test) {
    const plan = await expectedHard(link, force)
    return ended(ret, plan.result, plan.comment, plan.changes)
  }
  if (await isDirectory(name)) return failed(ret, `Unable to hard link to directory ${name}`)
  if (await isDirectory(target)) return failed(ret, `Unable to hard link from directory ${target}`)
  if (!(await exists(target))) return failed(ret, `Target ${target} for hard link does not exist`)
  if (!(await isDirectory(directoryName(name)))) {
    if (!args.is('makedirs')) return failed(ret, `Directory ${directoryName(name)} for hard link is not present`)
    await makeParents(name, { user, group, mode: normalMode(args.value('dir_mode')) ?? null })
  }
  if (await isSame(name, target)) {
    return ended(ret, true, `Target of hard link ${name} is already pointing to ${target}`)
  }
  const nlink = (await lstatOf(name))?.nlink ?? 0
  const changes: Mapping = {}
  if (nlink === 1) {
    if (!force) return failed(ret, `File exists where the hard link ${name} should be`)
    changes.forced = 'File for hard link was forcibly replaced'
  }
  const was = nlink > 1
  try {
    await rm(name, { force: true })
    await makeHardLink(target, name)
  } catch (error) {
    const words = was ? 'Unable to set target of hard link' : 'Unable to create new hard link'
    return failed({ ...ret, changes }, `${words} ${name} -> ${target}: ${messageOf(error)}`)
  }
  const words = was ? 'Set target of hard link' : 'Created new hard link'
  return ended(ret, true, `${words} ${name} -> ${target}`, { ...changes, new: name })
}

/** `file.symlink`. */
export const symlink = defineState(
  'name, target, force=False, backupname=None, makedirs=False, user=None, group=None, mode=None, win_owner=None, win_perms=None, win_deny_perms=None, win_inheritance=None, atomic=False, disallow_copy_and_unlink=False, inherit_user_and_group=False, follow_symlinks=True, **kwargs',
  `A symbolic link to a target.

force, backupname
    Take the place of what is there, which is removed or moved to that name.
atomic
    In one step.
makedirs, mode
    Make the directories above it.
user, group, inherit_user_and_group
    Whose the link is; those it has.${slsExample(`
/etc/grub.conf:
  file.symlink:
    - target: /boot/grub/grub.conf`)}`,
  linked,
)

/** `file.hardlink`. */
export const hardlink = defineState(
  'name, target, force=False, makedirs=False, user=None, group=None, dir_mode=None, **kwargs',
  `Another name for a file.

force
    Take the place of the file that is there.
makedirs, dir_mode
    Make the directories above it.${slsExample(`
/etc/grub.conf:
  file.hardlink:
    - target: /boot/grub/grub.conf`)}`,
  hardLinked,
)
