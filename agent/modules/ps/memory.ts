// How much memory there is and how it is used, as psutil counts it.
import { float, type Mapping } from '../../../core/value/index.ts'
import { procTable } from '../proc.ts'

/** A part of a whole in hundredths, to one digit; 0 of nothing. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10

/** /proc/meminfo in bytes. */
async function bytesByName(): Promise<(name: string) => number> {
  const table = new Map(await procTable('meminfo', /:/))
  return (name) => Number.parseInt(table.get(name) ?? '0', 10) * 1024
}

/** Bytes of memory in all. */
export async function physicalMemory(): Promise<number> {
  return (await bytesByName())('MemTotal')
}

/** `psutil.virtual_memory()`. */
export async function virtualMemory(): Promise<Mapping> {
  const bytes = await bytesByName()
  const total = bytes('MemTotal')
  const free = bytes('MemFree')
  // In a container the kernel may tell more to be had than there is.
  const available = bytes('MemAvailable') > total ? free : bytes('MemAvailable')
  return {
    total,
    available,
    percent: float(percentOf(total - available, total)),
    used: total - available,
    free,
    active: bytes('Active'),
    inactive: bytes('Inactive'),
    buffers: bytes('Buffers'),
    cached: bytes('Cached') + bytes('SReclaimable'),
    shared: bytes('Shmem'),
    slab: bytes('Slab'),
  }
}

/** `psutil.swap_memory()`. */
export async function swapMemory(): Promise<Mapping> {
  const bytes = await bytesByName()
  const [total, free] = [bytes('SwapTotal'), bytes('SwapFree')]
  const pages = new Map(await procTable('vmstat', /\s+/))
  const moved = (name: string): number => Number(pages.get(name) ?? 0) * 4096
  return {
    total,
    used: total - free,
    free,
    percent: float(percentOf(total - free, total)),
    sin: moved('pswpin'),
    sout: moved('pswpout'),
  }
}
