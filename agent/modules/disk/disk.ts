// Salt's `disk` module: how full the disks are, what is on them and how they do.
import type { Mapping, Value } from '../../../core/value/index.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError } from '../errors.ts'
import { type Call, define, type ExecutionModule, examples } from '../module.ts'
import { outputOf, succeeds } from '../program.ts'
import { blockIds, deviceOf, fileSystemOf, format, settings, tune, wipe } from './block-devices.ts'
import { attributes, parameters, protectedArea, statistics } from './health.ts'

/** The flags for df, letters alone, as a function of that name takes them. */
function flagsOf(args: Arguments, fun: string): string[] {
  const flags = args.textIfAny('args') ?? ''
  if (/[^aBhHiklPtTxv]/.test(flags)) throw new CommandExecutionError(`Invalid flag passed to ${fun}`)
  return flags === '' ? [] : [`-${flags}`]
}

/** The lines of df by where the disk is mounted: its name, then the columns. */
async function df(call: Call, words: readonly string[]): Promise<[string, string[]][]> {
  const lines = (await outputOf(call, ['df', ...words])).split('\n').slice(1)
  return lines.flatMap((line): [string, string[]][] => {
    const parts = /^(.*?)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\d+%|-)\s+(.*)$/.exec(line)
    return parts === null ? [] : [[parts[6] ?? '', parts.slice(1, 6)]]
  })
}

async function usage(args: Arguments, call: Call): Promise<Mapping> {
  const rows = await df(call, ['-P', ...flagsOf(args, 'disk.usage')])
  return Object.fromEntries(
    rows.map(([path, [filesystem = '', blocks = '', used = '', available = '', capacity = '']]) => [
      path,
      { filesystem, '1K-blocks': blocks, used, available, capacity },
    ]),
  )
}

async function inodes(args: Arguments, call: Call): Promise<Mapping> {
  const rows = await df(call, ['-iP', ...flagsOf(args, 'disk.inodeusage')])
  return Object.fromEntries(
    rows.map(([path, [filesystem = '', all = '', used = '', free = '', use = '']]) => [
      path,
      { inodes: all, used, free, use, filesystem },
    ]),
  )
}

async function percent(args: Arguments, call: Call): Promise<Value> {
  const rows = await df(call, ['-P'])
  const told: Mapping = Object.fromEntries(rows.map(([path, columns]) => [path, columns[4] ?? '']))
  const path = args.textIfAny('args')
  return path === undefined ? told : (told[path] ?? {})
}

const readOnly = { readOnly: true }

/** Salt's `disk` module. */
export const disk: ExecutionModule = {
  name: 'disk',
  file: 'disk',
  functions: {
    usage: define(
      'args=None',
      `Return how full the disks are, in blocks of 1 KiB.

args
    Flags for df, like \`\`h\`\`.${examples("brine '*' disk.usage")}`,
      usage,
      readOnly,
    ),
    inodeusage: define(
      'args=None',
      `Return how many inodes of the disks are used.${examples("brine '*' disk.inodeusage")}`,
      inodes,
      readOnly,
    ),
    percent: define(
      'args=None',
      `Return how full the disks are in percent, or the one mounted at a path.${examples("brine '*' disk.percent /var")}`,
      percent,
      readOnly,
    ),
    blkid: define(
      'device=None, token=None',
      `Return what is known of block devices: UUID, type, label.

device
    Of this one only.
token
    Of those that a token like \`\`TYPE=swap\`\` finds.${examples("brine '*' disk.blkid", "brine '*' disk.blkid /dev/sda")}`,
      blockIds,
      readOnly,
    ),
    dump: define(
      'device, args=None',
      `Return how a block device is set, as blockdev tells it; False where it cannot be told.

args
    These values only.${examples("brine '*' disk.dump /dev/sda1")}`,
      (args, call) => settings(call, args.text('device'), args.texts('args')),
      readOnly,
    ),
    tune: define(
      'device, **kwargs',
      `Set a block device otherwise. Returns how it is set then.

read-ahead, filesystem-read-ahead
    How many sectors of 512 bytes are read ahead.
read-only, read-write
    True: set it so.${examples("brine '*' disk.tune /dev/sda1 read-ahead=1024 read-write=True")}`,
      tune,
    ),
    wipe: define(
      'device',
      `Remove the signatures of file systems from a device. What was on it is not found any more.${examples("brine '*' disk.wipe /dev/sda1")}`,
      wipe,
    ),
    resize2fs: define(
      'device',
      `Make the file system of a device as large as the device.${examples("brine '*' disk.resize2fs /dev/sda1")}`,
      async (args, call) => ((await succeeds(call, ['resize2fs', args.text('device')])) ? true : null),
    ),
    format: define(
      "device, fs_type='ext4', inode_size=None, lazy_itable_init=None, fat=None, force=False",
      `Make a file system on a device. What was on it is gone.

fs_type
    Its kind.
inode_size
    Of ext and xfs.
lazy_itable_init
    Of ext: 1 does not fill the tables at once, 0 does.
fat
    12, 16 or 32, of the kinds of fat.
force
    Even if there is a file system.${examples("brine '*' disk.format /dev/sdX1")}`,
      format,
    ),
    fstype: define(
      'device',
      `Return the kind of file system a device has.${examples("brine '*' disk.fstype /dev/sdX1")}`,
      (args, call) => fileSystemOf(call, args.text('device')),
      readOnly,
    ),
    get_fstype_from_path: define(
      'path',
      `Return the kind of file system a path is in.${examples("brine '*' disk.get_fstype_from_path /root")}`,
      async (args, call) => fileSystemOf(call, await deviceOf(args.text('path'))),
      readOnly,
    ),
    hdparms: define(
      "disks, args='aAbBcCdgHiJkMmNnQrRuW'",
      `Return what hdparm tells of disks.

disks
    One or a list.
args
    The letters of what is asked.${examples("brine '*' disk.hdparms sda", "brine '*' disk.hdparms '[sda, sdb]' args=aAcC")}`,
      (args, call) => parameters(call, args.value('disks'), args.value('args')),
      readOnly,
    ),
    hpa: define(
      'disks, size=None',
      `Return how many sectors of disks are hidden (the host protected area).

size
    Hide as many, or that part: \`\`5%\`\`.${examples("brine '*' disk.hpa sda", "brine '*' disk.hpa sda 5%")}`,
      protectedArea,
    ),
    smart_attributes: define(
      'dev, attributes=None, values=None',
      `Return the attributes by which a disk tells how it is, by their numbers, as smartctl reads them.

attributes
    These numbers only.
values
    These columns only.${examples("brine '*' disk.smart_attributes /dev/sda", "brine '*' disk.smart_attributes /dev/sda attributes='[1, 9]' values='[raw_value]'")}`,
      attributes,
      readOnly,
    ),
    iostat: define(
      'interval=1, count=5, disks=None',
      `Return what iostat counts of disks and processors, as means over all times it looks.

interval
    Seconds between two looks.
count
    How often it looks.
disks
    Of these only: one or a list.${examples("brine '*' disk.iostat 1 5 disks=sda")}`,
      statistics,
    ),
  },
}
