// Files of the minion's for its master: `cp.push` and `cp.push_dir`.
import { open, realpath, rm, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, normalize } from 'node:path'
import { messageOf } from '../../core/error.ts'
import { tagGlob } from '../../core/event/tag-glob.ts'
import { mostPushed } from '../../core/protocol/minion.ts'
import { filesBelow } from '../files/index.ts'
import type { Arguments } from './arguments.ts'
import { type Call, define, type ExecutionFunction, examples } from './module.ts'

/** One file; false where it may not be sent, or was not taken. */
async function pushFile(call: Call, given: string, upload: string | undefined, keepLinks: boolean): Promise<boolean> {
  if (given.includes('../') || !isAbsolute(given)) return false
  const path = keepLinks ? given : await realpath(given).catch(() => given)
  if ((await stat(path).catch(() => undefined))?.isFile() !== true) return false
  if (upload?.includes('../') === true) return false
  const names = normalize(upload === undefined || upload === '' ? path : upload)
    .split('/')
    .filter((name) => name !== '')
  try {
    await sendWhole(call, path, names)
    return true
  } catch (error) {
    call.agent.outside.log.error(`cp.push of ${path} failed: ${messageOf(error)}`)
    return false
  }
}

/** In pieces of the size that a master takes at once. A file that changes meanwhile is refused. */
async function sendWhole(call: Call, path: string, names: string[]): Promise<void> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.min(mostPushed, size))
    for (let offset = 0; offset === 0 || offset < size; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.byteLength, size - offset), offset)
      await call.agent.push({ path: names, offset, size, data: buffer.subarray(0, bytesRead).toString('base64') })
      if (bytesRead === 0) return
      offset += bytesRead
    }
  } finally {
    await file.close()
  }
}

async function push(args: Arguments, call: Call): Promise<boolean> {
  const path = args.text('path')
  const isSent = await pushFile(call, path, args.textIfAny('upload_path'), args.is('keep_symlinks'))
  if (isSent && args.is('remove_source')) await rm(path, { force: true })
  return isSent
}

async function pushDir(args: Arguments, call: Call): Promise<boolean> {
  const [given, upload, glob] = [args.text('path'), args.textIfAny('upload_path'), args.textIfAny('glob')]
  if (given.includes('../') || !isAbsolute(given)) return false
  const path = await realpath(given).catch(() => given)
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === true) return pushFile(call, path, upload, false)
  if (found === undefined) return false
  const wanted = glob === undefined ? () => true : tagGlob(glob)
  const files = (await filesBelow(path)).map(({ path: below }) => below).filter((below) => wanted(basename(below)))
  if (files.length === 0) return false
  for (const below of files.sort()) {
    call.signal.throwIfAborted()
    const to = upload === undefined ? undefined : join('/', upload, below)
    if (!(await pushFile(call, join(path, below), to, false))) return false
  }
  return true
}

/** The two functions. */
export const pushing: Record<string, ExecutionFunction> = {
  push: define(
    'path, keep_symlinks=False, upload_path=None, remove_source=False',
    `Send a file to the master, which keeps it below the minion's own folder. Returns whether it was taken: the master has to
have \`\`file_recv: True\`\`, and the file must not be larger than its \`\`file_recv_max_size\`\` (on AWS 4 MiB at most).

keep_symlinks
    Send it under the path as given, not under that which links lead to.
upload_path
    Another path below the minion's folder.
remove_source
    Remove the file here, once it was taken.${examples("brine '*' cp.push /etc/fstab", "brine '*' cp.push /tmp/report upload_path=/reports/today remove_source=True")}`,
    push,
  ),
  push_dir: define(
    'path, glob=None, upload_path=None',
    `Send the files of a folder and of those below it to the master. Returns whether all were taken; ends at the first that was
not.

glob
    Only files whose names this shell pattern matches.
upload_path
    Another folder below the minion's own.${examples("brine '*' cp.push_dir /etc/modprobe.d/ glob='*.conf'")}`,
    pushDir,
  ),
}
