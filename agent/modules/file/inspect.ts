// What is at a path: its kind, owner, mode, size, and what a path is made of.
import { constants, readdir, readlink, statfs } from 'node:fs/promises'
import { float, type Mapping, pythonStr } from '../../../core/value/index.ts'
import { groupNameOf, groupNumber, userName, userNumber } from '../../filesystem/owners.ts'
import {
  baseName,
  directoryName,
  expandVariables,
  globPaths,
  isDirectory,
  isLink,
  isRegularFile,
  joinPath,
  lstatOf,
  mayAccess,
  normalPath,
  realPath,
  statOf,
  walk,
} from '../../filesystem/paths.ts'
import { fileStats } from '../../filesystem/stats.ts'
import { type Arguments, integerOf } from '../arguments.ts'
import { CommandExecutionError, PythonError, SaltInvocationError } from '../errors.ts'
import { define, type ExecutionFunction, examples } from '../module.ts'
import { absolutePath, pathOf } from './asked.ts'

const asking = { readOnly: true }

const stats = async (args: Arguments) =>
  fileStats(await pathOf(args), args.textIfAny('hash_type'), args.value('follow_symlinks') !== false)

const field = (name: 'uid' | 'gid' | 'user' | 'group' | 'mode', what: string): ExecutionFunction =>
  define(
    'path, follow_symlinks=True',
    `Return ${what} of a file or directory.

follow_symlinks
    False asks about a link itself.${examples(`brine '*' file.get_${name} /etc/passwd`)}`,
    async (args) => (await stats(args))[name],
    asking,
  )

async function number(args: Arguments): Promise<Mapping> {
  const path = await absolutePath(args, 'path', 'Path to file must be absolute.')
  const found = await lstatOf(path)
  if (found === undefined) return {}
  return {
    st_atime: float(found.atimeMs / 1000),
    st_ctime: float(found.ctimeMs / 1000),
    st_gid: found.gid,
    st_mode: found.mode,
    st_mtime: float(found.mtimeMs / 1000),
    st_nlink: found.nlink,
    st_size: found.size,
    st_uid: found.uid,
  }
}

const accessModes = { f: constants.F_OK, r: constants.R_OK, w: constants.W_OK, x: constants.X_OK } as const

async function may(args: Arguments): Promise<boolean> {
  const path = await absolutePath(args, 'path', 'Path to link must be absolute.')
  const asked = args.value('mode')
  const mode = Object.entries(accessModes).find(([letter, bit]) => letter === asked || bit === asked)
  if (mode === undefined) throw new SaltInvocationError('Invalid mode specified.')
  return mayAccess(path, mode[1])
}

async function target(args: Arguments): Promise<string> {
  const path = expandVariables(await pathOf(args))
  if (!path.startsWith('/')) throw new SaltInvocationError(`Path to link must be absolute: ${path}`)
  if (!(await isLink(path))) throw new SaltInvocationError(`A valid link was not specified: ${path}`)
  return args.is('canonicalize') ? realPath(path) : readlink(path)
}

async function space(args: Arguments): Promise<Mapping> {
  const path = await absolutePath(args, 'path', 'File path must be absolute.')
  try {
    const found = await statfs(path)
    return {
      f_bavail: found.bavail,
      f_bfree: found.bfree,
      f_blocks: found.blocks,
      f_bsize: found.bsize,
      f_ffree: found.ffree,
      f_files: found.files,
    }
  } catch (error) {
    throw new CommandExecutionError(`Could not statvfs '${path}'`, error)
  }
}

async function usage(args: Arguments): Promise<number> {
  const path = await pathOf(args)
  const found = await statOf(path)
  if (found?.isFile() === true) return found.size
  const seen = new Set<number>()
  let sum = 0
  for (const { root, files } of await walk(path)) {
    for (const name of files) {
      const about = await statOf(joinPath(root, name))
      if (about === undefined || seen.has(about.ino)) continue
      seen.add(about.ino)
      sum += about.size
    }
  }
  return sum
}

async function names(args: Arguments): Promise<string[]> {
  const path = await absolutePath(args, 'path', 'Dir path must be absolute.')
  if (!(await isDirectory(path))) throw new SaltInvocationError(`A valid directory was not specified: ${path}`)
  return ['.', '..', ...(await readdir(path)).sort()]
}

/** A device's or a pipe's kind; false where nothing is there. */
const kind = (name: string, what: string, is: 'isBlockDevice' | 'isCharacterDevice' | 'isFIFO'): ExecutionFunction =>
  define(
    'name',
    `Return whether there is a ${what}.${examples(`brine '*' file.${name} /dev/thing`)}`,
    async (args) => (await statOf(await pathOf(args, 'name')))?.[is]() ?? false,
    asking,
  )

/** The functions, by their names. */
export const inspecting: Readonly<Record<string, ExecutionFunction>> = {
  stats: define(
    'path, hash_type=None, follow_symlinks=True',
    `Return what the system knows of a file or directory: inode, uid, gid, group, user, times, size, mode, type, target.

hash_type
    Add the file's digest as \`\`sum\`\`: sha256, sha512, md5, …
follow_symlinks
    False asks about a link itself.${examples("brine '*' file.stats /etc/passwd")}`,
    stats,
    asking,
  ),
  lstat: define(
    'path',
    `Return the system's own record of a file, links not followed.${examples("brine '*' file.lstat /path/to/file")}`,
    number,
    asking,
  ),
  file_exists: define(
    'path',
    `Return whether there is a regular file, behind links.${examples("brine '*' file.file_exists /etc/passwd")}`,
    async (args) => isRegularFile(await pathOf(args)),
    asking,
  ),
  directory_exists: define(
    'path',
    `Return whether there is a directory, behind links.${examples("brine '*' file.directory_exists /etc")}`,
    async (args) => isDirectory(await pathOf(args)),
    asking,
  ),
  path_exists_glob: define(
    'path',
    `Return whether anything is at a path in which \`\`*\`\`, \`\`?\`\` and \`\`[…]\`\` may stand.${examples("brine '*' file.path_exists_glob '/etc/pam*/pass*'")}`,
    async (args) => (await globPaths(await pathOf(args))).length > 0,
    asking,
  ),
  is_link: define(
    'path',
    `Return whether there is a symbolic link.${examples("brine '*' file.is_link /path/to/link")}`,
    async (args) => isLink(await pathOf(args)),
    asking,
  ),
  is_hardlink: define(
    'path',
    `Return whether the file has other names.${examples("brine '*' file.is_hardlink /path/to/link")}`,
    async (args) => ((await lstatOf(await pathOf(args)))?.nlink ?? 0) > 1,
    asking,
  ),
  is_blkdev: kind('is_blkdev', 'block device', 'isBlockDevice'),
  is_chrdev: kind('is_chrdev', 'character device', 'isCharacterDevice'),
  is_fifo: kind('is_fifo', 'named pipe', 'isFIFO'),
  readlink: define(
    'path, canonicalize=False',
    `Return what a symbolic link points to.

canonicalize
    Follow it, and the links on the way, to the end.${examples("brine '*' file.readlink /path/to/link")}`,
    target,
    asking,
  ),
  readdir: define(
    'path',
    `List the names in a directory, \`\`.\`\` and \`\`..\`\` first.${examples("brine '*' file.readdir /path/to/dir/")}`,
    names,
    asking,
  ),
  access: define(
    'path, mode',
    `Return whether the minion may do something with a path.

mode
    \`\`f\`\` (it is there), \`\`r\`\`, \`\`w\`\` or \`\`x\`\`.${examples("brine '*' file.access /path/to/file f", "brine '*' file.access /path/to/file x")}`,
    may,
    asking,
  ),
  statvfs: define(
    'path',
    `Return the size and the free space of the file system that holds a path.${examples("brine '*' file.statvfs /path/to/file")}`,
    space,
    asking,
  ),
  diskusage: define(
    'path',
    `Sum up the sizes in bytes of the files under a path.${examples("brine '*' file.diskusage /path/to/check")}`,
    usage,
    asking,
  ),
  get_uid: field('uid', "the owner's number"),
  get_gid: field('gid', "the group's number"),
  get_user: field('user', "the owner's name"),
  get_group: field('group', "the group's name"),
  get_mode: field('mode', 'the mode, in four octal digits,'),
  uid_to_user: define(
    'uid',
    `Return the name of a user's number; the number where it has none.${examples("brine '*' file.uid_to_user 0")}`,
    (args) => userName(args.integer('uid')),
    asking,
  ),
  user_to_uid: define(
    'user',
    `Return the number of a user; nothing where there is no such user.${examples("brine '*' file.user_to_uid root")}`,
    (args) => userNumber(args.value('user')),
    asking,
  ),
  gid_to_group: define(
    'gid',
    `Return the name of a group's number; the number where it has none.${examples("brine '*' file.gid_to_group 0")}`,
    async (args) => {
      const gid = args.value('gid')
      const known = typeof gid === 'string' && !/^\s*[-+]?\d+\s*$/.test(gid) ? await groupNumber(gid) : integerOf(gid)
      return known === '' ? '' : groupNameOf(known)
    },
    asking,
  ),
  group_to_gid: define(
    'group',
    `Return the number of a group; nothing where there is no such group.${examples("brine '*' file.group_to_gid root")}`,
    (args) => groupNumber(args.value('group')),
    asking,
  ),
  basename: define(
    'path',
    `Return what follows a path's last slash.${examples("brine '*' file.basename 'test/test.config'")}`,
    (args) => baseName(args.text('path')),
    asking,
  ),
  dirname: define(
    'path',
    `Return what is before a path's last slash.${examples("brine '*' file.dirname 'test/path/filename.config'")}`,
    (args) => directoryName(args.text('path')),
    asking,
  ),
  join: define(
    '*args',
    `Put parts of a path together; an absolute part begins anew.${examples("brine '*' file.join '/' 'usr' 'local' 'bin'")}`,
    (args) => {
      const [first, ...parts] = args.positional.map(pythonStr)
      if (first === undefined) throw new PythonError('TypeError', "join() missing 1 required positional argument: 'a'")
      return joinPath(first, ...parts)
    },
    asking,
  ),
  normpath: define(
    'path',
    `Return a path without double slashes, \`\`.\`\` and \`\`..\`\`.${examples("brine '*' file.normpath 'a/b/c/..'")}`,
    (args) => normalPath(args.text('path')),
    asking,
  ),
  pardir: define('', `Return the name of the directory above.${examples("brine '*' file.pardir")}`, () => '..', asking),
}
