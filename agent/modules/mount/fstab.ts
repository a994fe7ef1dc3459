// Lines of /etc/fstab: read, added, changed and taken out; everything else in the file stays as it is.
import { isList, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { isRegularFile } from '../../filesystem/paths.ts'
import { readTextIfThere } from '../../filesystem/read.ts'
import { fileLines } from '../../filesystem/text.ts'
import { writeWhole } from '../../filesystem/write.ts'
import { CommandExecutionError } from '../errors.ts'

const FIELDS = ['device', 'name', 'fstype', 'opts', 'dump', 'pass_num'] as const

type Field = (typeof FIELDS)[number]
/** A line's six fields. */
export type Entry = Readonly<Record<Field, string>>

const isField = (name: string): name is Field => (FIELDS as readonly string[]).includes(name)

/** File systems that are known by where they are mounted: their device is no device of their own. */
const namedByPlace = [
  'none',
  'tmpfs',
  'sysfs',
  'proc',
  'fusectl',
  'debugfs',
  'securityfs',
  'devtmpfs',
  'cgroup',
  'nfs',
  'nfs4',
  'glusterfs',
  'btrfs',
]

/** The fields of a line; undefined of a comment and of what is none. */
function entryIn(line: string): Entry | undefined {
  const words = line.split(/\s+/).filter(Boolean)
  if (line.startsWith('#') || words.length < 4 || words.length > 6) return undefined
  const [device = '', name = '', fstype = '', opts = '', dump = '0', pass_num = '0'] = words
  return { device, name, fstype, opts, dump, pass_num }
}

const lineOf = ({ device, name, fstype, opts, dump, pass_num }: Entry): string =>
  `${device}\t\t${name}\t${fstype}\t${opts}\t${dump} ${pass_num}\n`

const sortedOpts = (opts: string): string => opts.split(',').sort().join()

/** Whether the line has these fields; options may stand in any order. */
function fits(line: Entry, wanted: Partial<Entry>): boolean {
  return Object.entries(wanted).every(([key, value]) =>
    key === 'opts' ? sortedOpts(line.opts) === sortedOpts(value) : line[key as Field] === value,
  )
}

/** Every entry by where it is mounted; a place that comes again gets a `_`. */
export async function fstabEntries(config: string): Promise<Mapping> {
  const told: Mapping = {}
  if (!(await isRegularFile(config))) return told
  for (const line of fileLines((await readTextIfThere(config)) ?? '')) {
    const entry = entryIn(line)
    if (entry === undefined) continue
    const { device, fstype, opts, dump, pass_num } = entry
    let { name } = entry
    while (name in told) name += '_'
    told[name] = { device, fstype, opts: opts.split(','), dump, pass: pass_num }
  }
  return told
}

async function textOf(config: string): Promise<string> {
  try {
    const text = await readTextIfThere(config)
    if (text !== undefined) return text
  } catch (error) {
    throw new CommandExecutionError(
      `Couldn't read from ${config}: ${error instanceof Error ? error.message : ''}`,
      error,
    )
  }
  throw new CommandExecutionError(`Couldn't read from ${config}: [Errno 2] No such file or directory: '${config}'`)
}

/** Takes out the entries of a place and a device. */
export async function removeEntry(config: string, name: string, device: Value): Promise<true> {
  const wanted: Partial<Entry> = { name, ...(device === null ? {} : { device: pythonStr(device) }) }
  const lines = fileLines(await textOf(config))
  const kept = lines.filter((line) => {
    const entry = entryIn(line)
    return entry === undefined || !fits(entry, wanted)
  })
  if (kept.length < lines.length) await writeWhole(config, kept.join(''))
  return true
}

/** What is wanted in the file, and by what an entry is known that is there already. */
export interface WantedEntry {
  readonly entry: Entry
  readonly matchOn: Value
  /** Leave an entry that is there as it is. */
  readonly keeps: boolean
  readonly test: boolean
}

/** The entry as the arguments have it. */
export function entryOf(given: Readonly<Record<Exclude<Field, 'opts'>, string>>, opts: Value): Entry {
  const escaped = (text: string): string => text.replaceAll('\\ ', '\\040')
  const words = isList(opts) ? opts.map(pythonStr).join(',') : pythonStr(opts)
  return { ...given, device: escaped(given.device), opts: escaped(words) }
}

function criteria(entry: Entry, matchOn: Value): Partial<Entry> {
  if (!isList(matchOn) && typeof matchOn !== 'string')
    throw new CommandExecutionError('match_on must be a string or list of strings')
  const usual = namedByPlace.includes(entry.fstype) ? ['name'] : ['device']
  const names = matchOn === 'auto' ? usual : (isList(matchOn) ? matchOn : [matchOn]).map(pythonStr)
  const unknown = names.filter((name) => !isField(name))
  if (unknown.length > 0) throw new CommandExecutionError(`Unrecognized keys in match_on: "${unknown.join(', ')}"`)
  return Object.fromEntries(names.filter(isField).map((name) => [name, entry[name]]))
}

/** Puts an entry there, or changes the one that is known by the same: `new`, `change` or `present`. */
export async function setEntry(config: string, { entry, matchOn, keeps, test }: WantedEntry): Promise<string> {
  const known = criteria(entry, matchOn)
  if (!(await isRegularFile(config))) throw new CommandExecutionError(`Bad config file "${config}"`)
  let found = 'new'
  const lines = fileLines(await textOf(config)).map((line) => {
    const there = entryIn(line)
    if (there === undefined || !fits(there, known)) return line
    const isSame = keeps || fits(there, entry)
    found = isSame ? 'present' : 'change'
    return isSame ? line : lineOf(entry)
  })
  // An entry behind a last line that has no end would become part of it.
  if (found === 'new') lines.push(`${lines.length === 0 || lines.at(-1)?.endsWith('\n') ? '' : '\n'}${lineOf(entry)}`)
  if (found !== 'present' && !test) {
    try {
      await writeWhole(config, lines.join(''))
    } catch (error) {
      throw new CommandExecutionError(`File not writable ${config}`, error)
    }
  }
  return found
}
