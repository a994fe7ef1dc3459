// What Salt tells of a file: `file.stats`.
import { lstat, stat } from 'node:fs/promises'
import { posix } from 'node:path'
import { float, type Mapping, type Value } from '../../core/value/index.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import { hashFile } from './hash.ts'
import { modeText } from './mode.ts'
import { groupNameOf, userName } from './owners.ts'
import { exists, lexists, realPath } from './paths.ts'

/** The fields of `file.stats`. */
export interface FileStats extends Mapping {
  inode: number
  uid: number
  gid: number
  group: string | number
  user: string | number
  atime: Value
  mtime: Value
  ctime: Value
  size: number
  mode: string
  type: string
  target: string
}

/** Throws CommandExecutionError where nothing is there. `sum` is there where a hash was asked for. */
export async function fileStats(path: string, hash?: string, follow = true): Promise<FileStats> {
  const there = await (follow ? exists : lexists)(path)
  if (!there && !(await lexists(path))) throw new CommandExecutionError(`Path not found: ${path}`)
  const found = await (there && follow ? stat : lstat)(path, { bigint: true })
  const [uid, gid] = [Number(found.uid), Number(found.gid)]
  const type = found.isDirectory()
    ? 'dir'
    : found.isCharacterDevice()
      ? 'char'
      : found.isBlockDevice()
        ? 'block'
        : found.isSymbolicLink()
          ? 'link'
          : found.isFIFO()
            ? 'pipe'
            : found.isSocket()
              ? 'socket'
              : 'file'
  return {
    inode: Number(found.ino),
    uid,
    gid,
    group: await groupNameOf(gid),
    user: await userName(uid),
    atime: seconds(found.atimeNs),
    mtime: seconds(found.mtimeNs),
    ctime: seconds(found.ctimeNs),
    size: Number(found.size),
    mode: modeText(Number(found.mode)),
    ...(hash === undefined ? {} : { sum: await hashFile(path, hash) }),
    type,
    target: follow ? await realPath(path) : posix.resolve(path),
  }
}

/** Seconds since 1970 as Python makes them of nanoseconds. */
function seconds(nanoseconds: bigint): Value {
  const whole = nanoseconds / 1_000_000_000n
  return float(Number(whole) + 1e-9 * Number(nanoseconds - whole * 1_000_000_000n))
}
