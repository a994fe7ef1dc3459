// What the machine is made of: processors, memory, disks, its maker, and whether it is a virtual one.
import { existsSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Mapping } from '../../core/value/index.ts'
import { namesIn, textOf } from './read.ts'

/** Salt's grains about the hardware. */
export async function hardwareGrains(): Promise<Mapping> {
  const [cpu, memory, disks, dmi] = await Promise.all([cpuGrains(), memoryGrains(), diskGrains(), dmiGrains()])
  const virtual = await virtualGrains(dmi)
  const efi = existsSync('/sys/firmware/efi')
  return { ...cpu, ...memory, ...virtual, ...dmi, ...disks, num_gpus: 0, gpus: [], efi, 'efi-secure-boot': false }
}

async function cpuGrains(): Promise<Mapping> {
  const text = await textOf('/proc/cpuinfo')
  const count = text.match(/^processor\s*:/gm)?.length ?? cpus().length
  const model = /^(?:model name|Model)\s*:\s*(.*)$/m.exec(text)?.[1] ?? cpus()[0]?.model ?? 'Unknown'
  const flags = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(text)?.[1]?.split(/\s+/) ?? []
  return { num_cpus: count, cpu_model: model, cpu_flags: flags }
}

async function memoryGrains(): Promise<Mapping> {
  const text = await textOf('/proc/meminfo')
  const megabytes = (name: string): number | undefined => {
    const found = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]
    return found === undefined ? undefined : Math.floor(Number(found) / 1024)
  }
  return {
    mem_total: megabytes('MemTotal') ?? Math.floor(totalmem() / 2 ** 20),
    swap_total: megabytes('SwapTotal') ?? 0,
  }
}

async function diskGrains(): Promise<Mapping> {
  const names = (await namesIn('/sys/block')).filter((name) => !/^(loop|ram|zram|dm-|sr)/.test(name)).sort()
  const rotating = await Promise.all(names.map((name) => textOf(`/sys/block/${name}/queue/rotational`)))
  const isSsd = (index: number): boolean => rotating[index]?.trim() === '0'
  return { disks: names.filter((_, index) => !isSsd(index)), ssds: names.filter((_, index) => isSsd(index)) }
}

const dmiFiles: Readonly<Record<string, string>> = {
  biosversion: 'bios_version',
  biosvendor: 'bios_vendor',
  boardname: 'board_name',
  productname: 'product_name',
  manufacturer: 'sys_vendor',
  biosreleasedate: 'bios_date',
  uuid: 'product_uuid',
  serialnumber: 'product_serial',
}

async function dmiGrains(): Promise<Mapping> {
  const found = await Promise.all(
    Object.entries(dmiFiles).map(
      async ([grain, file]) => [grain, (await textOf(`/sys/class/dmi/id/${file}`)).trim()] as const,
    ),
  )
  return Object.fromEntries(
    found
      .filter(([, text]) => text !== '')
      .map(([grain, text]) => [grain, grain === 'uuid' ? text.toLowerCase() : text]),
  )
}

async function virtualGrains(dmi: Mapping): Promise<Mapping> {
  if (existsSync('/.dockerenv')) return { virtual: 'container', virtual_subtype: 'Docker' }
  if (existsSync('/run/.containerenv')) return { virtual: 'container', virtual_subtype: 'Podman' }
  const groups = await textOf('/proc/1/cgroup')
  if (/\/docker[-/]/.test(groups)) return { virtual: 'container', virtual_subtype: 'Docker' }
  if (/kubepods/.test(groups)) return { virtual: 'container', virtual_subtype: 'Kubernetes' }
  if (/\/lxc[./]/.test(groups)) return { virtual: 'container', virtual_subtype: 'LXC' }
  const maker = `${String(dmi.manufacturer ?? '')} ${String(dmi.productname ?? '')}`
  if (/Amazon EC2/.test(maker))
    return { virtual: 'Nitro', virtual_subtype: `Amazon EC2 (${String(dmi.productname ?? '')})` }
  for (const [pattern, virtual] of [
    [/KVM|Bochs|Google/, 'kvm'],
    [/QEMU/, 'qemu'],
    [/VMware/, 'VMware'],
    [/VirtualBox|innotek/, 'VirtualBox'],
    [/Xen/, 'xen'],
    [/Microsoft.*Virtual/, 'HyperV'],
    [/Parallels/, 'Parallels'],
  ] as const) {
    if (pattern.test(maker)) return { virtual }
  }
  const flags = await textOf('/proc/cpuinfo')
  return { virtual: /^flags.*\bhypervisor\b/m.test(flags) && maker.trim() === '' ? 'kvm' : 'physical' }
}
