// `file.copy` and `file.rename`: what is at one place of the minion is at another.
import { cp, lstat, readlink, symlink, unlink } from 'node:fs/promises'
import { type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { makeParents } from '../../filesystem/directories.ts'
import { hashFile } from '../../filesystem/hash.ts'
import { enterable } from '../../filesystem/mode.ts'
import { movePath, remove } from '../../filesystem/move.ts'
import { isErrno } from '../../filesystem/os-error.ts'
import { changeOwner } from '../../filesystem/owners.ts'
import {
  baseName,
  directoryName,
  exists,
  expandUser,
  expandVariables,
  isDirectory,
  isLink,
  isRegularFile,
  joinPath,
  lexists,
  walk,
} from '../../filesystem/paths.ts'
import { checkPermissions } from '../../filesystem/permissions.ts'
import { fileStats } from '../../filesystem/stats.ts'
import { copyWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../../modules/arguments.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { begun, ended, failed, groupFor, minionUser, nameOf, notAbsolute, ownerOf, wrongOwner } from './outcome.ts'

interface Copied {
  readonly user: Value
  readonly group: Value
  readonly mode: Value
}

async function copy(args: Arguments, call: StateCall): Promise<Managed> {
  const given = await nameOf(args)
  const source = await expandUser(args.text('source'))
  const ret: Managed = { ...begun(given), comment: `Copied "${source}" to "${given}"` }
  if (given === '') return failed(ret, 'Must provide name to file.copy')
  if (!given.startsWith('/')) return failed(ret, notAbsolute(given))
  if (!(await exists(source))) return failed(ret, `Source file "${source}" is not present`)
  const preserve = args.is('preserve')
  const wanted = await ownerOfCopy(source, preserve, args, call)
  if (typeof wanted === 'string') return failed(ret, wanted)
  const name = args.is('subdir') && (await isDirectory(given)) ? joinPath(given, baseName(source)) : given
  const force = args.is('force')
  const there = await lexists(name)
  const kept = there && !force
  if (kept || call.test) {
    if (kept) return ended(ret, true, `The target file "${name}" exists and will not be overwritten`)
    return ended(ret, null, `File "${source}" is set to be copied to "${name}"`)
  }
  let comment = `Copied "${source}" to "${given}"`
  if (there && (await isRegularFile(name)) && (await isRegularFile(source))) {
    if ((await hashFile(name)) === (await hashFile(source))) comment += ' - files are identical but force flag is set'
  }
  const above = await parentFor(name, args, wanted)
  if (above !== undefined) return failed(ret, above)
  try {
    if (there && !((await isRegularFile(name)) && (await isRegularFile(source)))) await remove(name)
    await place(source, name, wanted)
  } catch (error) {
    if (!isErrno(error)) call.agent.outside.log.debug(String(error))
    return failed(ret, `Failed to copy "${source}" to "${name}"`)
  }
  const changes: Mapping = { [name]: source }
  if (preserve) return ended(ret, true, comment, changes)
  const done = await checkPermissions(name, { ...wanted, test: false })
  if (done.result === false) return failed({ ...ret, changes }, done.comments.join('; '))
  return ended(ret, true, comment, { ...changes, ...done.changes })
}

async function ownerOfCopy(
  source: string,
  preserve: boolean,
  args: Arguments,
  call: StateCall,
): Promise<Copied | string> {
  const from = await fileStats(source)
  if (preserve) return { user: from.user, group: from.group, mode: from.mode }
  const user = ownerOf(args) ?? (await minionUser(call))
  const group = await groupFor(user, args.value('group'))
  return (await wrongOwner(user, group, call)) ?? { user, group, mode: args.value('mode') ?? from.mode }
}

/** The directory above is there or is made; otherwise why not. */
async function parentFor(name: string, args: Arguments, wanted?: Copied): Promise<string | undefined> {
  const above = directoryName(name)
  if (await isDirectory(above)) return undefined
  if (!args.is('makedirs')) return `The target directory ${above} is not present`
  if (wanted === undefined) await makeParents(name, {})
  else {
    const mode = args.value('dir_mode') ?? enterable(pythonStr(wanted.mode))
    await makeParents(name, { user: wanted.user, group: wanted.group, mode })
  }
  return undefined
}

async function place(source: string, name: string, { user, group }: Copied): Promise<void> {
  if (!(await isDirectory(source))) {
    await copyWhole(source, name, { mode: (await fileStats(source)).mode })
    return
  }
  await cp(source, name, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  for (const { root, dirs, files } of await walk(name)) {
    for (const each of [...dirs, ...files]) await changeOwner(joinPath(root, each), user, group, false)
  }
}

async function rename(args: Arguments, call: StateCall): Promise<Managed> {
  const name = expandVariables(await nameOf(args))
  const source = expandVariables(await expandUser(args.text('source')))
  const ret = begun(name)
  if (name === '') return failed(ret, 'Must provide name to file.rename')
  if (!name.startsWith('/')) return failed(ret, notAbsolute(name))
  if (!(await lexists(source))) return ended(ret, true, `Source file "${source}" has already been moved out of place`)
  const there = await lexists(name)
  if (there && !args.is('force'))
    return ended(ret, true, `The target file "${name}" exists and will not be overwritten`)
  if (call.test) return ended(ret, null, `File "${source}" is set to be moved to "${name}"`)
  const above = await parentFor(name, args)
  if (above !== undefined) return failed(ret, above)
  try {
    // A file takes another's place in one step; anything else makes room first.
    if (there && !((await lstat(name)).isFile() && (await lstat(source)).isFile())) await remove(name)
    if (await isLink(source)) {
      await symlink(await readlink(source), name)
      await unlink(source)
    } else await movePath(source, name)
  } catch {
    return failed(ret, `Failed to move "${source}" to "${name}"`)
  }
  return ended(ret, true, `Moved "${source}" to "${name}"`, { [name]: source })
}

/** `file.copy`. */
export const copyState = defineState(
  'name, source, force=False, makedirs=False, preserve=False, user=None, group=None, mode=None, dir_mode=None, subdir=False, **kwargs',
  `A file or directory of the minion is copied, unless something is at the target.

force
    Copy in any case.
preserve
    Owner and mode are the source's.
user, group, mode, makedirs, dir_mode
    Or these; make the directories above it.
subdir
    Where the target is a directory, copy into it.${slsExample(`
/etc/example.conf:
  file.copy:
    - source: /tmp/example.conf`)}`,
  copy,
)

/** `file.rename`. */
export const renameState = defineState(
  'name, source, force=False, makedirs=False, **kwargs',
  `A file or directory of the minion is moved, where it is still at its source.

force
    Take the place of what is at the target.
makedirs
    Make the directories above it.${slsExample(`
/etc/sales.conf:
  file.rename:
    - source: /tmp/sales.conf`)}`,
  rename,
)
