// The processes of this machine, as /proc tells of them.
import { readFile, stat } from 'node:fs/promises'
import { namesIn, textOf } from '../../grains/read.ts'
import { procLines } from '../proc.ts'
import { accounts } from '../users.ts'

/** Ticks of the kernel's clock in a second, as it counts them for programs. */
export const TICKS = 100

/** A process at one moment. Times are seconds. */
export interface Process {
  readonly pid: number
  /** The kernel's name, at most 15 bytes. */
  readonly comm: string
  /** What it was started as; empty for a thread of the kernel and for a zombie. */
  readonly command: readonly string[]
  /** In psutil's words: `running`, `sleeping`, `disk-sleep`, `zombie`, … */
  readonly status: string
  readonly ppid: number
  /** The number of its terminal; 0 where it has none. */
  readonly terminal: number
  readonly nice: number
  readonly threads: number
  readonly times: ProcessTimes
  /** Since the machine began. */
  readonly started: number
  readonly processor: number
}

/** What a process has used of the processors, in seconds. */
export interface ProcessTimes {
  readonly user: number
  readonly system: number
  readonly children_user: number
  readonly children_system: number
  readonly iowait: number
}

const statuses: Readonly<Record<string, string>> = {
  R: 'running',
  S: 'sleeping',
  D: 'disk-sleep',
  T: 'stopped',
  t: 'tracing-stop',
  Z: 'zombie',
  X: 'dead',
  x: 'dead',
  K: 'wake-kill',
  W: 'waking',
  I: 'idle',
  P: 'parked',
}

/** The ids of all processes, ascending. */
export async function processIds(): Promise<number[]> {
  const names = await namesIn('/proc')
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
}

/** A process; undefined where it is not, or not any more. */
export async function processOf(pid: number): Promise<Process | undefined> {
  const [text, command] = await Promise.all([textOf(`/proc/${pid}/stat`), textOf(`/proc/${pid}/cmdline`)])
  const end = text.lastIndexOf(')')
  if (end < 0) return undefined
  const fields = text
    .slice(end + 2)
    .trimEnd()
    .split(' ')
  const number = (at: number): number => Number(fields[at] ?? 0)
  const seconds = (at: number): number => number(at) / TICKS
  return {
    pid,
    comm: text.slice(text.indexOf('(') + 1, end),
    command: words(command),
    status: statuses[fields[0] ?? ''] ?? '?',
    ppid: number(1),
    terminal: number(4),
    nice: number(16),
    threads: number(17),
    times: {
      user: seconds(11),
      system: seconds(12),
      children_user: seconds(13),
      children_system: seconds(14),
      iowait: seconds(39),
    },
    started: seconds(19),
    processor: number(36),
  }
}

/** A program that writes its own command line may leave out what ends each word. */
function words(command: string): string[] {
  if (command === '') return []
  return command.endsWith('\0') ? command.slice(0, -1).split('\0') : command.split(' ')
}

/** All processes. */
export async function processes(): Promise<Process[]> {
  const found = await Promise.all((await processIds()).map(processOf))
  return found.filter((process) => process !== undefined)
}

/** The kernel cuts a name to 15 bytes: the whole is taken from the command line where that begins alike. */
export function nameOf({ comm, command }: Pick<Process, 'comm' | 'command'>): string {
  const program = (command[0] ?? '').split('/').at(-1) ?? ''
  return comm.length >= 15 && program.startsWith(comm) ? program : comm
}

/** Who runs a process, by name, or by number where it has none; undefined where it has ended. */
export type Owners = (pid: number) => Promise<string | undefined>

/** Looks the accounts up once for many processes. */
export async function owners(): Promise<Owners> {
  const names = new Map((await accounts()).map(({ uid, name }) => [uid, name]))
  return async (pid) => {
    const uid = await stat(`/proc/${pid}`).then(
      (found) => found.uid,
      () => undefined,
    )
    return uid === undefined ? undefined : (names.get(uid) ?? String(uid))
  }
}

/** When the machine began, in seconds since 1970. */
export async function bootTime(): Promise<number> {
  const line = (await procLines('stat')).find((one) => one.startsWith('btime '))
  return Number(line?.slice(6) ?? 0)
}

/** Bytes of memory, by what /proc/<pid>/statm counts in pages. */
export async function memoryOf(pid: number): Promise<Record<string, number> | undefined> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  if (text === '') return undefined
  const pages = text.trimEnd().split(' ').map(Number)
  const names = ['vms', 'rss', 'shared', 'text', 'lib', 'data', 'dirty']
  const told = Object.fromEntries(names.map((name, at) => [name, (pages[at] ?? 0) * 4096]))
  const { rss = 0, vms = 0, ...rest } = told
  return { rss, vms, ...rest }
}
