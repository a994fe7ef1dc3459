// Salt's `mount` module: file systems and swap areas, and what the boot mounts.

import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isList, isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { exists, realPath } from '../../filesystem/paths.ts'
import type { Arguments } from '../arguments.ts'
import { which } from '../cmd-run.ts'
import { CommandExecutionError, CommandNotFoundError } from '../errors.ts'
import { type Call, define, type ExecutionModule, examples } from '../module.ts'
import { outputOf, runProgram } from '../program.ts'
import { activeMounts, activeSwaps } from './active.ts'
import { forgetMount, rememberedMount, rememberMount } from './cache.ts'
import { entryOf, fstabEntries, removeEntry, setEntry } from './fstab.ts'

const userOf = (args: Arguments): { runas?: string } => {
  const user = args.textIfAny('user')
  return user === undefined ? {} : { runas: user }
}

const listOf = (opts: Value): string[] =>
  opts === null ? [] : isList(opts) ? opts.map(pythonStr) : pythonStr(opts).split(',')

/** Runs it: true, or what it complains of. */
async function ran(call: Call, words: readonly string[], args: Arguments): Promise<true | string> {
  const { retcode, stderr } = await runProgram(call, words, userOf(args))
  return retcode === 0 ? true : stderr
}

function onlyMount(args: Arguments, fun: string): void {
  if (args.value('util') !== 'mount')
    throw new CommandExecutionError(
      `mount.${fun} with util=${args.text('util')} is not available: images are opened by cmd.run with that program.`,
    )
}

async function mounted(args: Arguments, call: Call, opts: string[]): Promise<true | string> {
  const name = args.text('name')
  if (args.is('mkmnt') && !(await exists(name))) await call.salt('file.mkdir', [name], { user: args.value('user') })
  const fstype = args.textIfAny('fstype')
  const options = [...(opts.length > 0 ? ['-o', opts.join(',')] : []), ...(fstype === undefined ? [] : ['-t', fstype])]
  return ran(call, ['mount', ...(args.is('device') ? [...options, args.text('device')] : []), name], args)
}

async function remounted(args: Arguments, call: Call, root: string): Promise<true | string> {
  const name = args.text('name')
  const opts = listOf(args.value('opts'))
  if (!(name in (await activeMounts(call, root, false)))) return mounted(args, call, opts)
  const all = opts.includes('remount') ? opts : [...opts, 'remount']
  const fstype = args.textIfAny('fstype')
  const words = ['-o', all.join(','), ...(fstype === undefined ? [] : ['-t', fstype]), args.text('device'), name]
  return ran(call, ['mount', ...words], args)
}

async function unmounted(args: Arguments, call: Call, root: string): Promise<true | string> {
  const name = args.text('name')
  if (!(name in (await activeMounts(call, root, false)))) return `${name} does not have anything mounted`
  const what = args.is('device') ? args.text('device') : name
  return ran(call, ['umount', ...(args.is('lazy') ? ['-l'] : []), what], args)
}

async function swapOn(args: Arguments, call: Call, root: string): Promise<Mapping> {
  const name = args.text('name')
  const before = (await activeSwaps(root))[name]
  if (before !== undefined) return { stats: before, new: false }
  const priority = args.is('priority') ? ['-p', args.text('priority')] : []
  await runProgram(call, ['swapon', name, ...priority])
  const after = (await activeSwaps(root))[name]
  return after === undefined ? {} : { stats: after, new: true }
}

async function swapOff(name: string, call: Call, root: string): Promise<boolean | null> {
  if (!(name in (await activeSwaps(root)))) return null
  await runProgram(call, ['swapoff', name])
  return !(name in (await activeSwaps(root)))
}

async function isFuse(cmd: string, call: Call): Promise<boolean> {
  const path = await which(cmd)
  if (path === undefined) return false
  if ((await which('ldd')) === undefined) throw new CommandNotFoundError('ldd')
  return (await outputOf(call, ['ldd', path])).includes('libfuse')
}

function setFstab(args: Arguments): Promise<string> {
  const text = (name: string): string => args.text(name)
  const given = { device: text('device'), name: text('name'), fstype: text('fstype') }
  return setEntry(args.text('config'), {
    entry: entryOf({ ...given, dump: text('dump'), pass_num: text('pass_num') }, args.value('opts')),
    matchOn: args.value('match_on'),
    keeps: args.is('not_change'),
    test: args.is('test'),
  })
}

/** The place above a path at which something is mounted. */
async function placeOf(path: string): Promise<string> {
  let at = await realPath(path)
  while (at !== '/') {
    const [here, above] = await Promise.all([at, dirname(at)].map((one) => stat(one).catch(() => undefined)))
    if (here !== undefined && above !== undefined && here.dev !== above.dev) return at
    at = dirname(at)
  }
  return at
}

const asking = { readOnly: true }
const config = "config='/etc/fstab'"

/** Salt's `mount` module, where the kernel's own files are below `root`; `cache` is where it remembers what it mounted. */
export function mountAt(root: string, cache?: string): ExecutionModule {
  const memory = ({ agent }: Call): string => join(cache ?? pythonStr(agent.opts.cachedir ?? ''), 'mounts')
  return {
    name: 'mount',
    file: 'mount',
    functions: {
      active: define(
        'extended=False',
        `Return what is mounted, by place.

extended
    With its numbers and the options of the file system.${examples("brine '*' mount.active")}`,
        (args, call) => activeMounts(call, root, args.is('extended')),
        asking,
      ),
      fstab: define(
        config,
        `Return what the boot mounts, by place.${examples("brine '*' mount.fstab")}`,
        (args) => fstabEntries(args.text('config')),
        asking,
      ),
      rm_fstab: define(
        `name, device, ${config}`,
        `Take the entry of a place and a device out of the fstab.${examples("brine '*' mount.rm_fstab /mnt/foo /dev/sdg")}`,
        (args) => removeEntry(args.text('config'), args.text('name'), args.value('device')),
      ),
      set_fstab: define(
        `name, device, fstype, opts='defaults', dump=0, pass_num=0, ${config}, test=False, match_on='auto', not_change=False, **kwargs`,
        `Put an entry into the fstab. Returns \`\`new\`\`, \`\`change\`\` or \`\`present\`\`.

match_on
    By which fields an entry is known that is there: \`\`device\`\`, \`\`name\`\`, …; by default the place for file systems without a device of their own, the device for all others.
not_change
    Leave an entry that is there as it is.
test
    Write nothing.${examples("brine '*' mount.set_fstab /mnt/foo /dev/sdz1 ext4")}`,
        setFstab,
      ),
      mount: define(
        "name, device=False, mkmnt=False, fstype='', opts='defaults', user=None, util='mount'",
        `Mount a device. Returns True, or what mount complains of.

mkmnt
    Make the directory.${examples("brine '*' mount.mount /mnt/foo /dev/sdz1 True")}`,
        (args, call) => {
          onlyMount(args, 'mount')
          return mounted(args, call, listOf(args.value('opts')))
        },
      ),
      remount: define(
        "name, device, mkmnt=False, fstype='', opts='defaults', user=None",
        `Mount a device anew with these options, or for the first time.${examples("brine '*' mount.remount /mnt/foo /dev/sdz1 True")}`,
        (args, call) => remounted(args, call, root),
      ),
      umount: define(
        "name, device=None, user=None, util='mount', lazy=False",
        `Unmount what is mounted somewhere. Returns True, or what umount complains of.

lazy
    Let those finish who still use it.${examples("brine '*' mount.umount /mnt/foo")}`,
        (args, call) => {
          onlyMount(args, 'umount')
          return unmounted(args, call, root)
        },
      ),
      is_mounted: define(
        'name',
        `Return whether something is mounted there.${examples("brine '*' mount.is_mounted /mnt/share")}`,
        async (args, call) => args.text('name') in (await activeMounts(call, root, false)),
        asking,
      ),
      is_fuse_exec: define(
        'cmd',
        `Return whether a program uses libfuse.${examples("brine '*' mount.is_fuse_exec sshfs")}`,
        (args, call) => isFuse(args.text('cmd'), call),
        asking,
      ),
      swaps: define(
        '',
        `Return the swap areas in use.${examples("brine '*' mount.swaps")}`,
        () => activeSwaps(root),
        asking,
      ),
      swapon: define(
        'name, priority=None',
        `Use a swap area.${examples("brine '*' mount.swapon /root/swapfile")}`,
        (args, call) => swapOn(args, call, root),
      ),
      swapoff: define(
        'name',
        `Stop using a swap area. Returns None where it was not in use.${examples("brine '*' mount.swapoff /root/swapfile")}`,
        (args, call) => swapOff(args.text('name'), call, root),
      ),
      get_mount_from_path: define(
        'path',
        `Return where the file system of a path is mounted.${examples("brine '*' mount.get_mount_from_path /opt/some/nested/path")}`,
        (args) => placeOf(args.text('path')),
        asking,
      ),
      get_device_from_path: define(
        'path',
        `Return the device of the file system of a path.${examples("brine '*' mount.get_device_from_path /")}`,
        async (args, call) => {
          const found = (await activeMounts(call, root, false))[await placeOf(args.text('path'))]
          return isMapping(found) ? (found.device ?? null) : null
        },
        asking,
      ),
      read_mount_cache: define(
        'name',
        `Return with what a state last mounted a place.${examples("brine '*' mount.read_mount_cache /mnt/share")}`,
        (args, call) => rememberedMount(memory(call), args.text('name')),
        asking,
      ),
      write_mount_cache: define(
        'real_name, device, mkmnt, fstype, mount_opts',
        `Remember with what a place was mounted.${examples("brine '*' mount.write_mount_cache /mnt/share /dev/sda1 False ext4 defaults,nosuid")}`,
        (args, call) =>
          rememberMount(memory(call), args.text('real_name'), {
            device: args.value('device'),
            fstype: args.value('fstype'),
            mkmnt: args.value('mkmnt'),
            opts: args.value('mount_opts'),
          }),
      ),
      delete_mount_cache: define(
        'real_name',
        `Forget with what a place was mounted.${examples("brine '*' mount.delete_mount_cache /mnt/share")}`,
        (args, call) => forgetMount(memory(call), args.text('real_name')),
      ),
    },
  }
}

/** Salt's `mount` module. */
export const mount = mountAt('')
