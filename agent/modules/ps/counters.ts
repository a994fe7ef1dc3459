// What the processors, disks and network devices of this machine have done, as psutil counts it; and who is logged in.
import { readFile, statfs } from 'node:fs/promises'
import { float, type Mapping, type Value } from '../../../core/value/index.ts'
import { loginRecord } from '../../beacons/kinds/logins.ts'
import { pause } from '../../connection/backoff.ts'
import { isErrno } from '../../filesystem/os-error.ts'
import { namesIn } from '../../grains/read.ts'
import { PythonError } from '../errors.ts'
import { mounts, procLines, procTable } from '../proc.ts'
import { percentOf } from './memory.ts'
import { TICKS } from './processes.ts'

const times = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal', 'guest', 'guest_nice'] as const
type Times = Readonly<Record<(typeof times)[number], number>>

/** Seconds the processors spent, by what on: of all together first, then of each. */
async function processorTimes(): Promise<Times[]> {
  const lines = (await procLines('stat')).filter((line) => line.startsWith('cpu'))
  return lines.map((line) => {
    const values = line.split(/\s+/).slice(1)
    return Object.fromEntries(times.map((name, at) => [name, Number(values[at] ?? 0) / TICKS])) as Times
  })
}

/** `psutil.cpu_times()`: a map, or one for each processor. */
export async function cpuTimes(each: boolean): Promise<Value> {
  const [all = {}, ...rest] = (await processorTimes()).map((one) =>
    Object.fromEntries(Object.entries(one).map(([name, seconds]) => [name, float(seconds)])),
  )
  return each ? rest : all
}

/** How busy the processors are over `seconds`: hundredths, or a list with each processor's. */
export async function cpuPercent(seconds: number, each: boolean, signal: AbortSignal): Promise<Value> {
  if (seconds < 0) throw new PythonError('ValueError', `interval is not positive (got ${seconds})`)
  const before = await processorTimes()
  await pause(seconds * 1000, signal)
  const after = await processorTimes()
  const [all, ...rest] = after.map((now, at) => float(busyBetween(before[at] ?? now, now)))
  return each ? rest : (all ?? null)
}

function busyBetween(before: Times, now: Times): number {
  const spent = (name: keyof Times): number => Math.max(0, now[name] - before[name])
  // What guests use is counted for the user as well.
  const total = times.reduce((sum, name) => sum + spent(name), 0) - spent('guest') - spent('guest_nice')
  return percentOf(Math.max(0, total - spent('idle') - spent('iowait')), total)
}

/** The file systems that are mounted; of disks alone unless `all`. */
export async function partitions(all: boolean): Promise<(Mapping & { mountpoint: string })[]> {
  const kinds = (await procLines('filesystems')).filter((line) => !line.startsWith('nodev')).map((line) => line.trim())
  const physical = new Set([...kinds, 'zfs'])
  return (await mounts())
    .map(({ device, path, kind, options }) => ({
      device: device === 'none' ? '' : device,
      mountpoint: path,
      fstype: kind,
      opts: options.join(','),
    }))
    .filter(({ device, fstype }) => all || (device !== '' && physical.has(fstype)))
}

/** Bytes of the file system a path is in. Throws as Python does where there is no such path. */
export async function diskUsage(path: string): Promise<Mapping> {
  const found = await statfs(path).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT'))
      throw new PythonError('FileNotFoundError', `[Errno 2] No such file or directory: '${path}'`)
    throw error
  })
  const used = (found.blocks - found.bfree) * found.bsize
  const free = found.bavail * found.bsize
  return { total: found.blocks * found.bsize, used, free, percent: float(percentOf(used, used + free)) }
}

/** What went over the network devices: of one, false where there is none of that name; of all together. */
export async function networkCounters(device: string | undefined): Promise<Value> {
  const rows = (await procTable('net/dev', /:/)).slice(2)
  const chosen = device === undefined ? rows : rows.filter(([name]) => name === device)
  if (device !== undefined && chosen.length === 0) return false
  const places = { bytes_sent: 8, bytes_recv: 0, packets_sent: 9, packets_recv: 1, errin: 2, errout: 10 }
  return summed(
    chosen.map(([, values]) => values.split(/\s+/).map(Number)),
    { ...places, dropin: 3, dropout: 11 },
  )
}

/** What the disks have read and written: of one or one partition, false where there is none; of all disks together. */
export async function diskCounters(device: string | undefined): Promise<Value> {
  const disks = new Set((await namesIn('/sys/block')).map((name) => name.replaceAll('!', '/')))
  const rows = (await procLines('diskstats')).map((line) => line.trim().split(/\s+/).slice(2))
  const chosen = rows.filter(([name = '']) => (device === undefined ? disks.has(name) : name === device))
  if (device !== undefined && chosen.length === 0) return false
  const told = summed(
    chosen.map((fields) => fields.slice(1).map(Number)),
    {
      read_count: 0,
      write_count: 4,
      read_bytes: 2,
      write_bytes: 6,
      read_time: 3,
      write_time: 7,
      read_merged_count: 1,
      write_merged_count: 5,
      busy_time: 9,
    },
  )
  const sector = 512
  return { ...told, read_bytes: Number(told.read_bytes) * sector, write_bytes: Number(told.write_bytes) * sector }
}

/** Of rows of numbers the sum of each named column. */
function summed(rows: readonly (readonly number[])[], columns: Readonly<Record<string, number>>): Mapping {
  const sums = Object.entries(columns).map(([name, at]) => [name, rows.reduce((sum, row) => sum + (row[at] ?? 0), 0)])
  return Object.fromEntries(sums)
}

/** Who is logged in, as utmp(5) has it. */
export async function loggedIn(): Promise<Mapping[]> {
  const size = 384
  const bytes = await readFile('/run/utmp').catch(() => Buffer.alloc(0))
  const records = Array.from({ length: Math.floor(bytes.length / size) }, (_, at) =>
    loginRecord(bytes.subarray(at * size, (at + 1) * size)),
  )
  return records
    .filter(({ type }) => type === 7)
    .map(({ user, line, hostname, time, PID }) => ({
      name: user,
      terminal: line,
      host: [':0', ':0.0'].includes(String(hostname)) ? 'localhost' : (hostname ?? ''),
      started: float(Number(time)),
      pid: PID ?? 0,
    }))
}
