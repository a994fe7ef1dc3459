// Changes what is at a path: touched, copied, moved, linked, removed, given to others.
import { isInteger, isMap, pythonStr, pythonTruth, type Value } from '../../../core/value/index.ts'
import { makeDirectory, makeParents, makeWithOwner } from '../../filesystem/directories.ts'
import {
  copyPath,
  makeHardLink,
  makeLink,
  movePath,
  remove,
  removeEmpty,
  renamePath,
  touch,
} from '../../filesystem/move.ts'
import { asPython, osErrorText } from '../../filesystem/os-error.ts'
import { changeOwner } from '../../filesystem/owners.ts'
import { isDirectory } from '../../filesystem/paths.ts'
import { checkPermissions, setMode, withPermissions } from '../../filesystem/permissions.ts'
import { fileStats } from '../../filesystem/stats.ts'
import { type Arguments, integerOf } from '../arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { absolutePath, attributesOf, inTest, pathOf } from './asked.ts'

/** Seconds since 1970; text of digits is a number. */
export function timeOf(value: Value): number | undefined {
  if (value === null) return undefined
  if (isInteger(value) || typeof value === 'number') return Number(value)
  if (typeof value === 'string' && /^\d+$/.test(value)) return Number(value)
  throw new SaltInvocationError('atime and mtime must be integers')
}

const owner = (args: Arguments) => ({ user: args.value('user'), group: args.value('group'), mode: args.value('mode') })

async function own(args: Arguments, follow: boolean): Promise<Value> {
  const path = await pathOf(args)
  try {
    return (await changeOwner(path, args.value('user'), args.value('group'), follow)) ?? null
  } catch (error) {
    throw asPython(error, path)
  }
}

async function checkPerms(args: Arguments, call: Call): Promise<Value> {
  const name = await pathOf(args, 'name')
  const done = await checkPermissions(name, {
    ...owner(args),
    attrs: args.value('attrs'),
    follow: args.is('follow_symlinks'),
    test: inTest(call),
    attributes: attributesOf(call),
  })
  const given = args.value('ret')
  const before = given !== null && isMap(given) && pythonTruth(given) ? args.map('ret') : {}
  const ret = withPermissions(
    {
      name,
      changes: isMap(before.changes ?? null) ? (before.changes as Record<string, Value>) : {},
      comment: pythonStr(before.comment ?? ''),
      result: before.result !== false,
    },
    done,
  )
  return [ret as unknown as Value, done.permissions]
}

async function move(args: Arguments): Promise<Value> {
  const [source, target] = [await pathOf(args, 'src'), await pathOf(args, 'dst')]
  if (args.is('disallow_copy_and_unlink')) return renamePath(source, target)
  if (!source.startsWith('/')) throw new SaltInvocationError('Source path must be absolute.')
  if (!target.startsWith('/')) throw new SaltInvocationError('Destination path must be absolute.')
  try {
    await movePath(source, target)
    return { result: true, comment: `'${source}' moved to '${target}'` }
  } catch (error) {
    throw new CommandExecutionError(`Unable to move '${source}' to '${target}': ${osErrorText(error, source)}`, error)
  }
}

async function rmdir(args: Arguments): Promise<Value> {
  const path = await absolutePath(args, 'path', 'File path must be absolute.')
  if (!(await isDirectory(path))) throw new SaltInvocationError(`A valid directory was not specified: ${path}`)
  const olderThan = args.is('older_than') ? integerOf(args.value('older_than')) : undefined
  const done = await removeEmpty(path, { recurse: args.is('recurse'), olderThan })
  return args.is('verbose') ? done : done.result
}

async function changeAttributes(args: Arguments, call: Call): Promise<boolean> {
  const { operator = null, attributes = null, flags = null, version = null } = args.keywords
  if (operator !== 'add' && operator !== 'remove') {
    throw new SaltInvocationError("Need an operator: 'add' or 'remove' to modify attributes.")
  }
  if (attributes === null) throw new SaltInvocationError('Need attributes: [aAcCdDeijPsStTu]')
  const command = [
    'chattr',
    `${operator === 'add' ? '+' : '-'}${pythonStr(attributes)}`,
    ...(flags === null ? [] : [`-${pythonStr(flags)}`]),
    ...(version === null ? [] : ['-v', pythonStr(version)]),
    ...args.positional.map(pythonStr),
  ]
  return !pythonTruth(await call.salt('cmd.run', [command], { python_shell: false }))
}

/** The functions, by their names. */
export const changing: Readonly<Record<string, ExecutionFunction>> = {
  touch: define(
    'name, atime=None, mtime=None',
    `Make an empty file where there is none, and set its times.

atime, mtime
    Seconds since 1970; now where neither is given.${examples("brine '*' file.touch /var/log/emptyfile")}`,
    async (args) => touch(await pathOf(args, 'name'), timeOf(args.value('atime')), timeOf(args.value('mtime'))),
  ),
  copy: define(
    'src, dst, recurse=False, remove_existing=False',
    `Copy a file, or with \`\`recurse\`\` a directory, on the minion. Owner and mode go with it.

remove_existing
    Remove what is at the target first.${examples("brine '*' file.copy /path/to/src /path/to/dst", "brine '*' file.copy /path/to/src_dir /path/to/dst_dir recurse=True")}`,
    async (args) =>
      copyPath(await pathOf(args, 'src'), await pathOf(args, 'dst'), {
        recurse: args.is('recurse'),
        removeExisting: args.is('remove_existing'),
      }),
  ),
  rename: define(
    'src, dst',
    `Rename a file or a directory within a file system.${examples("brine '*' file.rename /path/to/src /path/to/dst")}`,
    async (args) => renamePath(await pathOf(args, 'src'), await pathOf(args, 'dst')),
  ),
  move: define(
    'src, dst, disallow_copy_and_unlink=False',
    `Move a file or a directory; where there is a directory, into it.

disallow_copy_and_unlink
    Fail where it could not be done in one step.${examples("brine '*' file.move /path/to/src /path/to/dst")}`,
    move,
  ),
  remove: define(
    'path, **kwargs',
    `Remove a file, a link, or a directory with all that is in it. False where there is nothing.${examples("brine '*' file.remove /tmp/foo")}`,
    async (args) => {
      const path = await pathOf(args)
      if (!path.startsWith('/')) throw new SaltInvocationError(`File path must be absolute: ${path}`)
      return remove(path)
    },
  ),
  rmdir: define(
    'path, recurse=False, verbose=False, older_than=None',
    `Remove an empty directory.

recurse
    The empty directories below it first.
verbose
    Return what was removed and what could not be.
older_than
    Only what has not been changed for so many days.${examples("brine '*' file.rmdir /tmp/foo/", "brine '*' file.rmdir /tmp/foo/ recurse=True")}`,
    rmdir,
  ),
  symlink: define(
    'src, path, force=False, atomic=False, follow_symlinks=True',
    `Make a symbolic link at \`\`path\`\` to \`\`src\`\`.

force
    In place of what is there.
atomic
    The same in one step.${examples("brine '*' file.symlink /path/to/file /path/to/link")}`,
    async (args) =>
      makeLink(args.text('src'), await pathOf(args), {
        force: args.is('force'),
        atomic: args.is('atomic'),
        follow: args.value('follow_symlinks') !== false,
      }),
  ),
  link: define(
    'src, path',
    `Make another name (a hard link) for a file.${examples("brine '*' file.link /path/to/file /path/to/link")}`,
    async (args) => makeHardLink(await pathOf(args, 'src'), args.text('path')),
  ),
  mkdir: define(
    'dir_path, user=None, group=None, mode=None',
    `Make a directory and those above it that are missing.${examples("brine '*' file.mkdir /opt/jetty/context")}`,
    async (args) => {
      await makeDirectory(await pathOf(args, 'dir_path'), owner(args))
      return true
    },
  ),
  makedirs: define(
    'path, user=None, group=None, mode=None',
    `Make the directories above a path. A path that ends in a slash is one of them.${examples("brine '*' file.makedirs /opt/code/")}`,
    async (args) => makeParents(await pathOf(args), owner(args)),
  ),
  makedirs_perms: define(
    "name, user=None, group=None, mode='0755'",
    `Make a directory and those above it, and give each owner and mode.${examples("brine '*' file.makedirs_perms /opt/code")}`,
    async (args) => {
      await makeWithOwner(await pathOf(args, 'name'), owner(args))
      return null
    },
  ),
  chown: define(
    'path, user, group',
    `Give a file to a user and a group, by name or number.${examples("brine '*' file.chown /etc/passwd root root")}`,
    (args) => own(args, true),
  ),
  lchown: define(
    'path, user, group',
    `The same of a link itself.${examples("brine '*' file.lchown /path/to/link root root")}`,
    (args) => own(args, false),
  ),
  chgrp: define(
    'path, group',
    `Give a file to a group.${examples("brine '*' file.chgrp /etc/passwd root")}`,
    async (args) => {
      const path = await pathOf(args)
      const { user } = await fileStats(path)
      return (await changeOwner(path, user, args.value('group'))) ?? null
    },
  ),
  set_mode: define(
    'path, mode',
    `Set a file's mode: octal digits.${examples("brine '*' file.set_mode /etc/passwd 0644")}`,
    async (args) => setMode(await pathOf(args), args.value('mode')),
  ),
  check_perms: define(
    'name, ret, user, group, mode, attrs=None, follow_symlinks=False, seuser=None, serole=None, setype=None, serange=None',
    `Bring about owner, group, mode and attributes of a file, and return what changed with what there was before.${examples("brine '*' file.check_perms /etc/sudoers '{}' root root 400 attrs=ai")}`,
    checkPerms,
  ),
  chattr: define(
    '*files, **kwargs',
    `Add or remove attributes of files.

operator
    \`\`add\`\` or \`\`remove\`\`.
attributes
    Letters of chattr.
flags, version
    Its options.${examples("brine '*' file.chattr foo1.txt foo2.txt operator=add attributes=ai")}`,
    changeAttributes,
  ),
  lsattr: define(
    'path',
    `Return the attributes of a file, a letter each.${examples("brine '*' file.lsattr foo1.txt")}`,
    async (args, call) => {
      const path = args.text('path')
      try {
        await fileStats(path)
      } catch {
        throw new SaltInvocationError(`File or directory does not exist: ${path}`)
      }
      const found = await attributesOf(call).read(path)
      return found === undefined ? null : { [path]: found }
    },
    { readOnly: true },
  ),
  restorecon: define(
    'path, recursive=False',
    `Reset the SELinux context of a path.${examples("brine '*' file.restorecon /home/user/.ssh/authorized_keys")}`,
    async (args, call) =>
      (await call.salt('cmd.retcode', [['restorecon', args.is('recursive') ? '-FR' : '-F', args.text('path')]], {
        python_shell: false,
      })) === 0,
  ),
  get_selinux_context: define(
    'path',
    `Return the SELinux context of a path.${examples("brine '*' file.get_selinux_context /etc/hosts")}`,
    async (args, call) => {
      const path = args.text('path')
      const done = await call.salt('cmd.run_all', [['stat', '-c', '%C', path]], { python_shell: false })
      const found = done !== null && isMap(done) && !(done instanceof Map) ? done : {}
      return found.retcode === 0 ? (found.stdout ?? '') : `No selinux context information is available for ${path}`
    },
  ),
}
