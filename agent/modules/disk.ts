// How full the disks are.
import type { Mapping, Value } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { outputOf } from './program.ts'

/** The flags that may be given to df. */
function flagsOf(args: Arguments): string[] {
  const flags = (args.textIfAny('args') ?? '').replaceAll(/[-\s]/g, '')
  const unknown = [...flags].find((flag) => !'aHhilPkm'.includes(flag))
  if (unknown !== undefined) throw new CommandExecutionError(`Invalid flag passed to disk.usage`)
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
  const rows = await df(call, ['-P', ...flagsOf(args)])
  return Object.fromEntries(
    rows.map(([path, [filesystem = '', blocks = '', used = '', available = '', capacity = '']]) => [
      path,
      { filesystem, '1K-blocks': blocks, used, available, capacity },
    ]),
  )
}

async function inodes(args: Arguments, call: Call): Promise<Mapping> {
  const rows = await df(call, ['-iP', ...flagsOf(args)])
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
  },
}
