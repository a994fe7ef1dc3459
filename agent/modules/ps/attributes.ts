// `ps.proc_info`: everything /proc tells of one process, under psutil's names. Its tuples are lists.
import { readdir, readFile, readlink } from 'node:fs/promises'
import { float, type Mapping, type Value } from '../../../core/value/index.ts'
import { isErrno } from '../../filesystem/os-error.ts'
import { CommandExecutionError, PythonError } from '../errors.ts'
import { accountById } from '../users.ts'
import { physicalMemory } from './memory.ts'
import { bootTime, memoryOf, nameOf, type Process, processOf, TICKS } from './processes.ts'

type Attribute = (process: Process) => Value | Promise<Value>

/** What may be read only by the owner is null for others, as psutil has it. */
const forbidden = (error: unknown): null => {
  if (isErrno(error, 'EACCES', 'EPERM', 'ENOENT', 'ESRCH')) return null
  throw error
}

const text = (pid: number, name: string): Promise<string | null> =>
  readFile(`/proc/${pid}/${name}`, 'utf8').catch(forbidden)

const link = (pid: number, name: string): Promise<string | null> => readlink(`/proc/${pid}/${name}`).catch(forbidden)

/** The numbers after a word of /proc/<pid>/status. */
async function statusNumbers(pid: number, word: string): Promise<number[]> {
  const line = ((await text(pid, 'status')) ?? '').split('\n').find((one) => one.startsWith(`${word}:`))
  return line === undefined
    ? []
    : line
        .slice(word.length + 1)
        .trim()
        .split(/\s+/)
        .map(Number)
}

async function user({ pid }: Process): Promise<Value> {
  const [uid] = await statusNumbers(pid, 'Uid')
  return uid === undefined ? null : ((await accountById(uid))?.name ?? String(uid))
}

async function environment({ pid }: Process): Promise<Value> {
  const all = await text(pid, 'environ')
  if (all === null) return null
  const pairs = all.split('\0').filter((pair) => pair.includes('='))
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

/** Path, number, position, mode and flags of the plain files it has open. */
async function openFiles({ pid }: Process): Promise<Value> {
  const names = await readdir(`/proc/${pid}/fd`).catch(forbidden)
  if (names === null) return null
  const found: Value[] = []
  for (const name of names) {
    const path = await link(pid, `fd/${name}`)
    const info = await text(pid, `fdinfo/${name}`)
    if (path === null || info === null || !path.startsWith('/') || /^\/(dev|proc)\//.test(path)) continue
    const position = Number(/^pos:\s+(\d+)/m.exec(info)?.[1] ?? 0)
    const flags = Number.parseInt(/^flags:\s+(\d+)/m.exec(info)?.[1] ?? '0', 8)
    found.push([path, Number(name), position, modeOf(flags), flags])
  }
  return found
}

/** Python's `open` mode of open(2)'s flags. */
function modeOf(flags: number): string {
  const base = ['r', 'w', 'w+'][flags & 3] ?? 'r'
  const appending = (flags & 0o2000) !== 0 ? base.replace('w', 'a') : base
  return appending.replace('w+', 'r+')
}

async function threads({ pid }: Process): Promise<Value> {
  const ids = await readdir(`/proc/${pid}/task`).catch(forbidden)
  if (ids === null) return null
  const told: Value[] = []
  for (const id of ids) {
    const line = await text(pid, `task/${id}/stat`)
    if (line === null) continue
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    told.push([Number(id), float(Number(fields[11]) / TICKS), float(Number(fields[12]) / TICKS)])
  }
  return told
}

async function counters({ pid }: Process): Promise<Value> {
  const all = await text(pid, 'io')
  if (all === null) return null
  const by = new Map(all.split('\n').map((line) => line.split(': ') as [string, string]))
  return ['syscr', 'syscw', 'read_bytes', 'write_bytes', 'rchar', 'wchar'].map((name) => Number(by.get(name) ?? 0))
}

/** `0-3,7` as numbers. */
function spelledRange(spelled: string): number[] {
  return spelled.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  })
}

async function processors({ pid }: Process): Promise<Value> {
  const found = /^Cpus_allowed_list:\s+(\S+)/m.exec((await text(pid, 'status')) ?? '')
  return found?.[1] === undefined ? null : spelledRange(found[1])
}

async function memoryPercent({ pid }: Process): Promise<Value> {
  const memory = await memoryOf(pid)
  return memory === undefined ? null : float(((memory.rss ?? 0) / (await physicalMemory())) * 100)
}

async function terminal(process: Process): Promise<Value> {
  if (process.terminal === 0) return null
  const [major, minor] = [
    (process.terminal >> 8) & 0xfff,
    (process.terminal & 0xff) | ((process.terminal >> 12) & 0xff00),
  ]
  if (major >= 136 && major <= 143) return `/dev/pts/${minor + (major - 136) * 256}`
  return major === 4 ? (minor < 64 ? `/dev/tty${minor}` : `/dev/ttyS${minor - 64}`) : null
}

const attributes: Readonly<Record<string, Attribute>> = {
  cmdline: ({ command }) => [...command],
  cpu_affinity: processors,
  cpu_num: ({ processor }) => processor,
  cpu_times: ({ times }) => Object.values(times).map((seconds) => float(seconds)),
  create_time: async ({ started }) => float((await bootTime()) + started),
  cwd: ({ pid }) => link(pid, 'cwd'),
  environ: environment,
  exe: ({ pid }) => link(pid, 'exe'),
  gids: async ({ pid }) => (await statusNumbers(pid, 'Gid')).slice(0, 3),
  io_counters: counters,
  memory_info: async ({ pid }) => Object.values((await memoryOf(pid)) ?? {}),
  memory_percent: memoryPercent,
  name: nameOf,
  nice: ({ nice }) => nice,
  num_ctx_switches: async ({ pid }) => [
    ...(await statusNumbers(pid, 'voluntary_ctxt_switches')),
    ...(await statusNumbers(pid, 'nonvoluntary_ctxt_switches')),
  ],
  num_fds: async ({ pid }) => (await readdir(`/proc/${pid}/fd`).catch(forbidden))?.length ?? null,
  num_threads: ({ threads: count }) => count,
  open_files: openFiles,
  pid: ({ pid }) => pid,
  ppid: ({ ppid }) => ppid,
  status: ({ status }) => status,
  terminal,
  threads,
  uids: async ({ pid }) => (await statusNumbers(pid, 'Uid')).slice(0, 3),
  username: user,
}

/** Those that are asked for, or all. Throws for a process that is not there and for a name nobody knows. */
export async function processInfo(pid: number, wanted: readonly string[] | undefined): Promise<Mapping> {
  const names = wanted ?? Object.keys(attributes)
  const unknown = names.find((name) => !Object.hasOwn(attributes, name))
  if (unknown !== undefined)
    throw new PythonError(
      'ValueError',
      `invalid attr name '${unknown}': it is none of ${Object.keys(attributes).join(', ')}`,
    )
  const process = await processOf(pid)
  if (process === undefined) throw new CommandExecutionError(`process PID not found (pid=${pid})`)
  const told: Mapping = {}
  for (const name of names) told[name] = (await attributes[name]?.(process)) ?? null
  return told
}
